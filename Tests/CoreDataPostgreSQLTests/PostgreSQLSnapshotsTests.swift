// Query generations that the server ends.

import CoreData
import CoreDataPostgreSQL
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLSnapshotsTests {
    private let shelf: Shelf
    private let relay: StatementRelay
    private let authors = NSFetchRequest<NSManagedObject>(entityName: "Author")

    init() throws {
        shelf = try Shelf()
        relay = try StatementRelay(to: shelf.server)
    }

    /// A context whose store's connections go through the relay.
    private func context() throws -> NSManagedObjectContext {
        try shelf.context(
            NSPersistentStoreDescription(
                postgreSQL:
                    "host=\(relay.folder) user=tester dbname=postgres tcp_user_timeout=3000 "
                    + "application_name=\(shelf.schema)",
                schema: shelf.schema))
    }

    private static let keepers =
        "FROM pg_stat_activity WHERE state = 'idle in transaction' AND application_name ="

    /// Ends the transaction that keeps the state, as the server does after `idle_in_transaction_session_timeout`.
    ///
    /// - Parameter isTold: whether the connection ends with it, as it does a moment later.
    private func endState(isTold: Bool) throws {
        let processes = try shelf.rows("SELECT pid \(Self.keepers) '\(shelf.schema)'")
        let process = try #require(processes.first.flatMap { Int32($0) })
        if !isTold { relay.hold(backend: process) }
        try expect(shelf.rows("SELECT pg_terminate_backend(\(process), 60000)::text"), equals: ["true"])
    }

    @Test(arguments: [true, false]) func aGenerationThatTheServerEndedHasExpired(isTold: Bool) throws {
        let context = try context()
        defer { relay.arm(nil) }
        try context.performAndWait {
            try context.setQueryGenerationFrom(.current)
            try expect(context.count(for: authors), equals: 0)
            try endState(isTold: isTold)
            for _ in 0..<2 {
                let error = #expect(throws: NSError.self) { try context.count(for: authors) }
                expect(error?.code, equals: NSPersistentStoreOperationError)
                #expect(
                    error?.localizedFailureReason?.contains("idle_in_transaction_session_timeout") == true)
            }
            try context.setQueryGenerationFrom(.current)
            try expect(context.count(for: authors), equals: 0)
        }
    }

    /// Nothing is written in between: the new generation would be the same state.
    @Test func aNewGenerationIsNoneThatTheServerEnded() throws {
        let first = try context()
        let second = NSManagedObjectContext(.privateQueue)
        second.persistentStoreCoordinator = first.persistentStoreCoordinator
        defer { relay.arm(nil) }
        try first.performAndWait {
            try first.setQueryGenerationFrom(.current)
            try expect(first.count(for: authors), equals: 0)
        }
        try endState(isTold: false)
        try second.performAndWait {
            try second.setQueryGenerationFrom(.current)
            try expect(second.count(for: authors), equals: 0)
        }
    }
}
