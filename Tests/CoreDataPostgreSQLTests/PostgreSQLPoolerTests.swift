// Stores behind a pooler that gives each transaction another connection.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataSQL
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

    /// The locks that connections of the pooler's hold.
    private func locks() throws -> [String] {
        try shelf.rows(
            "SELECT l.mode FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid "
                + "WHERE l.locktype = 'advisory' AND a.usename = '\(role)'")
    }

    /// A lock that stays would have the next migration wait without end, or all who open the store by a connection of their own.
    @Test func migrationsLeaveNoLocks() throws {
        let notes = NoteStore(shelf)
        try notes.make(notes: 10)
        let description = description
        description.setOption(NSNumber(value: 0), forKey: PostgreSQLStore.largeTableSizeOption)
        let target = NoteVersion(number: .decimalAttributeType)
        let context = try shelf.context(description, target.model)
        expect(try locks(), equals: [])
        try expect(notes.values("number", context).count, equals: 10)
        try notes.close(context)
        try notes.close(notes.context(target))
    }

    /// Making an index waits for all transactions of the database: no other suite's are on this server.
    @Test func indexesAreMadeAndLeaveNoSettings() throws {
        let server = try PostgreSQLServer.own()
        let notes = NoteStore(on: server)
        let name = notes.shelf.schema
        _ = try notes.shelf.rows("CREATE SCHEMA \(name)")
        _ = try notes.shelf.rows("CREATE ROLE app SUPERUSER LOGIN")
        _ = try notes.shelf.rows("ALTER ROLE app SET search_path = \(name)")
        try notes.make(notes: 10)
        let pooler = try PostgreSQLPooler(to: server, users: ["app"], size: 2)
        let address = "host=\(pooler.folder) user=app dbname=postgres"
        let description = NSPersistentStoreDescription(postgreSQL: address)
        description.setOption(NSNumber(value: true), forKey: PostgreSQLStore.avoidsPreparedStatementsOption)
        description.setOption(NSNumber(value: 0), forKey: PostgreSQLStore.largeTableSizeOption)
        try notes.close(
            notes.shelf.context(description, NoteVersion(number: .decimalAttributeType, hasIndex: true).model)
        )
        try expect(
            notes.shelf.rows(
                "SELECT indisvalid::int FROM pg_index WHERE indexrelid = 'note_by_number_fetch'::regclass"),
            equals: ["1"])
        try expect(
            notes.shelf.rows(
                "SELECT l.mode FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid "
                    + "WHERE l.locktype = 'advisory' AND a.usename = 'app'"), equals: [])
        // Both connections of the pooler's, each in a transaction.
        let connections = try (0..<2).map { _ in
            try ServerConnection(ServerAddress(parsing: address), keepsStatements: false)
        }
        for connection in connections {
            try connection.run("BEGIN")
            expect(try connection.texts(SQLStatement("SHOW lock_timeout")), equals: ["0"])
        }
        connections.forEach { $0.close() }
    }

    @Test func aMigrationByAMappingModelLeavesNoLocks() throws {
        let notes = NoteStore(shelf)
        try notes.make(notes: 10)
        let (url, target) = (try #require(description.url), NoteVersion(hasMood: true))
        let manager = NSMigrationManager(sourceModel: NoteVersion().model, destinationModel: target.model)
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: manager.sourceModel, destinationModel: manager.destinationModel)
        #expect(throws: NSError.self) {
            try manager.migrateStore(
                from: url, type: .init(rawValue: PostgreSQLStore.type), options: description.options,
                mapping: mapping, to: url, type: .init(rawValue: PostgreSQLStore.type),
                options: description.options)
        }
        expect(try locks(), equals: [])
        try notes.close(notes.context(NoteVersion()))
    }

    /// A pooler that gives each client a connection, and doesn't clean that for the next.
    @Test func whoWasAloneLeavesNoLock() throws {
        let pooler = try PostgreSQLPooler(
            to: shelf.server, users: [role], size: 2,
            settings: ["pool_mode = session", "server_reset_query ="])
        let description = NSPersistentStoreDescription(
            postgreSQL: "host=\(pooler.folder) user=\(role) dbname=postgres")
        expect(try PostgreSQLStore.runAlone(at: description) {}, equals: true)
        expect(try locks(), equals: [])
        #expect(throws: CancellationError.self) {
            try PostgreSQLStore.runAlone(at: description) { throw CancellationError() }
        }
        expect(try locks(), equals: [])
    }
}
