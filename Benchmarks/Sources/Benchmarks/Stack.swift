// A stack of the framework for a workload.

import CoreData
import Foundation

/// A store file with a coordinator of its own, so that every round starts cold.
enum Stack {
    /// A model with one entity of integers, `Item`.
    static func integers(_ names: [String]) -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Item"
        entity.managedObjectClassName = "Benchmarks.Item"
        entity.properties = names.map { name in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = .integer64AttributeType
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    /// Pragmas in place of the framework's own, from the environment: `BENCHMARK_PRAGMAS="mmap_size=0 cache_size=-2000"`
    /// are those of plain SQLite.
    private static var options: [AnyHashable: Any]? {
        guard let text = ProcessInfo.processInfo.environment["BENCHMARK_PRAGMAS"] else { return nil }
        let pairs = text.split(separator: " ").map { $0.split(separator: "=").map(String.init) }
        return [
            NSSQLitePragmasOption: Dictionary(
                pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
        ]
    }

    /// A context on a store file, which is made if it isn't there.
    static func context(_ model: NSManagedObjectModel, _ url: URL) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }
}
