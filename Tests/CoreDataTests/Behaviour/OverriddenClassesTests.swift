// Members of the other classes that clients' subclasses override, and that the library asks.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

private final class NotingCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
    var calls: [String] = []

    override func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        calls.append("add")
        super.addPersistentStore(with: storeDescription, completionHandler: block)
    }

    override func destroyPersistentStore(
        at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws {
        calls.append("destroy")
        try super.destroyPersistentStore(at: url, ofType: storeType, options: options)
    }

    override func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        ofType storeType: String
    ) throws {
        calls.append("replace")
        try super.replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, ofType: storeType)
    }

    override func migratePersistentStore(
        _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil,
        withType storeType: String
    ) throws -> NSPersistentStore {
        calls.append("migrate")
        return try super.migratePersistentStore(store, to: URL, options: options, withType: storeType)
    }

    override func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        calls.append("id")
        return super.managedObjectID(forURIRepresentation: url)
    }

    override func metadata(for store: NSPersistentStore) -> [String: Any] { ["mock": 1] }
    override func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        calls.append("setMetadata")
    }
    override func persistentStore(for URL: URL) -> NSPersistentStore? { persistentStores.first }
    override func url(for store: NSPersistentStore) -> URL { URL(fileURLWithPath: "/mock") }
    override func setURL(_ url: URL, for store: NSPersistentStore) -> Bool { true }
    override func perform(_ block: @escaping () -> Void) { block() }
    override func performAndWait(_ block: () -> Void) { block() }
    override func lock() { calls.append("lock") }
    override func unlock() { calls.append("unlock") }
    override func tryLock() -> Bool { false }
    override func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
        nil
    }
    override func finishDeferredLightweightMigration() throws { calls.append("finish") }
    override func finishDeferredLightweightMigrationTask() throws { calls.append("finish one") }
    override class var registeredStoreTypes: [String: NSValue] { [:] }
    override class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] { ["type": storeType] }
}

/// Hides its values before saves, and counts who asks.
final class CountedObject: NSManagedObject {
    override func changedValues() -> [String: Any] { super.changedValues().mapValues { "\($0)!" } }
    override func changedValuesForCurrentEvent() -> [String: Any] { ["event": true] }
    override func committedValues(forKeys keys: [String]?) -> [String: Any] { ["keys": keys ?? []] }
    override var hasPersistentChangedValues: Bool { !super.hasPersistentChangedValues }
    override func hasFault(forRelationshipNamed key: String) -> Bool { key == "none" }
    override func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] { [objectID] }
    override func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) { setValue(keyPath, forKey: "name") }

    /// As Apple's method is spelled: trims names, and refuses empty ones.
    override func validateValue(
        _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
    ) throws {
        if let text = value.pointee as? String { value.pointee = text.filter { $0 != " " } as NSString }
        if value.pointee as? String == "" { throw CocoaError(.validationStringTooShort) }
        try super.validateValue(value, forKey: key)
    }
}

/// Finds one thing at a time, those with a name first.
private final class FirstRequest: NSFetchRequest<NSManagedObject> {
    override var entityName: String? { "Thing" }
    override var fetchLimit: Int {
        get { 1 }
        set {}
    }
    override var predicate: NSPredicate? {
        get { NSPredicate(format: "name != nil") }
        set { super.predicate = newValue }
    }
}

private final class NameDescription: NSAttributeDescription {
    override var attributeType: NSAttributeType {
        get { .stringAttributeType }
        set { super.attributeType = newValue }
    }
    override var defaultValue: Any? {
        get { "nameless" }
        set { super.defaultValue = newValue }
    }
    override var userInfo: [AnyHashable: Any]? {
        get { ["kind": "name"] }
        set { super.userInfo = newValue }
    }
}

private final class ThingDescription: NSEntityDescription {
    override var renamingIdentifier: String? {
        get { "Former" }
        set { super.renamingIdentifier = newValue }
    }
    override func isKindOf(entity: NSEntityDescription) -> Bool { true }
}

private final class ThingModel: NSManagedObjectModel {
    override var configurations: [String] { super.configurations + ["more"] }
    override func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        NSFetchRequest(entityName: name)
    }
    override class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? { ThingModel() }
}

private final class KindlyPolicy: NSMergePolicy, @unchecked Sendable {
    override var mergeType: NSMergePolicyType { .overwriteMergePolicyType }
    override class var error: NSMergePolicy { .rollback }
}

private final class Controller: NSFetchedResultsController<NSManagedObject> {
    override var fetchRequest: NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        return request
    }
}

@Suite struct OverriddenClassesTests {
    private func model() -> ThingModel {
        let entity = ThingDescription()
        entity.name = "Thing"
        let name = NameDescription()
        name.name = "name"
        entity.properties = [name]
        let model = ThingModel()
        model.entities = [entity]
        return model
    }

