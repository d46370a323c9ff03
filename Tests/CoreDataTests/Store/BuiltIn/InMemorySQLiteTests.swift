// SQLite stores at /dev/null, the usual place of stores for tests and previews.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct InMemorySQLiteTests {
    static let places = ["/dev/null", "/dev/null/Preview"].map { URL(fileURLWithPath: $0) }

    private func people(_ context: NSManagedObjectContext) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
    }

    @Test(arguments: places)
    func theStoreIsPrivateAndLeavesNothing(url: URL) throws {
        let before = try FileManager.default.contentsOfDirectory(atPath: "/dev").sorted()
        let (first, store) = try StoreFixtures.open(url)
        let (second, _) = try StoreFixtures.open(url)
        #expect(store.type == NSSQLiteStoreType && store.url == url)
        try StoreFixtures.save(["Ada"], to: first)
        try StoreFixtures.save(["Bob", "Cleo"], to: second)
        let (one, two) = (StoreFixtures.context(first), StoreFixtures.context(second))
        try expect(one.performAndWait { try people(one) }, equals: ["Ada"])
        try expect(two.performAndWait { try people(two) }, equals: ["Bob", "Cleo"])
        try expect(FileManager.default.contentsOfDirectory(atPath: "/dev").sorted(), equals: before)
        #expect(try first.verify(store).isEmpty)
        let error = StoreFixtures.error {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: url)
        }
        expect(error?.code, equals: NSFileReadNoSuchFileError)
    }

    @Test func descriptionsLeadToDevNullByDefault() {
        expect(NSPersistentStoreDescription().url, equals: URL(fileURLWithPath: "/dev/null"))
    }

    @Test func aContainerLoadsTheDefaultDescription() throws {
        let container = NSPersistentContainer(name: "Preview", managedObjectModel: StoreFixtures.model())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription()]
        container.loadPersistentStores { _, error in #expect(error == nil) }
        try StoreFixtures.save(["Ada"], to: container.persistentStoreCoordinator)
        let other = NSPersistentContainer(name: "Preview", managedObjectModel: StoreFixtures.model())
        other.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
        ]
        other.loadPersistentStores { _, error in #expect(error == nil) }
        let context = StoreFixtures.context(other.persistentStoreCoordinator)
        #expect(try context.performAndWait { try people(context) }.isEmpty)
    }

    @Test func constraintsAndLargeValuesWork() throws {
        let (coordinator, _) = try StoreFixtures.open(Self.places[0])
        let context = StoreFixtures.context(coordinator)
        let portrait = Data(repeating: 9, count: 300_000)
        try context.performAndWait {
            let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            person.setValue("Ada", forKey: "name")
            person.setValue(portrait, forKey: "portrait")
            try context.save()
            context.reset()
            let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
            expect(found.first?.value(forKey: "portrait") as? Data, equals: portrait)
        }
        let error = StoreFixtures.error { try StoreFixtures.save(["Ada"], to: coordinator) }
        expect(error?.code, equals: NSManagedObjectConstraintMergeError)
    }

    @Test func historyBatchesAndRemoteChangesWork() throws {
        let (coordinator, store) = try StoreFixtures.open(
            Self.places[0],
            options: [
                NSPersistentHistoryTrackingKey: true,
                NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
            ])
        try StoreFixtures.save(["Ada"], to: coordinator)
        let context = StoreFixtures.context(coordinator)
        try context.performAndWait {
            let insert = NSBatchInsertRequest(
                entityName: "Person", objects: [["name": "Bob"], ["name": "Cleo"]])
            insert.resultType = .count
            let result = try context.execute(insert) as? NSBatchInsertResult
            expect(result?.result as? Int, equals: 2)
            let history = try context.execute(
                NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken?.none))
            let transactions =
                (history as? NSPersistentHistoryResult)?.result
                as? [NSPersistentHistoryTransaction]
            expect(transactions?.compactMap { $0.changes?.count }, equals: [1, 2])
        }
        #expect(coordinator.currentPersistentHistoryToken(fromStores: [store]) != nil)
    }

    @Test func aGenerationIsReadWhileOthersSave() throws {
        let (coordinator, _) = try StoreFixtures.open(Self.places[1])
        try StoreFixtures.save(["Ada"], to: coordinator)
        let context = StoreFixtures.context(coordinator)
        try context.performAndWait {
            try context.setQueryGenerationFrom(.current)
            try expect(people(context), equals: ["Ada"])
            try StoreFixtures.save(["Bob"], to: coordinator)
            try expect(people(context), equals: ["Ada"])
            try context.setQueryGenerationFrom(nil)
            try expect(people(context), equals: ["Ada", "Bob"])
        }
    }

    @Test func derivedAttributesAreKept() throws {
        let model = StoreFixtures.model()
        let derived = NSDerivedAttributeDescription()
        derived.name = "count"
        derived.attributeType = .integer64AttributeType
        derived.isOptional = true
        derived.derivationExpression = NSExpression(format: "pets.@count")
        model.entities.first { $0.name == "Person" }?.properties.append(derived)
        let (coordinator, _) = try StoreFixtures.open(Self.places[0], model)
        let context = StoreFixtures.context(coordinator)
        try context.performAndWait {
            let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            let pet = NSEntityDescription.insertNewObject(forEntityName: "Pet", into: context)
            pet.setValue(person, forKey: "owner")
            try context.save()
            context.refreshAllObjects()
            expect(person.value(forKey: "count") as? Int, equals: 1)
        }
    }

    @Test func theRowsCanBeMovedToAFile() throws {
        let folder = try TemporaryFolder()
        let (coordinator, store) = try StoreFixtures.open(Self.places[0])
        try StoreFixtures.save(["Ada"], to: coordinator)
        let url = folder.file("kept.sqlite")
        try coordinator.migratePersistentStore(store, to: url, type: .sqlite)
        try expect(RawDatabase(url).rows("SELECT ZNAME FROM ZPERSON"), equals: [["Ada"]])
    }
}
