// Fetched results that are sorted and divided by derived attributes, which have their values once they are saved.

import CoreData
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct DerivedResultsTests {
    private static func model() -> NSManagedObjectModel {
        let thing = NSEntityDescription("Thing", [NSAttributeDescription("name", .stringAttributeType)])
        let group = NSEntityDescription("Group", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.connect(group, "things", .many, thing, "group", .one)
        thing.properties += [
            DerivedAttributeTests.derived("plain", .stringAttributeType, "canonical:(name)")
        ]
        group.properties += [DerivedAttributeTests.derived("count", .integer64AttributeType, "things.@count")]
        let model = NSManagedObjectModel()
        model.entities = [thing, group]
        return model
    }

    private func controller(
        _ entity: String, by key: String, in context: NSManagedObjectContext
    ) -> NSFetchedResultsController<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [key, "name"].map { NSSortDescriptor(key: $0, ascending: true) }
        return NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: key, cacheName: nil)
    }

    @Test(arguments: [StoreKind.sqlite, .inMemory, .binary] + StoreKind.onServers)
    func sectionsFollowASave(_ kind: StoreKind) throws {
        let container = try kind.makeContainer(Self.model())
        let context = container.viewContext
        for name in ["Äpfel", "apfel", "Birne"] { _ = context.make("Thing", ["name": name]) }
        try context.save()
        let results = controller("Thing", by: "plain", in: context)
        let recorder = ResultRecorder()
        results.delegate = recorder
        try results.performFetch()
        recorder.copy(results)
        func sections() -> [String] { (results.sections ?? []).map { "\($0.name) \($0.numberOfObjects)" } }
        func mirrored() -> [String] { recorder.mirror.map { "\($0.name) \($0.objects.count)" } }
        expect(sections(), equals: ["apfel 2", "birne 1"])
        try context.all("Thing", "name = 'Birne'")[0].setValue("Apfel", forKey: "name")
        try context.save()
        expect(sections(), equals: ["apfel 3"])
        expect(mirrored(), equals: ["apfel 3"])
        _ = context.make("Thing", ["name": "Zebra"])
        try context.save()
        expect(sections(), equals: ["apfel 3", "zebra 1"])
        expect(mirrored(), equals: ["apfel 3", "zebra 1"])
        _ = recorder.told()
        try context.save()
        expect(recorder.told(), equals: [])
        withExtendedLifetime(container) {}
    }

    /// Inside a block too, observers hear of it before the save returns: once, and after the save itself.
    @Test func aSaveTellsOfDerivedValues() throws {
        let stack = try TestStack(model: Self.model())
        let context = stack.context
        try context.run { () throws in
            let thing = context.make("Thing", ["name": "Ä"])
            try context.save()
            let told = Mutex<[String]>([])
            let tokens = [
                Notification.Name.NSManagedObjectContextDidSave, .NSManagedObjectContextObjectsDidChange,
            ].map {
                NotificationCenter.default.addObserver(forName: $0, object: context, queue: nil) { note in
                    let isRefresh =
                        (note.userInfo?[NSRefreshedObjectsKey] as? Set<NSManagedObject>)?.count == 1
                    told.withLock {
                        $0.append(
                            note.name == .NSManagedObjectContextDidSave
                                ? "save" : isRefresh ? "refresh" : "change")
                    }
                }
            }
            defer { tokens.forEach(NotificationCenter.default.removeObserver) }
            thing.setValue("Ö", forKey: "name")
            try context.save()
            expect(told.withLock { $0 }, equals: ["change", "save", "refresh"])
            expect(thing.text("plain"), equals: "o")
            thing.setValue("ö", forKey: "name")
            try context.save()
            // The same value is no news.
            expect(told.withLock { $0 }, equals: ["change", "save", "refresh", "change", "save"])
            #expect(!context.hasChanges)
        }
    }

    /// The groups themselves aren't changed by whoever saves.
    @Test(arguments: [StoreKind.sqlite, .inMemory] + StoreKind.onServers)
    func ordersFollowCounts(_ kind: StoreKind) throws {
        let container = try kind.makeContainer(Self.model())
        let context = container.viewContext
        let groups = ["a", "b"].map { context.make("Group", ["name": $0]) }
        try context.save()
        let results = controller("Group", by: "count", in: context)
        let recorder = ResultRecorder()
        results.delegate = recorder
        try results.performFetch()
        recorder.copy(results)
        let thing = context.make("Thing", ["group": groups[0]])
        try context.save()
        expect(results.sections?.map(\.name), equals: ["0", "1"])
        expect(results.fetchedObjects?.map { $0.text("name") }, equals: ["b", "a"])
        thing.setValue(groups[1], forKey: "group")
        try context.save()
        expect(results.fetchedObjects?.map { $0.text("name") }, equals: ["a", "b"])
        expect(recorder.mirror.flatMap(\.objects).map { $0.text("name") }, equals: ["a", "b"])
        withExtendedLifetime(container) {}
    }
}
