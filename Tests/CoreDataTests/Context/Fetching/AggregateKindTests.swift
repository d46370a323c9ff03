import CoreData
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
            #expect(try value("sum:", key, .doubleAttributeType, context) as? Double == 17.5, "\(key)")
            #expect(try value("average:", key, .doubleAttributeType, context) as? Double == 4.375, "\(key)")
        }
        #expect(try value("sum:", "day", .doubleAttributeType, context) as? Double == 6)
        #expect(try value("average:", "day", .decimalAttributeType, context) as? NSDecimalNumber == 1.5)
        #expect(try value("max:", "text", .stringAttributeType, context) as? String == "none")
        #expect(try value("max:", "bytes", .binaryDataAttributeType, context) as? Data == Data("none".utf8))
        #expect(
            try value("min:", "bytes", .binaryDataAttributeType, context) as? Data == Data(" 1.5e1x".utf8))
        #expect(
            try value("max:", "day", .dateAttributeType, context) as? Date
                == Date(timeIntervalSinceReferenceDate: 3))
    }
}
