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

    @Test(arguments: StoreKind.tracking)
    func anotherCoordinatorOnTheFileIsTold(_ kind: StoreKind) async throws {
        let writer = try HistoryFixture(on: kind, options: Self.posting)
        let reader = try HistoryFixture(beside: writer, options: Self.posting)
        let info = try await next(from: reader.coordinator) { try writer.saveNote("a") }
        expect(info.identifier, equals: reader.store.metadata[NSStoreUUIDKey] as? String)
        expect(info.url, equals: reader.url)
        let token = try reader.token()
        expect(info.token, equals: token)
    }

    @Test(arguments: StoreKind.tracking)
    func theCoordinatorThatSavedIsToldToo(_ kind: StoreKind) async throws {
        let writer = try HistoryFixture(on: kind, options: Self.posting)
        let info = try await next(from: writer.coordinator) { try writer.saveNote("a") }
        let token = try writer.token()
        expect(info.token, equals: token)
    }

    @Test(arguments: StoreKind.tracking)
    func batchesAreToldOf(_ kind: StoreKind) async throws {
        let writer = try HistoryFixture(on: kind, options: Self.posting)
        let info = try await next(from: writer.coordinator) {
            try writer.context.run { () throws in _ = try writer.context.batchInsert("Note", [["text": "a"]])
            }
        }
        let token = try writer.token()
        expect(info.token, equals: token)
    }

    @Test(arguments: StoreKind.tracking)
    func withoutTrackingThereIsNoToken(_ kind: StoreKind) async throws {
        let options: [AnyHashable: Any] = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
        let writer = try HistoryFixture(on: kind, options: options)
        let info = try await next(from: writer.coordinator) { try writer.saveNote("a") }
        #expect(info.identifier == writer.store.identifier && info.token == nil)
    }

    @Test(arguments: StoreKind.tracking)
    func withoutTrackingTooASaveIsToldOnce(_ kind: StoreKind) async throws {
        let options: [AnyHashable: Any] = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
        let writer = try HistoryFixture(on: kind, options: options)
        let reader = try HistoryFixture(beside: writer, options: options)
        let count = Atomic(0)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: reader.coordinator, queue: nil
        ) { _ in count.add(1, ordering: .relaxed) }
        defer { NotificationCenter.default.removeObserver(observer) }
        for number in 1...2 {
            _ = try await next(from: reader.coordinator) { try writer.saveNote("\(number)") }
            // The file is looked at three times and more meanwhile.
            try await Task.sleep(for: .milliseconds(400))
            expect(count.load(ordering: .relaxed), equals: number)
        }
    }

    @Test(arguments: StoreKind.tracking)
    func storesWithoutTheOptionAreNotTold(_ kind: StoreKind) async throws {
        let told = try HistoryFixture(on: kind, options: Self.posting)
        let untold = try HistoryFixture(beside: told)
        let count = Atomic(0)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: untold.coordinator, queue: nil
        ) { _ in count.add(1, ordering: .relaxed) }
        defer { NotificationCenter.default.removeObserver(observer) }
        // Notifications are posted in order: once the other one is there, none is to come for this one.
        _ = try await next(from: told.coordinator) { try told.saveNote("a") }
        _ = try await next(from: told.coordinator) { try told.saveNote("b") }
        expect(count.load(ordering: .relaxed), equals: 0)
    }

    /// Another process saves ten times; each save is merged here from the history that the notifications point to.
    @Test func savesOfAnotherProcessAreMerged() async throws {
        let reader = try HistoryFixture(options: Self.posting)
        let seen = Mutex<Set<String>>([])
        let token = Mutex<NSPersistentHistoryToken?>(nil)
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let context = reader.context
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: reader.coordinator, queue: nil
        ) { _ in
            context.performAndWait {
                let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token.withLock { $0 })
                let result = try? context.execute(request) as? NSPersistentHistoryResult
                for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
                    context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
                    token.withLock { $0 = transaction.token }
                    for change in transaction.changes ?? [] {
                        let note = context.object(with: change.changedObjectID)
                        seen.withLock { _ = $0.insert(note.value(forKey: "text") as? String ?? "") }
                    }
                }
            }
            continuation.yield()
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        async let other = #expect(processExitsWith: .success) { [path = reader.url.path as String] in
            try NoteWriter.run(path: path)
        }
        let expected = Set((1...10).map { "note \($0)" })
        for await _ in stream where seen.withLock({ $0 == expected }) { break }
        _ = await other
        expect(seen.withLock { $0 }, equals: expected)
    }
}

/// The work of the other process.
private enum NoteWriter {
    static func run(path: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
            options: HistoryFixture.tracking)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.run { () throws in
            for number in 1...10 {
                _ = context.make("Note", ["text": "note \(number)"])
                try context.save()
            }
        }
    }
}
