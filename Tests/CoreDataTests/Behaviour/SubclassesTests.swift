// Subclasses of clients that stand in for the classes themselves, as tests of apps have them.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

private final class CountingContext: NSManagedObjectContext, @unchecked Sendable {
    var saves = 0

    override init(concurrencyType: NSManagedObjectContextConcurrencyType) {
        super.init(concurrencyType: concurrencyType)
    }

    required init?(coder: NSCoder) { super.init(coder: coder) }

    override func save() throws {
        saves += 1
        try super.save()
    }
}

/// Refuses stores of one type and counts what it is asked for.
private final class PickyCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
    var executed = 0
    var removed = 0

    override func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        if storeType == NSBinaryStoreType { throw CocoaError(.featureUnsupported) }
        return try super.addPersistentStore(
            ofType: storeType, configurationName: configuration, at: storeURL, options: options)
    }

    override func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext
    ) throws -> Any {
        executed += 1
        return try super.execute(request, with: context)
    }

    override func remove(_ store: NSPersistentStore) throws {
        removed += 1
        try super.remove(store)
    }
}

private final class WatchedController: NSFetchedResultsController<NSManagedObject> {
    var delegates = 0

    override weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        didSet { delegates += 1 }
    }
}

/// Has a coordinator of its own, and changes every view context that it hands out.
private final class SharedContainer: NSPersistentContainer, @unchecked Sendable {
    static let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())

    override var name: String { "shared " + super.name }
    override var persistentStoreCoordinator: NSPersistentStoreCoordinator { Self.coordinator }
    override var viewContext: NSManagedObjectContext {
        let context = super.viewContext
        context.name = "view"
        return context
    }
}

private final class Delegate: NSObject, NSFetchedResultsControllerDelegate {
    var changes = 0

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        changes += 1
    }
}

@Suite struct SubclassesTests {
    private func model() -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Thing"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    @Test func coordinatorsMethodsAreOverridden() throws {
        let coordinator = PickyCoordinator(managedObjectModel: model())
        #expect(throws: CocoaError.self) {
            try coordinator.addPersistentStore(ofType: NSBinaryStoreType, configurationName: nil, at: nil)
        }
        let store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let found = try context.performAndWait {
            try coordinator.execute(NSFetchRequest<NSManagedObject>(entityName: "Thing"), with: context)
        }
        expect((found as? [Any])?.count, equals: 0)
        try coordinator.remove(store)
        expect(coordinator.executed, equals: 1)
        expect(coordinator.removed, equals: 1)
    }

    @Test func contextsAreMadeAndUnarchivedByTheirInitialisers() throws {
        let context = CountingContext(concurrencyType: .privateQueueConcurrencyType)
        context.name = "counting"
        context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        try context.performAndWait { try context.save() }
        expect(context.saves, equals: 1)
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        context.encode(with: archiver)
        archiver.finishEncoding()
        let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        reader.requiresSecureCoding = false
        let copy = try #require(CountingContext(coder: reader))
        expect(copy.name, equals: "counting")
        expect(copy.concurrencyType, equals: .privateQueueConcurrencyType)
    }

    /// A mapping model that a test puts in the place of the inferred one.
    private final class NoMapping: NSMappingModel {
        override class func inferredMappingModel(
            forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
        ) throws -> NSMappingModel { NoMapping() }
    }

    @Test func inferredMappingsAreOverridden() throws {
        let model = NSManagedObjectModel()
        #expect(
            try NoMapping.inferredMappingModel(forSourceModel: model, destinationModel: model) is NoMapping)
    }

    @Test func containersPropertiesAreOverridden() {
        let container = SharedContainer(name: "store", managedObjectModel: model())
        expect(container.name, equals: "shared store")
        expect(container.viewContext.name, equals: "view")
        #expect(container.viewContext.persistentStoreCoordinator === SharedContainer.coordinator)
        #expect(container.newBackgroundContext().persistentStoreCoordinator === SharedContainer.coordinator)
        expect(container.persistentStoreDescriptions.first?.url?.lastPathComponent, equals: "store.sqlite")
    }

    @Test func controllersSeeTheirDelegates() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
            request.sortDescriptors = []
            let controller = WatchedController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            let delegate = Delegate()
            controller.delegate = delegate
            try controller.performFetch()
            _ = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
            context.processPendingChanges()
            expect(controller.delegates, equals: 1)
            expect(delegate.changes, equals: 1)
        }
    }
}
