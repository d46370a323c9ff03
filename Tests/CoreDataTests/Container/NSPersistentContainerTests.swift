// Containers: model, coordinator and contexts in one.

import CoreData
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct NSPersistentContainerTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func container() -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "People", managedObjectModel: StoreFixtures.model())
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: folder.file("People.sqlite"))
        ]
        return container
    }

    @Test func storesAreLoadedBeforeTheCallReturns() throws {
        let container = container()
        var loaded: [URL?] = []
        container.loadPersistentStores { description, error in
            #expect(error == nil)
            loaded.append(description.url)
        }
        expect(loaded, equals: [folder.file("People.sqlite")])
        expect(container.persistentStoreCoordinator.persistentStores.count, equals: 1)
        expect(container.viewContext.concurrencyType, equals: .mainQueueConcurrencyType)
        #expect(container.viewContext.persistentStoreCoordinator === container.persistentStoreCoordinator)
        expect(container.newBackgroundContext().concurrencyType, equals: .privateQueueConcurrencyType)
    }

    @Test func storesCanBeLoadedLater() async throws {
        let container = container()
        container.persistentStoreDescriptions[0].shouldAddStoreAsynchronously = true
        let failed = await withCheckedContinuation { continuation in
            container.loadPersistentStores { _, error in continuation.resume(returning: error != nil) }
        }
        #expect(!failed)
        expect(container.persistentStoreCoordinator.persistentStores.count, equals: 1)
    }

    @Test func theErrorOfAStoreIsHandedOver() throws {
        try Data("not a store, but a text of some length".utf8).write(to: folder.file("People.sqlite"))
        var code: Int?
        container().loadPersistentStores { _, error in code = (error as NSError?)?.code }
        expect(code, equals: NSFileReadCorruptFileError)
    }

    @Test func backgroundTasksHaveContextsOfTheirOwn() async throws {
        let container = container()
        container.loadPersistentStores { _, _ in }
        let count = try await container.performBackgroundTask { context in
            _ = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            try context.save()
            return try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person"))
        }
        expect(count, equals: 1)
        await withCheckedContinuation { continuation in
            container.performBackgroundTask { context in
                #expect(context !== container.viewContext)
                continuation.resume()
            }
        }
    }

    @MainActor @Test func backgroundTasksAreWrittenOnTheMainActor() async throws {
        let container = container()
        container.loadPersistentStores { _, _ in }
        let name = "Person"
        let count = try await container.performBackgroundTask { context in
            #expect(!Thread.isMainThread)
            return try context.count(for: NSFetchRequest<NSManagedObject>(entityName: name))
        }
        expect(count, equals: 0)
        expect(try await Counter(container: container).count(name), equals: 0)
    }

    /// An actor whose methods write closures for other queues.
    private actor Counter {
        let container: NSPersistentContainer

        init(container: NSPersistentContainer) { self.container = container }

        nonisolated func request(_ name: String) -> NSFetchRequest<NSManagedObject> {
            .init(entityName: name)
        }

        func count(_ name: String) async throws -> Int {
            try await container.performBackgroundTask { try $0.count(for: self.request(name)) }
        }
    }

    @Test func theDefaultStoreLiesInTheDefaultFolder() throws {
        FolderContainer.folder.withLock { $0 = folder.file("data") }
        let container = FolderContainer(name: "People", managedObjectModel: StoreFixtures.model())
        let url = try #require(container.persistentStoreDescriptions.first?.url)
        expect(url.path, equals: folder.file("data/People.sqlite").path)
        container.loadPersistentStores { _, error in #expect(error == nil) }
        #expect(FileManager.default.fileExists(atPath: url.path))
        #expect(NSPersistentContainer.defaultDirectoryURL().path.hasPrefix("/"))
    }

    @Test func aModelThatIsMissingIsReportedByName() throws {
        let container = NSPersistentContainer(name: "NoSuchModel")
        var found: NSError?
        container.loadPersistentStores { _, error in found = error as NSError? }
        expect(found?.code, equals: NSFileReadNoSuchFileError)
        expect(found?.localizedDescription.contains("NoSuchModel"), equals: true)
    }
}

/// A container whose folder the test chooses.
private final class FolderContainer: NSPersistentContainer, @unchecked Sendable {
    static let folder = Mutex<URL>(URL(fileURLWithPath: "/dev/null"))
    override class func defaultDirectoryURL() -> URL { folder.withLock { $0 } }
}