    private func context(_ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    @Test func coordinatorsAnswerTheirOwn() throws {
        let folder = try TemporaryFolder()
        let noting = NotingCoordinator(managedObjectModel: model())
        let coordinator: NSPersistentStoreCoordinator = noting
        let (one, two) = (folder.file("One.sqlite"), folder.file("Two.sqlite"))
        coordinator.addPersistentStore(with: NSPersistentStoreDescription(url: one)) { #expect($1 == nil) }
        let store = try #require(coordinator.persistentStores.first)
        #expect(coordinator.managedObjectID(for: "x-coredata://A/Thing/p1") == nil)
        let moved = try coordinator.migratePersistentStore(store, to: two, type: .sqlite)
        expect(coordinator.metadata(for: moved)["mock"] as? Int, equals: 1)
        coordinator.setMetadata(nil, for: moved)
        #expect(coordinator.persistentStore(for: one) === moved && coordinator.setURL(one, for: moved))
        expect(coordinator.url(for: moved).path, equals: "/mock")
        var ran = 0
        coordinator.perform { ran += 1 }
        coordinator.performAndWait { ran += 1 }
        expect(ran, equals: 2)
        coordinator.lock()
        coordinator.unlock()
        #expect(!coordinator.tryLock() && coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
        try coordinator.finishDeferredLightweightMigration()
        try coordinator.finishDeferredLightweightMigrationTask()
        try coordinator.replacePersistentStore(at: one, withPersistentStoreFrom: two, type: .sqlite)
        try coordinator.destroyPersistentStore(at: two, type: .sqlite)
        expect(
            noting.calls,
            equals: [
                "add", "id", "migrate", "setMetadata", "lock", "unlock", "finish", "finish one", "replace",
                "destroy",
            ])
        #expect(type(of: coordinator).registeredStoreTypes.isEmpty)
        let metadata = try NotingCoordinator.metadataForPersistentStore(type: .xml, at: two)
        expect(metadata["type"] as? String, equals: NSXMLStoreType)
    }

    @Test func objectsAnswerTheirOwn() throws {
        let model = model()
        model.entities[0].managedObjectClassName = NSStringFromClass(CountedObject.self)
        let context = try context(model)
        try context.performAndWait { () throws in
            let object: NSManagedObject = CountedObject(context: context)
            expect(object.value(forKey: "name") as? String, equals: "nameless")
            try context.save()
            #expect(object.hasPersistentChangedValues)
            object.setValue("x", forKey: "name")
            expect(object.changedValues()["name"] as? String, equals: "x!")
            #expect(object.changedValuesForCurrentEvent()["event"] as? Bool == true)
            #expect(object.committedValues(forKeys: ["a"])["keys"] as? [String] == ["a"])
            #expect(!object.hasPersistentChangedValues && object.hasFault(forRelationshipNamed: "none"))
            expect(object.objectIDs(forRelationshipNamed: "none"), equals: [object.objectID])
            let observer = CountedObject(context: context)
            object.addObserver(observer, forKeyPath: "name", context: nil)
            object.setValue("y", forKey: "name")
            expect(observer.value(forKey: "name") as? String, equals: "name")
            object.setValue(" z ", forKey: "name")
            try context.save()
            context.refresh(object, mergeChanges: false)
            expect(object.value(forKey: "name") as? String, equals: "z")
            object.setValue("  ", forKey: "name")
            expect(
                #expect(throws: CocoaError.self) { try context.save() }?.code,
                equals: .validationStringTooShort)
            var name: AnyObject? = "a b" as NSString
            try object.validateValue(&name, forKey: "name")
            expect(name as? String, equals: "ab")
        }
    }

    @Test func requestsSayTheirOwn() throws {
        let context = try context(model())
        try context.performAndWait { () throws in
            for name in ["a", nil, "b"] {
                NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
                    .setValue(name, forKey: "name")
            }
            try context.save()
            try expect(context.fetch(FirstRequest()).count, equals: 1)
            try expect(context.count(for: FirstRequest()), equals: 1)
            try expect(FirstRequest().execute().count, equals: 1)
            let found = try context.persistentStoreCoordinator?.execute(FirstRequest(), with: context)
            expect((found as? [NSManagedObject])?.count, equals: 1)
            let controller = Controller(
                fetchRequest: NSFetchRequest(entityName: "Thing").sorted(), managedObjectContext: context,
                sectionNameKeyPath: nil, cacheName: nil)
            try controller.performFetch()
            expect(controller.fetchedObjects?.first?.value(forKey: "name") as? String, equals: "b")
        }
    }

    @Test func descriptionsSayTheirOwn() throws {
        let model: NSManagedObjectModel = model()
        let entity = try #require(model.entitiesByName["Thing"])
        let name = try #require(entity.attributesByName["name"])
        expect(name.attributeType, equals: .stringAttributeType)
        expect(name.userInfo?["kind"] as? String, equals: "name")
        expect(entity.renamingIdentifier, equals: "Former")
        #expect(entity.isKindOf(entity: NSEntityDescription()))
        expect(model.configurations, equals: ["more"])
        expect(model.fetchRequestTemplate(forName: "x")?.entityName, equals: "x")
        #expect(type(of: model).mergedModel(from: nil) is ThingModel)
        expect(KindlyPolicy(merge: .errorMergePolicyType).mergeType, equals: .overwriteMergePolicyType)
        #expect(KindlyPolicy.error === NSMergePolicy.rollback)
    }
}

extension NSFetchRequest {
    fileprivate func sorted() -> Self {
        sortDescriptors = []
        return self
    }
}
