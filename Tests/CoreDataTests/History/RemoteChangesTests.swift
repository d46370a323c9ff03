// Coordinators hear of what others save to their files.

import CoreData
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

struct RemoteChangesTests {
    private static var posting: [AnyHashable: Any] {
        [
            NSPersistentHistoryTrackingKey: true,
            NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
        ]
    }

    /// The user info of what a coordinator posts next.
    private func next(
        from coordinator: NSPersistentStoreCoordinator, _ body: () throws -> Void
    ) async throws -> Notice {
        let (stream, continuation) = AsyncStream.makeStream(of: Notice.self)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) {
            continuation.yield(
                Notice(
                    identifier: $0.userInfo?[NSStoreUUIDKey] as? String,
                    url: $0.userInfo?[NSPersistentStoreURLKey] as? URL,
                    token: $0.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken))
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try body()
        var notices = stream.makeAsyncIterator()
        return try #require(await notices.next())
    }

    private struct Notice: Sendable {
        let identifier: String?
        let url: URL?
        let token: NSPersistentHistoryToken?
    }

    @Test func anotherCoordinatorOnTheFileIsTold() async throws {
        let writer = try HistoryFixture(options: Self.posting)
        let reader = try HistoryFixture(beside: writer, options: Self.posting)
        let info = try await next(from: reader.coordinator) { try writer.saveNote("a") }
        #expect(info.identifier == reader.store.metadata[NSStoreUUIDKey] as? String)
        #expect(info.url == reader.url)
        let token = try reader.token()
        #expect(info.token == token)
    }

    @Test func theCoordinatorThatSavedIsToldToo() async throws {
        let writer = try HistoryFixture(options: Self.posting)
        let info = try await next(from: writer.coordinator) { try writer.saveNote("a") }
        let token = try writer.token()
        #expect(info.token == token)
    }

    @Test func batchesAreToldOf() async throws {
        let writer = try HistoryFixture(options: Self.posting)
        let info = try await next(from: writer.coordinator) {
            try writer.context.run { () throws in _ = try writer.context.batchInsert("Note", [["text": "a"]])
            }
        }
        let token = try writer.token()
        #expect(info.token == token)
    }

    @Test func withoutTrackingThereIsNoToken() async throws {
        let options: [AnyHashable: Any] = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
        let writer = try HistoryFixture(options: options)
        let info = try await next(from: writer.coordinator) { try writer.saveNote("a") }
        #expect(info.identifier == writer.store.identifier && info.token == nil)
    }

    @Test func storesWithoutTheOptionAreNotTold() async throws {
        let told = try HistoryFixture(options: Self.posting)
        let untold = try HistoryFixture(beside: told)
        let count = Atomic(0)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: untold.coordinator, queue: nil
        ) { _ in count.add(1, ordering: .relaxed) }
        defer { NotificationCenter.default.removeObserver(observer) }
        // Notifications are posted in order: once the other one is there, none is to come for this one.
        _ = try await next(from: told.coordinator) { try told.saveNote("a") }
        _ = try await next(from: told.coordinator) { try told.saveNote("b") }
        #expect(count.load(ordering: .relaxed) == 0)
    }
}
