// Contexts that read from a replica, with a replica that the test starts.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLReplicaTests {
    private func count(_ context: NSManagedObjectContext) throws -> Int {
        try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")).count
        }
    }

    @Test func contextsReadFromItAsFarAsItFollows() throws {
        let primary = try PostgreSQLServer.own()
        let shelf = Shelf(on: primary)
        let writer = try shelf.context()
        try shelf.fill(writer)
        let replica = try primary.makeReplica()
        // A replica tells its lag by the last transaction that it replayed.
        try shelf.connection().run("CREATE TABLE marker ()")
        let description = NSPersistentStoreDescription(
            postgreSQL: primary.address(), schema: shelf.schema, replica: replica.address())
        let patient = try shelf.context(description)
        patient.readFrom = .replica(maximumLag: 600)
        let coordinator = try #require(patient.persistentStoreCoordinator)
        let strict = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        strict.persistentStoreCoordinator = coordinator
        expect(strict.readFrom, equals: .store)
        strict.readFrom = .replica(maximumLag: 0)
        try primary.waitForReplicas()
        try expect(count(patient), equals: 2)

        // What is written while the replica stands still is seen by who accepts no lag.
        let follower = try ServerConnection(ServerAddress(parsing: replica.address()))
        try follower.run("SELECT pg_wal_replay_pause()")
        while try follower.run("SELECT (pg_get_wal_replay_pause_state() = 'paused')::int::bigint").integer(
            0, column: 0) == 0
        {
            usleep(10_000)
        }
        try writer.performAndWait {
            let book = NSEntityDescription.insertNewObject(forEntityName: "PrintedBook", into: writer)
            book.setValue("Mathilda", forKey: "title")
            try writer.save()
        }
        while try follower.run(
            "SELECT (pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn())::int::bigint"
        ).integer(0, column: 0) == 0 { usleep(10_000) }
        try expect(count(patient), equals: 2)
        try expect(count(strict), equals: 3)
        patient.readFrom = .store
        try expect(count(patient), equals: 3)
        patient.readFrom = .replica(maximumLag: 600)

        // A save goes to the server itself, and reads there what it wrote.
        try patient.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
            request.predicate = NSPredicate(format: "title == ''")
            let book = try #require(try patient.fetch(request).first)
            book.setValue(4, forKey: "pageCount")
            try patient.save()
        }
        try expect(shelf.rows("SELECT page_count FROM printed_book WHERE title = ''"), equals: ["4"])
        try follower.run("SELECT pg_wal_replay_resume()")
        try primary.waitForReplicas()
        #expect(try count(patient) == 3 && count(strict) == 3)

        // Without the replica the server is read.
        replica.stop()
        try expect(count(patient), equals: 3)
    }

    @Test func anAddressThatCannotBeReadIsAnError() throws {
        let shelf = try Shelf()
        let description = NSPersistentStoreDescription(
            postgreSQL: shelf.server.address(), schema: shelf.schema, replica: "postgresql://%%%:secret@x")
        let error = try #require(throws: NSError.self) { try shelf.context(description) }
        expect(error.localizedFailureReason?.contains("replica"), equals: true)
        let hidden = NSPersistentStoreDescription(
            postgreSQL: shelf.server.address(), replica: "postgresql://app:secret@replica.example/db")
        #expect(!"\(hidden.options)".contains("secret") && "\(hidden.options)".contains("replica.example"))
    }
}
