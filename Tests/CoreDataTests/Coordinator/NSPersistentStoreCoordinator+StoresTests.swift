// Adding stores by descriptions, moving their URLs, and requests to the coordinator itself.

import CoreData
import CoreDataTestSupport
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite struct CoordinatorStoresTests {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.sqlite")
    }

    private func names(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
        let context = StoreFixtures.context(coordinator)
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.run { () throws in
            let found = try #require(try coordinator.execute(request, with: context) as? [NSManagedObject])
            return found.compactMap { $0.text("name") }
        }
    }

    @Test func aDescriptionIsAddedBeforeTheCallReturns() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreFixtures.model())
        let description = NSPersistentStoreDescription(url: url)
        description.isReadOnly = true
        var errors: [NSError?] = []
        coordinator.addPersistentStore(with: description) {
            errors.append($1 as NSError?); _ = $0
        }
        #expect(errors.count == 1 && errors[0]?.code == NSFileReadNoSuchFileError)
        description.isReadOnly = false
        coordinator.addPersistentStore(with: description) { added, error in
            #expect(added === description && error == nil)
            expect(coordinator.persistentStores.count, equals: 1)
            errors.append(nil)
        }
        #expect(errors.count == 2 && coordinator.persistentStores.first?.url == url)
    }

    @Test func aDescriptionIsAddedLaterIfItSaysSo() {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreFixtures.model())
        let description = NSPersistentStoreDescription(url: url)
        description.shouldAddStoreAsynchronously = true
        let done = DispatchSemaphore(value: 0)
        let failures = Mutex(0)
        coordinator.lock()
        coordinator.addPersistentStore(with: description) { _, error in
            if error != nil { failures.withLock { $0 += 1 } }
            done.signal()
        }
        #expect(coordinator.persistentStores.isEmpty)
        coordinator.unlock()
        done.wait()
        #expect(failures.withLock { $0 } == 0 && coordinator.persistentStores.count == 1)
    }

    @Test func aStoreMayBeReadFromAnotherFile() throws {
        let (coordinator, store) = try StoreFixtures.open(url)
        try StoreFixtures.save(["Ada"], to: coordinator)
        let other = folder.file("other.sqlite")
        #expect(!coordinator.setURL(other, for: store))
        expect(coordinator.url(for: store), equals: url)
        try expect(names(coordinator), equals: ["Ada"])
        let (second, there) = try StoreFixtures.open(other)
        try StoreFixtures.save(["Bob", "Cyd"], to: second)
        #expect(!coordinator.setURL(other, for: there))
        try second.remove(there)
        #expect(coordinator.setURL(other, for: store))
        expect(coordinator.url(for: store), equals: other)
        try expect(names(coordinator), equals: ["Bob", "Cyd"])
    }

    @Test func theCoordinatorExecutesFetchesOnly() throws {
        let (coordinator, _) = try StoreFixtures.open(url)
        try StoreFixtures.save(["Ada"], to: coordinator)
        try expect(names(coordinator), equals: ["Ada"])
        let context = StoreFixtures.context(coordinator)
        let save = NSSaveChangesRequest(inserted: nil, updated: nil, deleted: nil, locked: nil)
        let error = StoreFixtures.error { _ = try coordinator.execute(save, with: context) }
        expect(error?.code, equals: NSPersistentStoreUnsupportedRequestTypeError)
    }

    @Test func theDescriptionNamesTheCoordinator() throws {
        let (coordinator, _) = try StoreFixtures.open(url)
        coordinator.name = "Library"
        #expect(coordinator.description.contains("Library 1 stores"))
    }
}
