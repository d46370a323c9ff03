// Stores behind a pooler that gives each transaction another connection.

import CoreData
import CoreDataPostgreSQL
import CoreDataTestSupport
import Foundation
import Testing

@Suite(
    .enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"),
    .enabled(if: PostgreSQLPooler.isAvailable, "needs pgbouncer"))
struct PostgreSQLPoolerTests {
    private let shelf: Shelf
    private let pooler: PostgreSQLPooler
    private let role: String

    init() throws {
        shelf = try Shelf()
        role = "app_" + shelf.schema
        _ = try shelf.rows("CREATE SCHEMA \(shelf.schema)")
        _ = try shelf.rows("CREATE ROLE \(role) SUPERUSER LOGIN")
        // The pooler passes no options on.
        _ = try shelf.rows("ALTER ROLE \(role) SET search_path = \(shelf.schema)")
        pooler = try PostgreSQLPooler(to: shelf.server, users: [role], size: 2)
    }

    private var description: NSPersistentStoreDescription {
        let description = NSPersistentStoreDescription(
            postgreSQL: "host=\(pooler.folder) user=\(role) dbname=postgres")
        description.setOption(NSNumber(value: true), forKey: PostgreSQLStore.avoidsPreparedStatementsOption)
        return description
    }

    private func makeContext(history: Bool = false) throws -> NSManagedObjectContext {
        let description = description
        if history { description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey) }
        return try shelf.context(description)
    }

    @Test func moreContextsThanConnectionsSaveAndRead() throws {
        let crew = try SavingCrew(8) { try makeContext() }
        crew.start(20)
        crew.wait(for: 160)
        expect(crew.failures, equals: 0)
        try expect(
            shelf.rows("SELECT count(*), count(DISTINCT title) FROM printed_book"), equals: ["160|160"])
        let context = try makeContext()
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
            request.predicate = NSPredicate(format: "title BEGINSWITH '3 ' AND tags.@count == 1")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let books = try context.fetch(request)
            expect(books.count, equals: 20)
            for book in books { context.delete(book) }
            try context.save()
            try expect(
                context.count(for: NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")), equals: 140)
        }
    }

    /// A connection's lock would stay with a connection that the pooler keeps.
    @Test func oneProgramAtATimeIsAlone() throws {
        for _ in 1...4 {
            let isAlone = try PostgreSQLStore.runAlone(at: description) {
                expect(try PostgreSQLStore.runAlone(at: description) {}, equals: false)
            }
            #expect(isAlone)
        }
    }

    /// Statements that one connection prepared are others' once the pooler hands its connection out again.
    @Test func aClosedStoreIsAskedAndDestroyed() throws {
        try shelf.fill(makeContext())
        let (url, type) = (try #require(description.url), description.type)
        var identifiers: Set<String> = []
        for _ in 1...4 {
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: type, at: url, options: description.options)
            identifiers.insert(try #require(metadata[NSStoreUUIDKey] as? String))
            expect(try PostgreSQLStore.abandonedSchemas(of: description), equals: [])
            _ = try PostgreSQLStore.vacuum(description)
            var rows = 0
            try PostgreSQLStore.readSQL("SELECT 1", in: description) { _ in rows += 1 }
            expect(rows, equals: 1)
        }
        expect(identifiers.count, equals: 1)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        for _ in 1...2 {
            try coordinator.destroyPersistentStore(at: url, ofType: type, options: description.options)
        }
        try expect(
            shelf.rows("SELECT count(*) FROM pg_tables WHERE schemaname = '\(shelf.schema)'"), equals: ["0"])
    }

    @Test func conflictsAndHistoryAreTheSame() throws {
        let (first, second) = (try makeContext(history: true), try makeContext(history: true))
        try shelf.fill(first)
        func change(_ context: NSManagedObjectContext, _ pages: Int) throws {
            let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
            request.predicate = NSPredicate(format: "title == 'Frankenstein'")
            let book = try #require(try context.fetch(request).first)
            _ = book.value(forKey: "pageCount")
            book.setValue(pages, forKey: "pageCount")
        }
        try first.performAndWait { try change(first, 1) }
        try second.performAndWait {
            try change(second, 2)
            try second.save()
        }
        try first.performAndWait {
            #expect { try first.save() } throws: { ($0 as NSError).code == NSManagedObjectMergeError }
            first.rollback()
            let request = NSPersistentHistoryChangeRequest.fetchHistory(
                after: nil as NSPersistentHistoryToken?)
            let result = try first.execute(request) as? NSPersistentHistoryResult
            expect((result?.result as? [NSPersistentHistoryTransaction])?.count, equals: 2)
        }
        try expect(
            shelf.rows("SELECT page_count FROM printed_book WHERE title = 'Frankenstein'"), equals: ["2"])
    }
}
