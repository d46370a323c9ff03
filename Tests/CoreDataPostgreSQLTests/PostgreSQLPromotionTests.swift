// Primary servers that die, and replicas that become primary ones.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLPromotionTests {
    private let primary: PostgreSQLServer
    private let shelf: Shelf

    init() throws {
        primary = try PostgreSQLServer.own()
        shelf = Shelf(on: primary)
    }

    private func count(_ query: String, on server: PostgreSQLServer) throws -> Int64 {
        let connection = try ServerConnection(
            ServerAddress(parsing: server.address()).with(schema: shelf.schema))
        return try connection.run(query).integer(0, column: 0)
    }

    private func description(_ folders: String...) -> NSPersistentStoreDescription {
        NSPersistentStoreDescription(
            postgreSQL: "host=\(folders.joined(separator: ",")) user=tester dbname=postgres "
                + "target_session_attrs=read-write",
            schema: shelf.schema)
    }

    /// Hosts save while the primary server dies, and go on with the replica, without being told.
    @Test func aPromotedReplicaHasEverySaveOnce() throws {
        _ = try shelf.context()
        let replica = try primary.makeReplica()
        defer {
            primary.stop()
            replica.stop()
        }
        // From now on a save stands when the replica has it.
        _ = try shelf.rows("ALTER SYSTEM SET synchronous_standby_names = '*'")
        _ = try shelf.rows("SELECT pg_reload_conf()")
        let (writers, saves) = (4, 60)
        let crew = try SavingCrew(writers) { try shelf.context(description(primary.folder, replica.folder)) }
        crew.start(saves)
        crew.wait(for: writers * saves / 3)
        primary.stop(isImmediate: true)
        try replica.promote()
        crew.wait(for: writers * saves)
        try expect(count("SELECT count(*) FROM printed_book", on: replica), equals: 240)
        try expect(count("SELECT count(DISTINCT title) FROM printed_book", on: replica), equals: 240)
        try expect(count("SELECT count(*) FROM tag", on: replica), equals: 240)
        print("promotion: 240 saves, \(crew.failures) failed first")
    }

    /// The replica never gets the save, and by the time that it is asked it has given the number of the save's transaction to
    /// another one, which it has committed.
    @Test func aSaveThatOnlyTheDeadServerHadIsNotTakenForAnothersTransaction() throws {
        _ = try shelf.context()
        let replica = try primary.makeReplica()
        try primary.waitForReplicas()
        replica.stop()
        defer { replica.stop() }
        let last = Mutex<Int64>(0)
        let relay = try StatementRelay(
            to: primary,
            hasLost: { [primary] relay in
                relay.stopListening()
                primary.stop()
                do {
                    try replica.start()
                    try replica.promote()
                    let connection = try ServerConnection(ServerAddress(parsing: replica.address()))
                    let number = last.withLock { $0 }
                    while try connection.run("SELECT pg_current_xact_id()::text::bigint").integer(
                        0, column: 0)
                        <= number
                    {}
                } catch {
                    Issue.record(error)
                }
            })
        let context = try shelf.context(description(relay.folder, replica.folder))
        try context.performAndWait {
            func insert(_ title: String) {
                let book = NSEntityDescription.insertNewObject(forEntityName: "PrintedBook", into: context)
                book.setValue(title, forKey: "title")
            }
            insert("First")
            try context.save()
            // The first save has keys to ask for, the second one has as many statements as the third.
            insert("Second")
            relay.arm(nil)
            try context.save()
            let statements = relay.counts.statements
            // Nothing of this is in the replica, which doesn't run.
            insert("After")
            last.withLock {
                $0 = (try? count("SELECT pg_current_xact_id()::text::bigint + 1", on: primary)) ?? 0
            }
            relay.arm(.loseAnswer, at: statements)
            #expect(throws: NSError.self) { try context.save() }
            expect(relay.counts.hits, equals: 1)
            relay.arm(nil)
            try context.save()
        }
        try expect(count("SELECT count(*) FROM printed_book WHERE title = 'After'", on: replica), equals: 1)
    }
}
