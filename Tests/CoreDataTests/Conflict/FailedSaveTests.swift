import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// A save that fails leaves files and objects as they were, whatever it failed over.
@Suite struct FailedSaveTests {
    /// Everything about a context that a failed save must not touch.
    private struct Image: Equatable {
        var ids: Set<NSManagedObjectID>
        var inserted: Set<NSManagedObject>
        var updated: Set<NSManagedObject>
        var deleted: Set<NSManagedObject>
        var values: [String]

        init(_ context: NSManagedObjectContext, _ objects: [NSManagedObject]) {
            ids = Set(objects.map(\.objectID))
            inserted = context.insertedObjects
            updated = context.updatedObjects
            deleted = context.deletedObjects
            values = objects.map { object in
                object.changedValues().keys.sorted().map { "\($0)=\(Self.text(object.value(forKey: $0)))" }
                    .joined(separator: ",")
            }
        }

        private static func text(_ value: Any?) -> String {
            switch value {
            case let object as NSManagedObject: "\(object.objectID)"
            case let set as NSSet:
                "\(set.compactMap { ($0 as? NSManagedObject).map { "\($0.objectID)" } }.sorted())"
            default: "\(value ?? "nil")"
            }
        }
    }

    private static func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private static func model() -> NSManagedObjectModel {
        let model = CompanyModel.make()
        model.entitiesByName["Company"]?.uniquenessConstraints = [["name"]]
        return model
    }

    @Test(arguments: ["version", "unique", "validation", "disk", "policy"])
    func eachKindOfFailure(_ kind: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Company.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: kind == "disk" ? [NSSQLitePragmasOption: ["max_page_count": "200"]] : nil)
        let (context, other) = (Self.context(coordinator), Self.context(coordinator))
        let person = try #require(context.make("Person", ["name": "Ada", "age": 30]) as? Person)
        let gone = context.make("Project", ["title": "gone"])
        try context.save()
        let company = context.make("Company", ["name": "A"])
        let new = try #require(context.make("Person", ["name": "Bob", "company": company]) as? Person)
        person.setValue(new, forKey: "spouse")
        person.mutableSetValue(forKey: "projects").add(context.make("Project", ["title": "new"]))
        context.delete(gone)
        switch kind {
        case "version", "policy":
            let twin = try other.existingObject(with: person.objectID)
            twin.setValue("Eve", forKey: "name")
            try other.save()
        case "unique":
            _ = other.make("Company", ["name": "A"])
            try other.save()
        case "validation": new.setValue(-1, forKey: "age")
        default:
            new.setValue(Data(repeating: 1, count: 2_000_000), forKey: "photo")
        }
        if kind == "policy" { context.mergePolicy = ThrowingPolicy(merge: .overwriteMergePolicyType) }
        context.processPendingChanges()
        let objects = [person, new, company, gone]
        let before = Image(context, objects)
        let awakenings = (person.awakenings, new.awakenings)
        let rows = try dump(url)
        let error = thrownError { try context.save() }
        let codes = [
            "version": NSManagedObjectMergeError, "unique": NSManagedObjectConstraintMergeError,
            "validation": NSManagedObjectValidationError, "disk": NSFileWriteOutOfSpaceError,
            "policy": NSUserCancelledError,
        ]
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == codes[kind])
        expect(Image(context, objects), equals: before)
        #expect((person.awakenings, new.awakenings) == awakenings)
        try expect(dump(url), equals: rows)
    }

    private final class ThrowingPolicy: NSMergePolicy, @unchecked Sendable {
        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            throw CocoaError(.userCancelled)
        }
    }

    private func dump(_ url: URL) throws -> [[String]] {
        let raw = try RawDatabase(url)
        return try ["ZPERSON", "ZCOMPANY", "ZPROJECT"].flatMap { table -> [[String]] in
            try raw.rows("SELECT * FROM \(table) ORDER BY Z_PK").map { $0.map { $0 ?? "NULL" } }
        }
    }

    // MARK: Several stores

    /// People and companies in one store, projects in another: the second one fails.
    private func twoStores(_ first: String, _ second: String) throws -> (
        TemporaryFolder, NSManagedObjectContext
    ) {
        JSONStore.register()
        let folder = try TemporaryFolder()
        let model = NSManagedObjectModel()
        let (a, b) = (NSEntityDescription(), NSEntityDescription())
        for (entity, name) in [(a, "A"), (b, "B")] {
            let attribute = NSAttributeDescription()
            attribute.name = "name"
            attribute.attributeType = .stringAttributeType
            entity.name = name
            entity.properties = [attribute]
            entity.uniquenessConstraints = [["name"]]
        }
        model.entities = [a, b]
        model.setEntities([a], forConfigurationName: "One")
        model.setEntities([b], forConfigurationName: "Two")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        for (type, configuration) in [(first, "One"), (second, "Two")] {
            let url = try StoreKind.place(type, folder, configuration)
            try coordinator.addPersistentStore(ofType: type, configurationName: configuration, at: url)
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return (folder, context)
    }

    @Test(arguments: StoreKind.allCases, StoreKind.allCases)
    func noStoreKeepsHalfASave(_ first: StoreKind, _ second: StoreKind) throws {
        let (folder, context) = try twoStores(first.type, second.type)
        for entity in ["A", "B"] { _ = context.make(entity, ["name": "old"]) }
        try context.save()
        let fresh = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        fresh.persistentStoreCoordinator = context.persistentStoreCoordinator
        for failing in ["A", "B"] {
            let other = failing == "A" ? "B" : "A"
            let good = context.make(other, ["name": "new"])
            let bad = context.make(failing, ["name": "old"])
            expect(thrownError { try context.save() }?.code, equals: NSManagedObjectConstraintMergeError)
            try expect(["A", "B"].map { try fresh.all($0).count }, equals: [1, 1], "\(failing)")
            #expect(good.objectID.isTemporaryID && bad.objectID.isTemporaryID)
            context.rollback()
        }
        for entity in ["A", "B"] { _ = context.make(entity, ["name": "new"]) }
        try context.save()
        try expect(["A", "B"].map { try fresh.all($0).count }, equals: [2, 2])
        _ = folder
    }
}
