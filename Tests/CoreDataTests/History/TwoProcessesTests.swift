// Two processes that save to one file: what each sees of the other's work.

import CoreData
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

struct TwoProcessesTests {
    fileprivate static var options: [AnyHashable: Any] {
        [
            NSPersistentHistoryTrackingKey: true,
            NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
        ]
    }

    /// Inserts, changes, deletions and batches of another process, at full speed.
    @Test func whatAnotherProcessDoesIsMerged() async throws {
        let reader = try HistoryFixture(options: Self.options)
        let path = reader.url.path
        for number in 1...20 { try reader.saveNote("old \(number)") }
        let context = reader.context
        let held = try context.run { () throws in try context.all("Note") }
        context.performAndWait { for note in held { _ = note.value(forKey: "text") } }
        let merger = HistoryMerger(reader)
        defer { merger.stop() }
        async let other = #expect(processExitsWith: .success) { [path = path as String] in
            try OtherWriter(path).work(saves: 100)
        }
        try await merger.wait { texts in texts.contains("end") }
        _ = await other
        // The fetch that found the last row may have seen more than the history that was merged before it.
        merger.merge()
        try context.run { () throws in
            let fresh = try HistoryFixture(beside: reader)
            let expected = try fresh.context.run { () throws in try OtherWriter.texts(fresh.context) }
            expect(expected.count, equals: 163)
            try expect(OtherWriter.texts(context), equals: expected)
            // Those that were held are as the other process left them.
            for note in held {
                let id = note.objectID
                let theirs = try fresh.context.run { () throws -> String? in
                    let found = try? fresh.context.existingObject(with: id)
                    return found?.value(forKey: "text") as? String
                }
                if let theirs {
                    expect(note.value(forKey: "text") as? String, equals: theirs)
                } else {
                    #expect(note.isDeleted || note.managedObjectContext == nil)
                }
            }
        }
    }

    /// Nobody's save is lost, and nobody fails, where both write without pause.
    @Test func bothMayWriteWithoutPause() async throws {
        let own = try HistoryFixture(options: Self.options)
        let path = own.url.path
        async let other = #expect(processExitsWith: .success) { [path = path as String] in
            let writer = try OtherWriter(path)
            for number in 1...100 { try writer.insert("theirs \(number)") }
        }
        for number in 1...100 { try own.saveNote("ours \(number)") }
        _ = await other
        let texts = try own.context.run { () throws in try OtherWriter.texts(own.context) }
        #expect(texts.count == 200 && texts.filter { $0.hasPrefix("ours") }.count == 100)
        let history = try own.transactions()
        expect(history.count, equals: 200)
        #expect(history.allSatisfy { $0.changes?.count == 1 })
        expect(history.map(\.transactionNumber), equals: (1...200).map { Int64($0) })
    }

    /// A file that somebody puts in the place of the open one isn't written to.
    @Test func aFileThatReplacesAnOpenOneIsNoticed() throws {
        let own = try HistoryFixture(options: Self.options)
        try own.saveNote("mine")
        let other = try HistoryFixture(options: Self.options)
        try other.saveNote("another store's")
        try other.coordinator.remove(other.store)
        expect(rename(other.url.path, own.url.path), equals: 0)
        let error = #expect(throws: NSError.self) { try own.saveNote("lost") }
        expect(error?.code, equals: NSFileReadNoSuchFileError)
    }
}

/// Merges what the history says whenever the coordinator is told of a save.
private final class HistoryMerger {
    private let stream: AsyncStream<Set<String>>
    private let observer: any NSObjectProtocol
    private let merged: @Sendable () -> Set<String>

    init(_ fixture: HistoryFixture) {
        let context = fixture.context
        let (stream, continuation) = AsyncStream.makeStream(of: Set<String>.self)
        self.stream = stream
        let token = Mutex<NSPersistentHistoryToken?>(
            fixture.coordinator.currentPersistentHistoryToken(fromStores: nil))
        let merged = { @Sendable () -> Set<String> in
            context.performAndWait { () -> Set<String> in
                let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token.withLock { $0 })
                let result = try? context.execute(request) as? NSPersistentHistoryResult
                for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
                    context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
                    token.withLock { $0 = transaction.token }
                }
                return Set((try? OtherWriter.texts(context)) ?? [])
            }
        }
        self.merged = merged
        observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: fixture.coordinator, queue: nil
        ) { _ in continuation.yield(merged()) }
    }

    /// Merges what no notification has told yet.
    func merge() { _ = merged() }

    /// Until what is in the store fulfils the condition.
    func wait(_ isDone: (Set<String>) -> Bool) async throws {
        for await texts in stream where isDone(texts) { return }
    }

    func stop() { NotificationCenter.default.removeObserver(observer) }
}

/// The work of the other process.
private final class OtherWriter {
    let context: NSManagedObjectContext

    init(_ path: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
            options: TwoProcessesTests.options)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    static func texts(_ context: NSManagedObjectContext) throws -> [String] {
        try context.all("Note").compactMap { $0.value(forKey: "text") as? String }.sorted()
    }

    func insert(_ text: String) throws {
        try context.run { () throws in
            _ = context.make("Note", ["text": text])
            try context.save()
        }
    }

    /// Of twenty old notes every second one is changed and a quarter deleted; then batches do their part.
    func work(saves: Int) throws {
        for number in 1...saves {
            try insert("new \(number)")
            if number > 20 { continue }
            try context.run { () throws in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
                request.predicate = NSPredicate(format: "text == %@", "old \(number)")
                guard let note = try context.fetch(request).first else { return }
                if number % 4 == 0 {
                    context.delete(note)
                } else if number % 2 == 0 {
                    note.setValue("changed \(number)", forKey: "text")
                }
                try context.save()
            }
        }
        try context.run { () throws in
            _ = try context.batchInsert("Note", (1...50).map { ["text": "batch \($0)"] })
            _ = try context.batchUpdate("Note", "text == 'old 1'", ["text": "updated"])
            _ = try context.batchDelete("Note", "text == 'old 3' OR text == 'new 1' OR text == 'new 2'")
        }
        try insert("end")
    }
}
