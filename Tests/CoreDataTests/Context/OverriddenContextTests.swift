// Contexts of clients' classes, as tests of applications have them.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Notes what it is asked, and fails saves when it is told to.
private final class NotingContext: NSManagedObjectContext, @unchecked Sendable {
    struct Refusal: Error {}

    private(set) var calls: [String] = []
    var refusesSaves = false

    override func save() throws {
        calls.append("save")
        if refusesSaves { throw Refusal() }
        try super.save()
    }

    override var hasChanges: Bool {
        calls.append("hasChanges")
        return super.hasChanges
    }

    override func insert(_ object: NSManagedObject) {
        calls.append("insert")
        super.insert(object)
    }

    override func delete(_ object: NSManagedObject) {
        calls.append("delete")
        super.delete(object)
    }

    override func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        calls.append("refresh \(flag)")
        super.refresh(object, mergeChanges: flag)
    }

    override func rollback() {
        calls.append("rollback")
        super.rollback()
    }

    override func reset() {
        calls.append("reset")
        super.reset()
    }

    override func object(with objectID: NSManagedObjectID) -> NSManagedObject {
        calls.append("object")
        return super.object(with: objectID)
    }

    override func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        calls.append("existingObject")
        return try super.existingObject(with: objectID)
    }

    override func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        calls.append("obtainPermanentIDs \(objects.count)")
        try super.obtainPermanentIDs(for: objects)
    }

    override func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        calls.append("execute")
        return try super.execute(request)
    }

    /// At once, as many tests have it.
    override func perform(_ block: @escaping () -> Void) {
        calls.append("perform")
        super.performAndWait(block)
    }

    override func performAndWait(_ block: () -> Void) {
        calls.append("performAndWait")
        super.performAndWait(block)
    }
}

@Suite struct OverriddenContextTests {
    @Test(arguments: StoreKind.allCases) func eachMethodIsTheSubclasss(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let context = NotingContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = container.persistentStoreCoordinator
        let client: NSManagedObjectContext = context
        var name: String?
        client.perform {
            let person = client.make("Person", ["name": "Ada"])
            client.performAndWait { name = person.value(forKey: "name") as? String }
        }
        expect(name, equals: "Ada")
        try client.performAndWait { () throws in
            let person = try #require(client.insertedObjects.first)
            try client.obtainPermanentIDs(for: [person])
            #expect(client.hasChanges)
            try client.save()
            client.refresh(person, mergeChanges: false)
            expect(client.object(with: person.objectID), equals: person)
            try expect(client.existingObject(with: person.objectID), equals: person)
            client.delete(person)
            client.insert(person)
            client.rollback()
            _ = try client.execute(NSFetchRequest<NSManagedObject>(entityName: "Person"))
            client.reset()
            #expect(!client.hasChanges)
        }
        expect(
            context.calls,
            equals: [
                "perform", "insert", "performAndWait", "obtainPermanentIDs 1", "hasChanges", "save",
                "refresh false",
                "object",
                "existingObject", "delete", "insert", "rollback", "execute", "reset", "hasChanges",
            ])
        withExtendedLifetime(container) {}
    }

    @Test func aSaveThatTheSubclassRefusesLeavesTheChanges() throws {
        let container = try StoreKind.sqlite.makeContainer()
        let context = NotingContext(concurrencyType: .mainQueueConcurrencyType)
        context.parent = container.viewContext
        context.refusesSaves = true
        _ = context.make("Person", ["name": "Ada"])
        #expect(throws: NotingContext.Refusal.self) { try context.save() }
        #expect(context.hasChanges && !container.viewContext.hasChanges)
        context.refusesSaves = false
        try context.save()
        try container.viewContext.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        try expect(container.newBackgroundContext().count(for: request), equals: 1)
    }
}
