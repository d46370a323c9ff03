// A stack of the framework for a workload.

import CoreData

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

    /// A context on a store file, which is made if it isn't there.
    static func context(_ model: NSManagedObjectModel, _ url: URL) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }
}
