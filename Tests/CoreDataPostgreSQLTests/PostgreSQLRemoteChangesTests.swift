// Notifications of others' saves.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLRemoteChangesTests {
    private let shelf: Shelf

    init() throws { shelf = try Shelf() }

    private func posting(every interval: Double? = nil) throws -> NSManagedObjectContext {
        let description = shelf.description(
            with: NSPersistentHistoryTrackingKey, NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        if let interval {
            description.setOption(
                NSNumber(value: interval), forKey: PostgreSQLStore.remoteChangeIntervalOption)
        }
        return try shelf.context(description)
    }

    /// Tokens of a coordinator's notifications. Unchecked because nothing in it changes.
    private final class Observer: @unchecked Sendable {
        private let tokens: AsyncStream<NSPersistentHistoryToken?>
        private let observer: any NSObjectProtocol

        init(_ context: NSManagedObjectContext) {
            let (stream, continuation) = AsyncStream.makeStream(of: NSPersistentHistoryToken?.self)
            tokens = stream
            observer = NotificationCenter.default.addObserver(
                forName: .NSPersistentStoreRemoteChange, object: context.persistentStoreCoordinator,
                queue: nil
            ) {
                continuation.yield($0.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
            }
        }

        deinit { NotificationCenter.default.removeObserver(observer) }

        func next() async -> NSPersistentHistoryToken? {
            var iterator = tokens.makeAsyncIterator()
            return await iterator.next() ?? nil
        }
    }

    private func current(_ context: NSManagedObjectContext) -> NSPersistentHistoryToken? {
        context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
    }

    private func saveTag(_ name: String, _ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
                .setValue(name, forKey: "name")
            try context.save()
        }
    }

    @Test func aServerWithoutListenIsAsked() async throws {
        let (writer, reader) = (try posting(every: 0.05), try posting(every: 0.05))
        let observer = Observer(reader)
        try saveTag("a", writer)
        await expect(observer.next(), equals: current(reader))
        try expect(
            shelf.rows(
                "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND query LIKE '%\(shelf.schema)%'"
            ), equals: ["0"])
    }

    @Test func askingNeedsAHistory() throws {
        let description = shelf.description(with: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        description.setOption(NSNumber(value: 1), forKey: PostgreSQLStore.remoteChangeIntervalOption)
        let error = try #require(throws: NSError.self) { try shelf.context(description) }
        expect(error.localizedFailureReason?.contains("NSPersistentHistoryTrackingKey"), equals: true)
    }

    @Test func aConnectionThatIsLostIsMadeAnew() async throws {
        let (writer, reader) = (try posting(), try posting())
        let observer = Observer(reader)
        try saveTag("a", writer)
        await expect(observer.next(), equals: current(reader))
        _ = try shelf.rows(
            """
            SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity \
            WHERE application_name = '\(shelf.schema)'
            """)
        // The writer's own connection is lost as well, which one request tells.
        try? saveTag("b", writer)
        writer.performAndWait { writer.reset() }
        try saveTag("c", writer)
        let token = await observer.next()
        #expect(token != nil)
    }

    /// A save is told of once nothing can come before it any more.
    @Test func aSaveBehindAnUnfinishedOneIsToldOfLater() async throws {
        let (late, early, reader) = (try posting(), try posting(), try posting())
        try shelf.fill(late)
        let observer = Observer(reader)
        let (locker, saving) = try await shelf.saveThatWaits(late)
        try saveTag("early", early)
        try locker.run("COMMIT")
        try await saving.value
        while await observer.next() != current(early) {}
    }

    @Test func closedStoresHearNothing() async throws {
        let (writer, reader) = (try posting(), try posting())
        let coordinator = try #require(reader.persistentStoreCoordinator)
        try coordinator.remove(coordinator.persistentStores[0])
        try saveTag("a", writer)
        let query =
            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN \"coredata_\(shelf.schema)%'"
        while try shelf.rows(query) == ["2"] { try await Task.sleep(for: .milliseconds(10)) }
    }
}
