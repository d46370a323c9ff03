// Stores of the library's first version, and their migration by the mapping model.

import CoreData
import Foundation

extension LibraryModels {
    static func open(
        _ url: URL, _ model: NSManagedObjectModel, _ type: String = NSSQLiteStoreType,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    static func close(_ context: NSManagedObjectContext) throws {
        context.performAndWait { context.reset() }
        for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
            try context.persistentStoreCoordinator?.remove(store)
        }
    }

    static func count(_ entity: String, _ context: NSManagedObjectContext) throws -> Int {
        try context.performAndWait {
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
        }
    }

    /// Replaces a store of the first version by one of the second; kills the process after some objects.
    static func replace(
        _ path: String, _ type: String = NSSQLiteStoreType, options: [AnyHashable: Any]? = nil,
        killingAfter steps: Int = 0
    ) throws {
        NSEntityMigrationPolicy.register(BookPolicy.self)
        NSEntityMigrationPolicy.register(NamePolicy.self, name: "Library.NamePolicy")
        let manager = NSMigrationManager(sourceModel: first(), destinationModel: second())
        var left = steps
        let observation = manager.observe(\.migrationProgress) { _, _ in
            left -= 1
            if left == 0 { kill(getpid(), SIGKILL) }
        }
        defer { observation.invalidate() }
        let url = URL(fileURLWithPath: path)
        try manager.migrateStore(
            from: url, sourceType: type, options: options,
            with: mapping(manager.sourceModel, manager.destinationModel), toDestinationURL: url,
            destinationType: type, destinationOptions: options)
    }
}
