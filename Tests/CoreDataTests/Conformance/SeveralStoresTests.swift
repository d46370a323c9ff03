// Several stores on one coordinator: configurations in files of their own, one model in a file and in memory.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct SeveralStoresTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func model() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        let names = ["Document", "CacheEntry"]
        model.entities = names.map { name in
            let (entity, title) = (NSEntityDescription(), NSAttributeDescription())
            entity.name = name
            title.name = "title"
            title.attributeType = .stringAttributeType
            entity.properties = [title]
            return entity
        }
        model.setEntities(model.entities.filter { $0.name == "Document" }, forConfigurationName: "Main")
        model.setEntities(model.entities.filter { $0.name == "CacheEntry" }, forConfigurationName: "Cache")
        return model
    }

    private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func titles(_ context: NSManagedObjectContext, _ entity: String) throws -> [String] {
        try context.all(entity).compactMap { $0.value(forKey: "title") as? String }.sorted()
    }

    @Test func eachConfigurationHasItsFile() throws {
        let (main, cache) = (folder.file("Main.sqlite"), folder.file("Cache.sqlite"))
        func open() throws -> NSPersistentStoreCoordinator {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
            for (name, url) in [("Main", main), ("Cache", cache)] {
                try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: name, at: url, options: nil)
            }
            return coordinator
        }
        let coordinator = try open()
        let context = context(coordinator)
        let document = context.make("Document", ["title": "a"])
        let entry = context.make("CacheEntry", ["title": "b"])
        try context.save()
        expect(document.objectID.persistentStore?.url, equals: main)
        expect(entry.objectID.persistentStore?.url, equals: cache)
        let entities = model().entities.map(InspectedEntity.init)
        for (url, name) in [(main, "Document"), (cache, "CacheEntry")] {
            let inspector = try StoreInspector(url, entities)
            let violations = try inspector.violations()
            expect(violations, equals: [])
            try expect(inspector.objects().map(\.entity), equals: [name])
            expect(
                inspector.tables.filter { !$0.hasPrefix("Z_") }.sorted(),
                equals: ["ZCACHEENTRY", "ZDOCUMENT"])
        }
        let reopened = self.context(try open())
        try expect(titles(reopened, "Document"), equals: ["a"])
        try expect(titles(reopened, "CacheEntry"), equals: ["b"])
    }

    @Test func aFileAndMemoryHoldTheSameModel() throws {
        let url = folder.file("Store.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        let file = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let memory = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        let context = context(coordinator)
        let kept = context.make("Document", ["title": "kept"])
        let passing = context.make("Document", ["title": "passing"])
        context.assign(passing, to: memory)
        try context.save()
        #expect(kept.objectID.persistentStore === file)
        #expect(passing.objectID.persistentStore === memory)
        let other = self.context(coordinator)
        try expect(titles(other, "Document"), equals: ["kept", "passing"])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Document")
        request.affectedStores = [memory]
        try expect(
            other.fetch(request).compactMap { $0.value(forKey: "title") as? String }, equals: ["passing"])
        try expect(other.all("Document", "title == 'kept'").first?.objectID, equals: kept.objectID)
        let inspector = try StoreInspector(url, model().entities.map(InspectedEntity.init))
        try expect(inspector.objects().map { $0.attributes["title"] }, equals: [.text("kept")])
    }
}
