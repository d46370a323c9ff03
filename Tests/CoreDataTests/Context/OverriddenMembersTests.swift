// Members of a context that a client's subclass overrides, and who asks the subclass.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Answers fetches and counts with what a test gives it, and notes what else it is asked.
private final class MockContext: NSManagedObjectContext, @unchecked Sendable {
    var calls: [String] = []
    var answer: [Any]?
    var refusesInsertions = false

    override func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        calls.append("fetch \(request.entityName ?? "")")
        return try answer ?? super.fetch(request)
    }

    override func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
        calls.append("count \(request.entityName ?? "")")
        return try answer?.count ?? super.count(for: request)
    }

    override func insert(_ object: NSManagedObject) {
        calls.append("insert")
        if !refusesInsertions { super.insert(object) }
    }

    override func processPendingChanges() {
        calls.append("process")
        super.processPendingChanges()
    }

    override func undo() {
        calls.append("undo")
        super.undo()
    }

    override func redo() {
        calls.append("redo")
        super.redo()
    }

    override func refreshAllObjects() {
        calls.append("refreshAll")
        super.refreshAllObjects()
    }

    override func detectConflicts(for object: NSManagedObject) {
        calls.append("detect")
        super.detectConflicts(for: object)
    }

    override func assign(_ object: Any, to store: NSPersistentStore) {
        calls.append("assign")
        super.assign(object, to: store)
    }

    override func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        calls.append("registered")
        return super.registeredObject(for: objectID)
    }

    override func mergeChanges(fromContextDidSave notification: Notification) {
        calls.append("merge")
        super.mergeChanges(fromContextDidSave: notification)
    }

    override class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any],
        into contexts: [NSManagedObjectContext]
    ) {
        for case let context as MockContext in contexts { context.calls.append("remote") }
        super.mergeChanges(fromRemoteContextSave: changeNotificationData, into: contexts)
    }

    override func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
        calls.append("generation")
        try super.setQueryGenerationFrom(generation)
    }

    override func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        calls.append("observe \(keyPath ?? "")")
        super.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
    }

    override func encode(with coder: NSCoder) { calls.append("encode") }
    override var automaticallyMergesChangesFromParent: Bool {
        didSet { calls.append("merges \(automaticallyMergesChangesFromParent)") }
    }
    override var insertedObjects: Set<NSManagedObject> { [] }
    override var updatedObjects: Set<NSManagedObject> { [] }
    override var deletedObjects: Set<NSManagedObject> { [] }
    override var registeredObjects: Set<NSManagedObject> { [] }
    override var queryGenerationToken: NSQueryGenerationToken? { .current }
    override var concurrencyType: NSManagedObjectContextConcurrencyType { .mainQueueConcurrencyType }
    override var userInfo: NSMutableDictionary { ["mock": true] }
}

@Suite struct OverriddenMembersTests {
    private func stack() throws -> (NSPersistentContainer, MockContext) {
        let container = try StoreKind.sqlite.makeContainer()
        let context = MockContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = container.persistentStoreCoordinator
        return (container, context)
    }

    private var people: NSFetchRequest<NSManagedObject> { NSFetchRequest(entityName: "Person") }

    @Test func typedFetchesAskTheSubclass() throws {
        let (container, mock) = try stack()
        let client: NSManagedObjectContext = mock
        try client.performAndWait { () throws in
            let person = client.make("Person", ["name": "Ada"])
            mock.answer = [person, person]
            try expect(client.fetch(people), equals: [person, person])
            try expect(client.count(for: people), equals: 2)
            try expect(people.execute(), equals: [person, person])
            mock.answer = ["no object"]
            #expect(throws: NSError.self) { try client.fetch(people) }
            mock.answer = nil
            try expect(client.fetch(people), equals: [person])
            try expect(client.count(for: people), equals: 1)
            let untyped = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
            try expect(client.fetch(untyped) as? [NSManagedObject], equals: [person])
            untyped.resultType = .countResultType
            try expect(client.fetch(untyped).first as? Int, equals: 1)
            let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Person")
            dictionaries.resultType = .dictionaryResultType
            try client.save()
            try expect(client.fetch(dictionaries).first?["name"] as? String, equals: "Ada")
        }
        expect(
            mock.calls.filter { $0.hasPrefix("fetch") || $0.hasPrefix("count") },
            equals: [
                "fetch Person", "count Person", "fetch Person", "fetch Person", "fetch Person",
                "count Person", "fetch Person", "fetch Person", "fetch Person",
            ])
        withExtendedLifetime(container) {}
    }

