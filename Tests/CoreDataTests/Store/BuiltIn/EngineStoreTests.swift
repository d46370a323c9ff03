// An engine of one's own: a class below Apple's, and one line that registers it.

@testable import CoreData
import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

/// Rows in memory, without any ability, at URLs that aren't files.
private final class RemoteRows: RowStore, MemoryRowSource {
    static let type = "Remote"
    static let destroyed = Mutex<[URL]>([])

    private let rows: MemoryRowStore

    init(host: any StoreHost) {
        rows = MemoryRowStore(host: host)
    }

    static func metadata(at url: URL) throws -> StoreMetadata { StoreMetadata(uuid: "R") }
    static func setMetadata(_ entries: [PropertyList.Entry], at url: URL) throws {}

    static func checkPlace(_ url: URL?) throws {
        if url?.scheme != "remote" { throw StoreErrors.removed(url) }
    }

    static func destroy(at url: URL, options: [AnyHashable: Any]?) throws {
        destroyed.withLock { $0.append(url) }
    }

    var metadata: StoreMetadata {
        get { rows.metadata }
        set { rows.metadata = newValue }
    }
    var hasChangedMetadata: Bool {
        get { rows.hasChangedMetadata }
        set { rows.hasChangedMetadata = newValue }
    }

    func loadMetadata() throws {}
    func open(_ opening: StoreOpening) throws { try rows.open(opening) }
    func close() { rows.close() }
    func memory() throws -> MemoryRows { try rows.memory() }

    func allocateKeys(root: EntityRuntime, count: Int) throws -> Range<Int64> {
        try rows.allocateKeys(root: root, count: count)
    }

    func save(_ changes: StoreChanges, before rest: () throws -> Void) throws {
        try rows.save(changes, before: rest)
    }

    func takeCopies(_ body: (_ write: (StoreChanges) throws -> Void) throws -> Void) throws {
        try rows.takeCopies(body)
    }

    func execute(_ batch: StoreBatch) throws -> BatchChanges { try rows.execute(batch) }
}

@Suite(.serialized) struct EngineStoreTests {
    /// Runs the closure with a coordinator that can have stores of the engine.
    private func registered(_ body: (NSPersistentStoreCoordinator, URL) throws -> Void) throws {
        NSPersistentStoreCoordinator.registerStoreClass(
            EngineStore<RemoteRows>.self, forStoreType: RemoteRows.type)
        defer { NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: RemoteRows.type) }
        let entity = NSEntityDescription()
        entity.name = "Book"
        let title = NSAttributeDescription()
        (title.name, title.attributeType) = ("title", .stringAttributeType)
        entity.properties = [title]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let url = try #require(URL(string: "remote://host/\(UUID().uuidString)"))
        try body(NSPersistentStoreCoordinator(managedObjectModel: model), url)
    }

    @Test func oneLineOfRegistrationMakesAStore() throws {
        try registered { coordinator, url in
            try coordinator.addPersistentStore(
                ofType: RemoteRows.type, configurationName: nil, at: url)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue("Emma", forKey: "title")
                try context.save()
                context.reset()
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                try expect(
                    context.fetch(request).map { $0.value(forKey: "title") as? String }, equals: ["Emma"])
            }
        }
    }

    @Test func abilitiesThatAnEngineLacksAreAbsent() throws {
        try registered { coordinator, url in
            let store = try coordinator.addPersistentStore(
                ofType: RemoteRows.type, configurationName: nil, at: url)
            #expect(coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
            #expect(throws: (any Error).self) { try coordinator.verify(store) }
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
                try context.setQueryGenerationFrom(.current)
                #expect(context.queryGenerationToken == nil)
            }
        }
    }

    @Test func anEngineIsAskedForItsPlaces() throws {
        try registered { coordinator, _ in
            #expect(throws: (any Error).self) {
                try coordinator.addPersistentStore(
                    ofType: RemoteRows.type, configurationName: nil, at: URL(fileURLWithPath: "/tmp/x"))
            }
        }
    }

    @Test func aStoreWithoutFileIsDestroyedByItsEngine() throws {
        try registered { coordinator, url in
            try coordinator.addPersistentStore(ofType: RemoteRows.type, configurationName: nil, at: url)
            try coordinator.destroyPersistentStore(at: url, type: .init(rawValue: RemoteRows.type))
            #expect(coordinator.persistentStores.isEmpty)
            expect(RemoteRows.destroyed.withLock { $0 }, equals: [url])
        }
    }
}
