// The rows that all works read and write.

import CoreData
import CoreDataPostgreSQL
import Foundation

/// The names and values of the columns, as `Item` asks for them.
enum FetchIntegers {
    static let names = (0..<10).map { "i\($0)" }

    static func value(_ row: Int, _ column: Int) -> Int64 { Int64(row * 10 + column) }
}

enum Rows {
    static let count = 100_000
    static let walked = 1_000_000
    static let batch = 500
    static let queries = 1000
    static let lookUps = 10_000
    static let columns = FetchIntegers.names.joined(separator: ", ")

    /// A context with a coordinator of its own, so that every round starts cold.
    static func context(_ address: String, schema: String = "bench") throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        let description = NSPersistentStoreDescription(postgreSQL: address, schema: schema)
        try coordinator.addPersistentStore(
            ofType: description.type, configurationName: nil, at: description.url,
            options: description.options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private static func model() -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        (entity.name, entity.managedObjectClassName) = ("Item", "PostgreSQLBenchmarks.Item")
        entity.properties = FetchIntegers.names.map { name in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, .integer64AttributeType)
            return attribute
        }
        entity.indexes = [
            NSFetchIndexDescription(
                name: "byFirst",
                elements: [
                    NSFetchIndexElementDescription(property: entity.properties[0], collationType: .binary)
                ])
        ]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    static func insert(_ rows: Int, in context: NSManagedObjectContext) throws {
        guard let entity = NSEntityDescription.entity(forEntityName: "Item", in: context) else { return }
        for row in 0..<rows { Item(entity: entity, insertInto: context).fill(row) }
        try context.save()
    }
}