    @Test func controllersAskTheSubclass() throws {
        let (container, mock) = try stack()
        try mock.performAndWait { () throws in
            let request = people
            request.sortDescriptors = []
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: mock, sectionNameKeyPath: nil, cacheName: nil)
            try controller.performFetch()
            #expect(mock.calls.contains("fetch Person"))
        }
        withExtendedLifetime(container) {}
    }

    @Test func newObjectsAreInsertedByTheSubclass() throws {
        let (container, mock) = try stack()
        try mock.performAndWait { () throws in
            let person = mock.make("Person", ["name": "Ada"])
            expect(mock.calls, equals: ["insert"])
            #expect(person.isInserted && person.managedObjectContext === mock)
            mock.refusesInsertions = true
            let other = mock.make("Person", ["name": "Bob"])
            #expect(other.managedObjectContext == nil && !other.isInserted)
            expect(other.value(forKey: "name") as? String, equals: "Bob")
            try mock.save()
            mock.refusesInsertions = false
            mock.insert(other)
            #expect(other.isInserted && other.managedObjectContext === mock)
            try mock.save()
        }
        try expect(container.newBackgroundContext().count(for: people), equals: 2)
    }

    @Test func eventsEndInTheSubclass() async throws {
        let (container, mock) = try stack()
        await mock.perform {
            mock.undoManager = UndoManager()
            _ = mock.make("Person", ["name": "Ada"])
        }
        #expect(mock.calls.contains("process"))
        try mock.performAndWait { () throws in
            mock.calls = []
            mock.undo()
            mock.redo()
            expect(mock.calls.first, equals: "undo")
            #expect(mock.calls.contains("redo"))
            mock.calls = []
            try mock.save()
            expect(mock.calls.first, equals: "process")
        }
        withExtendedLifetime(container) {}
    }

    @Test func otherMembersAreTheSubclasss() throws {
        let (container, mock) = try stack()
        let client: NSManagedObjectContext = mock
        let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
        try client.performAndWait { () throws in
            let person = client.make("Person", ["name": "Ada"])
            client.assign(person, to: store)
            #expect(client.insertedObjects.isEmpty && client.updatedObjects.isEmpty)
            #expect(client.deletedObjects.isEmpty && client.registeredObjects.isEmpty)
            try client.save()
            client.detectConflicts(for: person)
            expect(client.registeredObject(for: person.objectID), equals: person)
            client.refreshAllObjects()
            try client.setQueryGenerationFrom(nil)
        }
        client.automaticallyMergesChangesFromParent = true
        client.mergeChanges(fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave))
        type(of: client).mergeChanges(fromRemoteContextSave: [:], into: [client])
        client.observeValue(forKeyPath: "x", of: nil, change: nil, context: nil)
        client.encode(with: NSKeyedArchiver(requiringSecureCoding: false))
        expect(
            mock.calls.filter { $0 != "process" },
            equals: [
                "insert", "assign", "detect", "registered", "refreshAll", "generation", "merges true",
                "merge",
                "remote", "observe x", "encode",
            ])
        #expect(client.queryGenerationToken == .current && client.userInfo["mock"] as? Bool == true)
        expect(client.concurrencyType, equals: .mainQueueConcurrencyType)
    }
}
