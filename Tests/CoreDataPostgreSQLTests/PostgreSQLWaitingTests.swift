// Waiting for a server ends when it should.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLWaitingTests {
    private let shelf: Shelf

    init() throws { shelf = try Shelf() }

    private static func rename(_ context: NSManagedObjectContext) throws {
        let author = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))[0]
        author.setValue("Mary", forKey: "name")
        try context.save()
    }

    @Test func aLockIsWaitedForAsLongAsTheOptionSays() throws {
        let description = shelf.description()
        description.setOption(NSNumber(value: 0.05), forKey: NSPersistentStoreTimeoutOption)
        let context = try shelf.context(description)
        try shelf.fill(context)
        let locker = try shelf.connection()
        try locker.run("BEGIN")
        try locker.run("SELECT 1 FROM author FOR UPDATE")
        let error = try #require(throws: NSError.self) {
            try context.performAndWait { try Self.rename(context) }
        }
        expect(error.code, equals: NSPersistentStoreTimeoutError)
        try locker.run("COMMIT")
        try context.performAndWait { try context.save() }
        try expect(shelf.rows("SELECT name FROM author"), equals: ["Mary"])
    }

    @Test func statementsTakeAsLongAsTheAddressSays() throws {
        try shelf.fill(try shelf.context())
        let address = shelf.server.address("postgres", "&options=-c%20statement_timeout%3D50")
        let context = try shelf.context(
            NSPersistentStoreDescription(postgreSQL: address, schema: shelf.schema))
        let locker = try shelf.connection()
        try locker.run("BEGIN")
        try locker.run("LOCK TABLE author IN ACCESS EXCLUSIVE MODE")
        let error = try #require(throws: NSError.self) {
            try context.performAndWait { try Self.rename(context) }
        }
        expect(error.userInfo[PostgreSQLStore.sqlStateKey] as? String, equals: "57014")
        try locker.run("COMMIT")
        try context.performAndWait { try Self.rename(context) }
    }

    @Test func aConnectionThatEndedBetweenRequestsFailsNone() throws {
        let context = try shelf.context(shelf.description(with: NSPersistentHistoryTrackingKey))
        try shelf.fill(context)
        let killer = try shelf.connection()
        try killer.run(
            """
            SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
            WHERE application_name = '\(shelf.schema)' AND pid <> pg_backend_pid()
            """)
        try context.performAndWait { try Self.rename(context) }
        try expect(shelf.rows("SELECT name FROM author"), equals: ["Mary"])
    }
}
