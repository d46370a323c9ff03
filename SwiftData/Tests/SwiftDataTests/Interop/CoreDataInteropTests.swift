// The same stores with Core Data's classes, and the tools' checks.

import CoreData
import Foundation
import StoreTools
import Testing

@testable import SwiftData

@Suite struct CoreDataInteropTests {
    private let folder: TemporaryFolder
    private let types: [any PersistentModel.Type] = [Item.self, Box.self, Owner.self, Part.self]

    init() throws { folder = try TemporaryFolder() }

    private var url: URL { folder.file("Items.store") }

    private func container() throws -> ModelContainer {
        let schema = Schema(types)
        return try ModelContainer(for: schema, configurations: ModelConfiguration(schema: schema, url: url))
    }

    private func managedContainer() throws -> NSPersistentContainer {
        let model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: types))
        for entity in model.entities { entity.managedObjectClassName = nil }
        let container = NSPersistentContainer(name: "Items", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        // The layout and the version hashes are those that the container wrote: nothing is migrated.
        description.shouldMigrateStoreAutomatically = false
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container
    }

    private func fill(_ context: ModelContext) throws {
        let box = Box(label: "box", depth: 2)
        box.owner = Owner(name: "Ann")
        for number in 0..<5 {
            let item = Item(number)
            context.insert(item)
            item.box = box
        }
        try context.save()
    }

    @Test func managedObjectsReadWhatModelsWrote() throws {
        try fill(ModelContext(container()))
        let context = try managedContainer().viewContext
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = NSPredicate(format: "box.owner.name == %@ AND number > 1", "Ann")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        let found = try context.fetch(request)
        #expect(found.map { $0.value(forKey: "number") as? Int } == [2, 3, 4])
        #expect(found[0].value(forKey: "name") as? String == "gämma")
        #expect(found[0].value(forKey: "price") as? Decimal == Decimal(2) / 10)
        #expect(found[0].value(forKey: "shade") as? String == "mixed")
    }

    @Test func modelsReadWhatManagedObjectsWrote() throws {
        _ = try container()
        let managed = try managedContainer()
        let context = managed.viewContext
        let box = NSEntityDescription.insertNewObject(forEntityName: "Box", into: context)
        box.setValue("managed", forKey: "label")
        box.setValue(4, forKey: "depth")
        try context.save()
        let models = ModelContext(try container())
        let read = try #require(try models.fetch(FetchDescriptor<Box>()).first)
        #expect(read.label == "managed" && read.depth == 4 && read.items.isEmpty)
        // Both are open at once.
        read.depth = 5
        try models.save()
        context.refreshAllObjects()
        #expect(box.value(forKey: "depth") as? Int == 5)
    }

    @Test func theDoctorFindsNothing() throws {
        try fill(ModelContext(container()))
        let findings = try Diagnosis.findings(path: url.path, modelPath: nil)
        #expect(findings.filter(\.isHarmful).isEmpty, "\(findings)")
    }

    @Test func theCoordinatorIsThatOfCoreData() throws {
        let container = try container()
        try fill(ModelContext(container))
        let coordinator = container.persistentStoreCoordinator
        #expect(
            coordinator.managedObjectModel.entitiesByName.keys.sorted() == ["Box", "Item", "Owner", "Part"])
        // What a tool does that knows nothing of the classes.
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let names = try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Owner")).map {
                $0.value(forKey: "name") as? String
            }
        }
        #expect(names == ["Ann"])
    }
}
