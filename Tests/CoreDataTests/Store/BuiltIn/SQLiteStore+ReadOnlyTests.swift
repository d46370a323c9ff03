// Stores that are only read while somebody else writes to them.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// A store that nobody has open, a writer that comes later, and a reader that was there before.
struct SQLiteStoreReadOnlyTests {
    private let folder: TemporaryFolder
    private let reader: NSPersistentStoreCoordinator
    private let context: NSManagedObjectContext
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("Shared.sqlite")
        try Self.write(to: url) { _ = $0.make("Note", ["text": "first"]) }
        reader = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        try reader.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [
                NSReadOnlyPersistentStoreOption: true,
                NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
            ])
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = reader
    }

    /// Saves what the closure does with a coordinator of its own, and closes the file.
    private static func write(to url: URL, _ body: (NSManagedObjectContext) throws -> Void) throws {
        let (coordinator, context) = try open(url)
        try context.run { () throws in
            try body(context)
            try context.save()
        }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    private static func open(_ url: URL) throws -> (NSPersistentStoreCoordinator, NSManagedObjectContext) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return (coordinator, context)
    }

    private func texts() throws -> [String] {
        try context.run { () throws in
            try context.all("Note").compactMap { $0.value(forKey: "text") as? String }.sorted()
        }
    }

    @Test func aReaderSeesWhatAWriterThatCameLaterSaves() throws {
        try expect(texts(), equals: ["first"])
        let (coordinator, writer) = try Self.open(url)
        for text in ["second", "third"] {
            try writer.run { () throws in
                _ = writer.make("Note", ["text": text])
                try writer.save()
            }
            #expect(try texts().contains(text))
        }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        try expect(texts(), equals: ["first", "second", "third"])
        try Self.write(to: url) { _ = $0.make("Note", ["text": "fourth"]) }
        try expect(texts().count, equals: 4)
    }

    @Test func aFaultIsReadAsItIsByThen() throws {
        let note = try #require(try context.run { () throws in try context.all("Note").first })
        context.performAndWait { context.refresh(note, mergeChanges: false) }
        try Self.write(to: url) { try $0.all("Note").first?.setValue("changed", forKey: "text") }
        expect(context.performAndWait { note.value(forKey: "text") as? String }, equals: "changed")
    }

    @Test func aReaderIsToldOfSaves() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: reader, queue: nil
        ) { _ in continuation.yield() }
        defer { NotificationCenter.default.removeObserver(observer) }
        async let other = #expect(processExitsWith: .success) { [path = url.path as String] in
            try SQLiteStoreReadOnlyTests.write(to: URL(fileURLWithPath: path)) {
                _ = $0.make("Note", ["text": "other"])
            }
        }
        for await _ in stream where try texts() == ["first", "other"] { break }
        _ = await other
        try expect(texts(), equals: ["first", "other"])
    }

    /// The pages of a file that nobody else had open aren't locked: written over, they must not be taken for the old ones.
    @Test func aGenerationOfAFileThatIsWrittenOverEnds() throws {
        // Not one that listens: that would open the file anew at once, and keep the log from being emptied.
        let (_, context) = try withReader()
        func texts() throws -> [String] {
            try context.run { () throws in
                try context.all("Note").compactMap { $0.value(forKey: "text") as? String }.sorted()
            }
        }
        for store in reader.persistentStores { try reader.remove(store) }
        try context.run { () throws in try context.setQueryGenerationFrom(.current) }
        try expect(texts(), equals: ["first"])
        let (coordinator, writer) = try Self.open(url)
        try writer.run { () throws in
            _ = writer.make("Note", ["text": "second"])
            try writer.save()
        }
        let results = try context.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: true)]
            return try context.fetchBatched(request)
        }
        // In the log only.
        try expect(texts(), equals: ["first"])
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let error = #expect(throws: NSError.self) { try texts() }
        expect(error?.code, equals: NSPersistentStoreOperationError)
        context.performAndWait { () -> Void in
            #expect(throws: NSError.self) { try results.load(at: 0) }
        }
        try context.run { () throws in try context.setQueryGenerationFrom(.current) }
        try expect(texts(), equals: ["first", "second"])
    }

    @Test func aWriterThatWasThereBeforeIsReadWithLocks() throws {
        let (_, writer) = try Self.open(url)
        try writer.run { () throws in try expect(writer.all("Note").count, equals: 1) }
        let (_, context) = try withReader()
        try context.run { () throws in
            try context.setQueryGenerationFrom(.current)
            try expect(context.all("Note").count, equals: 1)
        }
        for number in 1...50 {
            try writer.run { () throws in
                _ = writer.make("Note", ["text": String(repeating: "\(number)", count: 100_000)])
                try writer.save()
            }
        }
        try context.run { () throws in
            try expect(context.all("Note").count, equals: 1)
            try context.setQueryGenerationFrom(nil)
            try expect(context.all("Note").count, equals: 51)
        }
    }

    private func withReader() throws -> (NSPersistentStoreCoordinator, NSManagedObjectContext) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSReadOnlyPersistentStoreOption: true])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return (coordinator, context)
    }
}
