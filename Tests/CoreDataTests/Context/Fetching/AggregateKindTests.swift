import CoreData
import CoreDataTestSupport
import Testing

/// Sums, averages and extremes of what isn't a number, as SQLite computes them, also in memory.
@Suite struct AggregateKindTests {
    private func context(_ type: String) throws -> NSManagedObjectContext {
        let entity = NSEntityDescription()
        entity.name = "Item"
        let attributes: [(String, NSAttributeType)] = [
            ("text", .stringAttributeType), ("bytes", .binaryDataAttributeType), ("day", .dateAttributeType),
        ]
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"), options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for (number, text) in ["3 apples", " 1.5e1x", "none", "-.5"].enumerated() {
                let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                item.setValue(text, forKey: "text")
                item.setValue(Data(text.utf8), forKey: "bytes")
                item.setValue(Date(timeIntervalSinceReferenceDate: Double(number)), forKey: "day")
            }
            _ = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            try context.save()
        }
        return context
    }

    private func value(
        _ function: String, _ key: String, _ type: NSAttributeType, _ context: NSManagedObjectContext
    ) throws -> Any? {
        let description = NSExpressionDescription()
        description.name = "result"
        description.expression = NSExpression(
            forFunction: function, arguments: [NSExpression(forKeyPath: key)])
        description.expressionResultType = type
        let request = NSFetchRequest<NSDictionary>(entityName: "Item")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [description]
        return try context.performAndWait { try context.fetch(request).first?["result"] }
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func textsBytesAndDates(_ type: String) throws {
        let context = try context(type)
        for key in ["text", "bytes"] {
            try expect(value("sum:", key, .doubleAttributeType, context) as? Double, equals: 17.5, "\(key)")
            try expect(
                value("average:", key, .doubleAttributeType, context) as? Double, equals: 4.375, "\(key)")
        }
        try expect(value("sum:", "day", .doubleAttributeType, context) as? Double, equals: 6)
        try expect(value("average:", "day", .decimalAttributeType, context) as? NSDecimalNumber, equals: 1.5)
        try expect(value("max:", "text", .stringAttributeType, context) as? String, equals: "none")
        try expect(
            value("max:", "bytes", .binaryDataAttributeType, context) as? Data, equals: Data("none".utf8))
        try expect(
            value("min:", "bytes", .binaryDataAttributeType, context) as? Data, equals: Data(" 1.5e1x".utf8))
        try expect(
            value("max:", "day", .dateAttributeType, context) as? Date,
            equals: Date(timeIntervalSinceReferenceDate: 3))
    }
}
