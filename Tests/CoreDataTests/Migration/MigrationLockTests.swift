// A migration's new store, which other threads may look at while it is written.

import CoreData
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct MigrationLockTests {
    private static func model(_ attributes: [String]) -> NSManagedObjectModel {
        let sale = NSEntityDescription("Sale", attributes.map { NSAttributeDescription($0, .string) })
        let element = NSFetchIndexElementDescription(property: sale.properties[0], collationType: .binary)
        sale.indexes = [NSFetchIndexDescription(name: "first", elements: [element])]
        let model = NSManagedObjectModel()
        model.entities = [sale]
        return model
    }

    /// A thread that ends what look-ups left has the coordinator's lock, and uses the store's connection.
    @Test func fetchIndexesAreMadeWithTheCoordinatorsLock() throws {
        let folder = try TemporaryFolder()
        let (old, new) = (folder.file("Old.sqlite"), folder.file("New.sqlite"))
        let (first, second) = (Self.model(["name"]), Self.model(["name", "more"]))
        let opened = try OpenStore(old, first)
        _ = opened.context.make("Sale", ["name": "a"])
        try opened.context.save()
        try opened.close()
        // The indexes that the new store has while another thread has the lock, after each save.
        let seen = Mutex<[Int]>([])
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
        ) { notification in
            guard let context = notification.object as? NSManagedObjectContext,
                let coordinator = context.persistentStoreCoordinator,
                coordinator.managedObjectModel.entitiesByName["Sale"]?.attributesByName["more"] != nil,
                let file = coordinator.persistentStores.first?.url
            else { return }
            let isHeld = DispatchSemaphore(value: 0)
            Thread {
                coordinator.performAndWait {
                    isHeld.signal()
                    // Time for the migration to go on without the lock.
                    usleep(300_000)
                    let count = try? RawDatabase(file).number(
                        "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND name LIKE '%first%'")
                    seen.withLock { $0.append(count ?? -1) }
                }
            }
            .start()
            isHeld.wait()
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let manager = NSMigrationManager(sourceModel: first, destinationModel: second)
        try manager.migrateStore(
            from: old, type: .sqlite,
            mapping: NSMappingModel.inferredMappingModel(forSourceModel: first, destinationModel: second),
            to: new, type: .sqlite)
        let counts = seen.withLock { $0 }
        #expect(!counts.isEmpty && counts.allSatisfy { $0 == 0 }, "\(counts)")
        try expect(
            RawDatabase(new).number(
                "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND name LIKE '%first%'"), equals: 1)
    }
}
