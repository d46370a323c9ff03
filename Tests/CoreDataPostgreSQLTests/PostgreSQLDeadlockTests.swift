// Saves that the server ends for the sake of others.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLDeadlockTests {
    /// A save locks books, then waits for the tag that another session has, which waits for a book.
    private func deadlock(
        _ shelf: Shelf, _ body: @escaping @Sendable (NSManagedObjectContext) throws -> Void
    ) async throws {
        let context = try shelf.context(shelf.description(with: NSPersistentHistoryTrackingKey))
        try shelf.fill(context)
        let rival = try shelf.connection()
        try rival.run("SET deadlock_timeout = '1h'")
        try rival.run("SET lock_timeout = '1min'")
        try rival.run("BEGIN")
        try rival.run("SELECT 1 FROM tag FOR UPDATE")
        let saving = Task { try await context.perform { try body(context) } }
        try await shelf.waitForWaiting()
        // The save's session finds the deadlock, and is ended. A session looks for one once, some time after it began to wait.
        try rival.run("SELECT 1 FROM printed_book FOR UPDATE")
        try rival.run("COMMIT")
        try await saving.value
    }

    @Test func aSaveIsTriedAgain() async throws {
        var setup = PostgreSQLServer.Setup()
        setup.settings = ["deadlock_timeout=5s"]
        let server = try PostgreSQLServer.own(setup)
        defer { server.stop() }
        let shelf = Shelf(on: server)
        try await deadlock(shelf) { context in
            for entity in ["PrintedBook", "Tag"] {
                for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)) {
                    object.setValue(
                        "\(entity) \(object.objectID)", forKey: entity == "Tag" ? "name" : "title")
                }
            }
            try context.save()
        }
        try expect(shelf.rows("SELECT count(*) FROM printed_book WHERE title LIKE 'Printed%'"), equals: ["2"])
        try expect(shelf.rows("SELECT name LIKE 'Tag%', object_version FROM tag"), equals: ["1|2"])
        let deadlocks = try shelf.rows(
            "SELECT count(*) FROM coredata_\(shelf.schema).history_transaction")
        expect(deadlocks, equals: ["2"])
    }

    /// A rule of the store's own tables: PostgreSQL tells a conflict each time.
    @Test func aSaveIsGivenUpAfterSomeTimes() throws {
        let shelf = try Shelf()
        let context = try shelf.context()
        _ = try shelf.rows("CREATE SEQUENCE tries")
        _ = try shelf.rows(
            """
            CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS \
            'BEGIN PERFORM nextval(''tries''); RAISE serialization_failure; END'
            """)
        _ = try shelf.rows("CREATE TRIGGER fail BEFORE INSERT ON tag FOR EACH ROW EXECUTE FUNCTION fail()")
        let error = try #require(throws: NSError.self) {
            try context.performAndWait {
                NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
                    .setValue("a", forKey: "name")
                try context.save()
            }
        }
        expect(error.userInfo[PostgreSQLStore.sqlStateKey] as? String, equals: "40001")
        try expect(shelf.rows("SELECT last_value FROM tries"), equals: ["4"])
        try expect(shelf.rows("SELECT count(*) FROM tag"), equals: ["0"])
    }
}
