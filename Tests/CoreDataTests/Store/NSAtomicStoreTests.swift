// Atomic stores of a client's own format.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct NSAtomicStoreTests {
    private func open(_ url: URL, _ model: NSManagedObjectModel = StoreFixture.model()) throws
        -> (NSManagedObjectContext, JSONStore)
    {
        JSONStore.register()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: JSONStore.type, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return (context, try #require(store as? JSONStore))
    }

    private func insert(_ entity: String, _ name: String, in context: NSManagedObjectContext)
        -> NSManagedObject
    {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(name, forKey: "name")
        return object
    }

    private func names(_ value: Any?) -> [String] {
        let all = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? []
        return all.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
    }

    @Test func theFileHoldsEverything() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("store.json")
        let (context, store) = try open(url)
        let sales = insert("Department", "Sales", in: context)
        for name in ["P2", "P1", "P3"] {
            insert("Project", name, in: context).setValue(sales, forKey: "department")
        }
        let anna = insert("Employee", "Anna", in: context)
        anna.setValue(40, forKey: "age")
        anna.setValue(Decimal(string: "1.25"), forKey: "salary")
        anna.setValue(["a", "b"], forKey: "tags")
        anna.setValue(sales, forKey: "department")
        let ben = insert("Person", "Ben", in: context)
        ben.mutableSetValue(forKey: "friends").add(anna)
        try context.save()
        let annasURI = anna.objectID.uriRepresentation()
        #expect(!anna.objectID.isTemporaryID)
        let identifier = try #require(store.identifier)
        try expect(
            JSONStore.metadataForPersistentStore(with: url)[NSStoreUUIDKey] as? String, equals: identifier)

        let (again, reopened) = try open(url)
        expect(reopened.identifier, equals: identifier)
        expect(reopened.cacheNodes().count, equals: 6)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: "department.name == 'Sales' AND ANY friends.name == 'Ben'")
        let found = try #require(try again.fetch(request).first)
        #expect(found.entity.name == "Employee" && found.value(forKey: "name") as? String == "Anna")
        expect(
            (found.value(forKey: "salary") as? NSDecimalNumber)?.decimalValue, equals: Decimal(string: "1.25")
        )
        expect(found.value(forKey: "tags") as? [String], equals: ["a", "b"])
        let department = try #require(found.value(forKey: "department") as? NSManagedObject)
        expect(names(department.value(forKey: "projects")), equals: ["P2", "P1", "P3"])
        expect(found.objectID.uriRepresentation(), equals: annasURI)
        let named = try #require(
            again.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: annasURI))
        expect(named, equals: found.objectID)
        #expect(reopened.referenceObject(for: named) is String)
        expect(reopened.cacheNode(for: named)?.value(forKey: "name") as? String, equals: "Anna")
    }

    @Test func aRefusedSaveChangesNothing() throws {
        let folder = try TemporaryFolder()
        let (context, store) = try open(folder.file("store.json"))
        let ben = insert("Person", "Ben", in: context)
        try context.save()
        store.refusesToSave = true
        ben.setValue("Benno", forKey: "name")
        _ = insert("Person", "Cleo", in: context)
        #expect(throws: CocoaError.self) { try context.save() }
        #expect(context.hasChanges)
        expect(store.cacheNodes().compactMap { $0.value(forKey: "name") as? String }, equals: ["Ben"])
        let other = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        other.persistentStoreCoordinator = context.persistentStoreCoordinator
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        try expect(other.fetch(request).map { $0.value(forKey: "name") as? String }, equals: ["Ben"])
        store.refusesToSave = false
        try context.save()
        expect(
            Set(store.cacheNodes().compactMap { $0.value(forKey: "name") as? String }),
            equals: ["Benno", "Cleo"])
    }

    @Test func removedNodesAreAnnounced() throws {
        let folder = try TemporaryFolder()
        let (context, store) = try open(folder.file("store.json"))
        let ben = insert("Person", "Ben", in: context)
        try context.save()
        context.delete(ben)
        try context.save()
        expect(store.removed, equals: 1)
        #expect(store.cacheNodes().isEmpty)
    }

    @Test func brokenFilesThrow() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("store.json")
        for text in ["{", #"{"objects": [{"entity": "Nobody", "id": "1"}]}"#] {
            try Data(text.utf8).write(to: url)
            #expect(throws: (any Error).self) { try open(url) }
        }
        try Data(#"{"objects": [{"entity": "Person", "id": "1", "values": {"age": "old"}}]}"#.utf8).write(
            to: url)
        let failure = #expect(throws: NSError.self) { try open(url) }
        expect(failure?.localizedFailureReason?.contains("Person.age"), equals: true)
    }

    @Test func anotherModelIsRefused() throws {
        final class Versioned: NSAtomicStore, @unchecked Sendable {
            override var type: String { "Versioned" }
            override func load() throws {
                var metadata: [String: Any] = self.metadata ?? [:]
                metadata[NSStoreModelVersionHashesKey] = ["Person": Data(count: 32)]
                self.metadata = metadata
            }
        }
        NSPersistentStoreCoordinator.registerStoreClass(Versioned.self, forStoreType: "Versioned")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreFixture.model())
        let folder = try TemporaryFolder()
        let failure = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(
                ofType: "Versioned", configurationName: nil, at: folder.file("store"))
        }
        expect(failure?.code, equals: NSPersistentStoreIncompatibleVersionHashError)
        #expect(coordinator.persistentStores.isEmpty)
        try coordinator.addPersistentStore(
            ofType: "Versioned", configurationName: nil, at: folder.file("store"),
            options: [NSIgnorePersistentStoreVersioningOption: true])
        expect(coordinator.persistentStores.count, equals: 1)
    }
}
