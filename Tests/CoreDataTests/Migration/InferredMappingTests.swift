// Mapping models that two models amount to.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct InferredMappingTests {
    private func first() -> NSManagedObjectModel {
        let person = NSEntityDescription(
            "Person", [NSAttributeDescription("name", .string), NSAttributeDescription("age", .integer16)])
        let dog = NSEntityDescription("Dog", [NSAttributeDescription("name", .string)])
        let gone = NSEntityDescription("Gone", [NSAttributeDescription("name", .string)])
        NSRelationshipDescription.connect(person, "dog", .one, dog, "owner", .one)
        let model = NSManagedObjectModel()
        model.entities = [
            person, dog, gone, NSEntityDescription("Same", [NSAttributeDescription("x", .double)]),
        ]
        return model
    }

    private func second() -> NSManagedObjectModel {
        let name = NSAttributeDescription("fullName", .string, optional: false)
        name.renamingIdentifier = "name"
        name.defaultValue = "nobody"
        let human = NSEntityDescription("Human", [name, NSAttributeDescription("age", .integer16)])
        human.renamingIdentifier = "Person"
        let dog = NSEntityDescription("Dog", [NSAttributeDescription("name", .string)])
        NSRelationshipDescription.connect(human, "dogs", .many, dog, "owner", .one)
        human.relationshipsByName["dogs"]?.renamingIdentifier = "dog"
        let model = NSManagedObjectModel()
        model.entities = [
            human, dog, NSEntityDescription("New"),
            NSEntityDescription("Same", [NSAttributeDescription("x", .double)]),
        ]
        return model
    }

    @Test func everyEntityHasAMapping() throws {
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: first(), destinationModel: second())
        let byName = mapping.entityMappingsByName
        expect(
            Set(byName.keys),
            equals: [
                "IEM_Add_New", "IEM_Remove_Gone", "IEM_Copy_Same", "IEM_Transform_Human", "IEM_Transform_Dog",
            ])
        expect(byName["IEM_Add_New"]?.mappingType, equals: .addEntityMappingType)
        expect(byName["IEM_Remove_Gone"]?.mappingType, equals: .removeEntityMappingType)
        expect(byName["IEM_Copy_Same"]?.mappingType, equals: .copyEntityMappingType)
        let human = try #require(byName["IEM_Transform_Human"])
        expect(human.mappingType, equals: .transformEntityMappingType)
        #expect(human.sourceEntityName == "Person" && human.destinationEntityName == "Human")
        expect(human.sourceEntityVersionHash, equals: first().entityVersionHashesByName["Person"])
        expect(human.attributeMappings?.map { $0.name }, equals: ["age", "fullName"])
        expect(human.relationshipMappings?.map { $0.name }, equals: ["dogs"])
        expect(
            human.attributeMappings?[0].valueExpression, equals: CoreData.NSExpression(format: "$source.age"))
    }

    @Test func itCanBeCarriedOut() throws {
        let folder = try TemporaryFolder()
        let (old, new) = (first(), second())
        let url = folder.file("Old.xml")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: old)
        try coordinator.addPersistentStore(ofType: NSXMLStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for number in 0..<4 {
                let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
                person.setValue(number == 3 ? nil : "Person \(number)", forKey: "name")
                person.setValue(number, forKey: "age")
                let dog = NSEntityDescription.insertNewObject(forEntityName: "Dog", into: context)
                dog.setValue("Dog \(number)", forKey: "name")
                dog.setValue(person, forKey: "owner")
                _ = NSEntityDescription.insertNewObject(forEntityName: "Gone", into: context)
                NSEntityDescription.insertNewObject(forEntityName: "Same", into: context)
                    .setValue(Double(number) / 3, forKey: "x")
            }
            try context.save()
        }
        let destination = folder.file("New.sqlite")
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        try manager.migrateStore(
            from: url, type: .xml,
            mapping: .inferredMappingModel(forSourceModel: old, destinationModel: new), to: destination,
            type: .sqlite)
        let after = NSPersistentStoreCoordinator(managedObjectModel: new)
        try after.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: destination)
        let found = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        found.persistentStoreCoordinator = after
        try found.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Human")
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            let humans = try found.fetch(request)
            expect(
                humans.map { $0.value(forKey: "fullName") as? String },
                equals: [
                    "Person 0", "Person 1", "Person 2", "nobody",
                ])
            for (number, human) in humans.enumerated() {
                let dogs = human.value(forKey: "dogs") as? NSSet
                expect(dogs?.count, equals: 1)
                expect(
                    (dogs?.anyObject() as? NSManagedObject)?.value(forKey: "name") as? String,
                    equals: "Dog \(number)")
            }
            try expect(found.count(for: NSFetchRequest<NSManagedObject>(entityName: "Same")), equals: 4)
        }
    }

    @Test func whatCantBeInferredIsRefused() throws {
        let new = second()
        new.entitiesByName["Human"]?.attributesByName["age"]?.type = .string
        let error = #expect(throws: CocoaError.self) {
            try NSMappingModel.inferredMappingModel(forSourceModel: first(), destinationModel: new)
        }
        expect(error?.errorCode, equals: NSInferredMappingModelError)
        expect(error?.userInfo["entity"] as? String, equals: "Human")
        expect(error?.userInfo["property"] as? String, equals: "age")
    }
}
