// Connections and servers that fail amid requests: no save that was acknowledged is lost, none is done twice, and contexts
// go on.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLFaultTests {
    private let shelf: Shelf

    init() throws { shelf = try Shelf() }

    private func relay() throws -> StatementRelay {
        let address = try ServerAddress(parsing: shelf.server.address())
        return try StatementRelay(to: shelf.server) { process in
            let other = try? ServerConnection(address)
            _ = try? other?.run("SELECT pg_terminate_backend(\(process), 10000)")
            other?.close()
        }
    }

    /// A context whose one connection goes through the relay.
    private func context(_ relay: StatementRelay) throws -> NSManagedObjectContext {
        let description = NSPersistentStoreDescription(
            postgreSQL: "host=\(relay.folder) user=tester dbname=postgres", schema: shelf.schema)
        description.setOption(NSNumber(value: 0), forKey: PostgreSQLStore.readerLimitOption)
        return try shelf.context(description)
    }

    private func books(_ context: NSManagedObjectContext, _ predicate: String) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
        request.predicate = NSPredicate(format: predicate)
        return try context.fetch(request)
    }

    /// New objects with a relationship of each kind, a change and a deletion.
    private func change(_ context: NSManagedObjectContext, _ round: Int) throws {
        func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValuesForKeys(values)
            return object
        }
        let author = make("Author", ["name": "Author \(round)"])
        let tags = (0..<3).map { make("Tag", ["name": "tag \(round) \($0)"]) }
        for number in 0..<3 {
            _ = make(
                "PrintedBook",
                [
                    "title": "Book \(round) \(number)", "pageCount": 1, "firstAuthor": author,
                    "tags": NSSet(array: tags),
                ])
        }
        for book in try books(context, "title BEGINSWITH 'Kept'") {
            book.setValue(((book.value(forKey: "pageCount") as? Int) ?? 0) + 1, forKey: "pageCount")
        }
        for book in try books(context, "title == 'Gone \(round)'") { context.delete(book) }
    }

    private func prepare(_ context: NSManagedObjectContext, rounds: Int) throws {
        for number in 0..<rounds {
            let book = NSEntityDescription.insertNewObject(forEntityName: "PrintedBook", into: context)
            book.setValuesForKeys(["title": "Gone \(number)", "pageCount": 0])
        }
        let kept = NSEntityDescription.insertNewObject(forEntityName: "PrintedBook", into: context)
        kept.setValuesForKeys(["title": "Kept", "pageCount": 0])
        try context.save()
    }

    /// The facts in the database after so many rounds: all of a save or nothing.
    private func expectRounds(_ rounds: Int, of total: Int, _ place: String) throws {
        let found = try shelf.rows(
            """
            SELECT (SELECT count(*) FROM author), (SELECT count(*) FROM tag), \
            (SELECT count(*) FROM printed_book WHERE title LIKE 'Book%'), \
            (SELECT count(*) FROM printed_book_tags), (SELECT count(*) FROM printed_book WHERE title LIKE 'Gone%'), \
            (SELECT page_count FROM printed_book WHERE title = 'Kept')
            """)
        let expected = [rounds, 3 * rounds, 3 * rounds, 9 * rounds, total - rounds, rounds]
        expect(found, equals: [expected.map(String.init).joined(separator: "|")], "\(place)")
    }

    @Test(arguments: [StatementRelay.Fault.terminate, .silence, .loseAnswer])
    func aSaveWhoseConnectionEndsAtAnyStatementHoldsWholeOrNotAtAll(_ fault: StatementRelay.Fault) throws {
        let relay = try relay()
        let context = try context(relay)
        let total = 60
        try context.performAndWait {
            try prepare(context, rounds: total)
            var round = 0
            while round < total {
                relay.arm(nil)
                try change(context, round)
                relay.arm(fault, at: round + 1)
                var isSaved = false
                do {
                    try context.save()
                    isSaved = true
                } catch {
                    expect((error as NSError).domain, equals: NSCocoaErrorDomain)
                }
                let hits = relay.counts.hits
                relay.arm(nil)
                try expectRounds(isSaved ? round + 1 : round, of: total, "\(fault) at statement \(round + 1)")
                // The context goes on with what it has: the same save again. Values that a delete rule couldn't read are
                // read again once the objects are refreshed.
                if context.readError != nil { context.refreshAllObjects() }
                if !isSaved { try context.save() }
                round += 1
                try expectRounds(round, of: total, "\(fault) at statement \(round), again")
                // The save has fewer statements than that.
                if hits == 0 { break }
            }
            #expect(round > 5 && round < total)
            print("\(fault): \(round) saves of \(round - 1) statements")
        }
    }

    @Test(arguments: [StatementRelay.Fault.terminate, .silence, .loseAnswer])
    func aFetchThatLosesItsConnectionFailsAndTheNextOneReads(_ fault: StatementRelay.Fault) throws {
        let relay = try relay()
        let context = try context(relay)
        try context.performAndWait {
            try prepare(context, rounds: 3)
            context.reset()
            relay.arm(fault, at: 1)
            #expect(throws: NSError.self) { try books(context, "pageCount == 0") }
            expect(relay.counts.hits, equals: 1)
            relay.arm(nil)
            try expect(books(context, "pageCount == 0").count, equals: 4)
        }
    }

    // MARK: The whole server

    /// Writers save on while the server is stopped as by a crash and started again, and try again what failed.
    @Test func aServerThatCrashesLosesNoSaveAndDoublesNone() throws {
        let server = try PostgreSQLServer.own()
        defer { server.stop() }
        let shelf = Shelf(on: server)
        let (writers, saves) = (4, 60)
        let crew = try SavingCrew(writers) { try shelf.context() }
        crew.start(saves)
        for crash in 1...3 {
            crew.wait(for: crash * writers * saves / 5)
            server.stop(isImmediate: true)
            try server.start()
        }
        crew.wait(for: writers * saves)
        try expect(
            shelf.rows("SELECT count(*), count(DISTINCT title) FROM printed_book"), equals: ["240|240"])
        try expect(shelf.rows("SELECT count(*) FROM tag"), equals: ["240"])
        #expect(crew.failures > 0)
        print("crashes: 240 saves, \(crew.failures) failed first")
    }

    // MARK: Connections that can't be had

    @Test func readersThatCantConnectWaitForTheStoresConnection() throws {
        let role = "few_" + shelf.schema
        _ = try shelf.rows("CREATE ROLE \(role) SUPERUSER LOGIN")
        _ = try shelf.rows("ALTER ROLE \(role) NOSUPERUSER CONNECTION LIMIT 1")
        try shelf.fill(try shelf.context())
        _ = try shelf.rows("GRANT ALL ON ALL TABLES IN SCHEMA \(shelf.schema) TO \(role)")
        for schema in [shelf.schema, "coredata", "coredata_" + shelf.schema] {
            _ = try shelf.rows("GRANT USAGE ON SCHEMA \(schema) TO \(role)")
            _ = try shelf.rows("GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO \(role)")
        }
        let description = NSPersistentStoreDescription(
            postgreSQL: shelf.server.address(user: role), schema: shelf.schema)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Shelf.model())
        try coordinator.addPersistentStore(
            ofType: description.type, configurationName: nil, at: description.url,
            options: description.options)
        let counts = Mutex<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            let count = context.performAndWait {
                try? context.fetch(NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")).count
            }
            counts.withLock { $0.append(count ?? -1) }
        }
        expect(counts.withLock { $0 }, equals: Array(repeating: 2, count: 16))
        // Another store of the same user isn't opened, and the first one goes on.
        let other = NSPersistentStoreCoordinator(managedObjectModel: Shelf.model())
        let error = try #require(throws: NSError.self) {
            try other.addPersistentStore(
                ofType: description.type, configurationName: nil, at: description.url,
                options: description.options)
        }
        expect(error.code, equals: NSPersistentStoreTimeoutError)
        expect(error.userInfo[PostgreSQLStore.sqlStateKey] as? String, equals: "53300")
        expect(
            error.localizedDescription, equals: "The persistent store's server has no connection to give.")
        try coordinator.persistentStores.forEach(coordinator.remove)
        try other.addPersistentStore(
            ofType: description.type, configurationName: nil, at: description.url,
            options: description.options)
        try other.persistentStores.forEach(other.remove)
    }
}
