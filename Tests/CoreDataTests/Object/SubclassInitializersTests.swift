// Subclasses of Apple's other classes, whose initialisers are overridden as there: without `required`.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

private final class CountingPolicy: NSEntityMigrationPolicy {
    let step: Int

    override init() {
        step = 3
        super.init()
    }
}

private final class LabelledRequest: NSFetchRequest<NSManagedObject> {
    var label: String

    init(label: String) {
        self.label = label
        super.init()
    }

    override init() {
        label = "copy"
        super.init()
    }

    required init?(coder: NSCoder) { nil }
}

private final class MarkedAttribute: NSAttributeDescription {
    var mark = 5

    override init() {
        super.init()
        mark += 1
    }

    required init?(coder: NSCoder) { nil }
}

private final class MarkedEntity: NSEntityDescription {
    var mark = 1
}

/// A store with initialisers of both forms.
private final class PlainStore: NSAtomicStore, @unchecked Sendable {
    static let storeType = "PlainStore"
    let opened: String

    override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?,
        at url: URL, options: [AnyHashable: Any]? = nil
    ) {
        opened = "\(name ?? "-") \(url.lastPathComponent) \(options?["Key"] as? String ?? "-")"
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        metadata = [NSStoreTypeKey: Self.storeType, NSStoreUUIDKey: UUID().uuidString]
    }

    override var type: String { Self.storeType }
    override func load() throws {}
}

@Suite struct SubclassInitializersTests {
    @Test func aPolicyOfAMappingIsMadeByItsOwnInitializer() {
        NSEntityMigrationPolicy.register(CountingPolicy.self, name: "CountingPolicy")
        expect((CountingPolicy() as CountingPolicy).step, equals: 3)
    }

    @Test func copiesAreMadeByTheSubclass() throws {
        let request = LabelledRequest(label: "first")
        request.fetchLimit = 3
        let copy = try #require(request.copy() as? LabelledRequest)
        #expect(copy.label == "copy" && copy.fetchLimit == 3)
        let attribute = MarkedAttribute()
        attribute.name = "size"
        let entity = MarkedEntity()
        entity.name = "Thing"
        entity.properties = [attribute]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let copied = try #require((model.copy() as? NSManagedObjectModel)?.entitiesByName["Thing"])
        #expect((copied as? MarkedEntity)?.mark == 1 && copied !== entity)
        expect((copied.propertiesByName["size"] as? MarkedAttribute)?.mark, equals: 6)
    }

    @Test(arguments: [
        nil, "Default part", "A configuration's name that takes more than a small string's bytes",
    ])
    func aStoreClassGetsWhatItWasAddedWith(_ configuration: String?) throws {
        NSPersistentStoreCoordinator.registerStoreClass(PlainStore.self, forStoreType: PlainStore.storeType)
        let entity = NSEntityDescription()
        entity.name = "Thing"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        if let configuration { model.setEntities([entity], forConfigurationName: configuration) }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: PlainStore.storeType, configurationName: configuration,
            at: URL(filePath: "/tmp/thing.plain"), options: ["Key": "given"])
        let plain = try #require(store as? PlainStore)
        expect(plain.opened, equals: "\(configuration ?? "-") thing.plain given")
        #expect(plain.persistentStoreCoordinator === coordinator)
        try coordinator.remove(store)
    }
}
