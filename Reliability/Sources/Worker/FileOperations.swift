// Migrations, batches, and what is done to whole files.

import CoreData
import Foundation

/// Brings a store to the second version where it lies, as can be inferred.
class MigrateOperation: Operation {
    fileprivate let request: Request
    fileprivate var old: Place
    fileprivate var new: Place

    init(_ request: Request) {
        self.request = request
        (old, new) = (Place(request), Place(request))
        (old.version, new.version) = (1, 2)
    }

    func prepare() async throws { try SaveOperation.fill(old, generations: request.number("before")) }

    func step() async throws { try Stack(new).close() }
}

/// Does the same by a mapping model and a migration manager, which makes a new file.
final class MapOperation: MigrateOperation {
    override func step() async throws {
        let (source, destination) = (TestModel.make(version: 1), TestModel.make(version: 2))
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: old.type, at: old.url, options: nil)
        if destination.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return }
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: source, destinationModel: destination)
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        try manager.migrateStore(
            from: old.url, type: .sqlite, options: old.options, mapping: mapping, to: old.url, type: .sqlite,
            options: old.options)
    }
}

/// Inserts, updates and deletes rows by batches: steps 3k+1, 3k+2 and 3k+3.
final class BatchOperation: Operation {
    static let rows = 40
    private let request: Request
    private var stack: Stack?
    private var next = 1

    init(_ request: Request) { self.request = request }

    func prepare() async throws {
        try SaveOperation.fill(Place(request), generations: request.number("before"))
    }

    func begin() async throws { stack = try Stack(Place(request)) }

    func step() async throws {
        guard let stack else { throw Request.Problem(text: "no store is open") }
        let batch = (next + 2) / 3
        try stack.context.performAndWait {
            stack.context.transactionAuthor = "b\(next)"
            _ = try stack.context.execute(Self.batch(number: batch, of: next))
        }
        next += 1
    }

    private static func batch(number: Int, of step: Int) -> NSPersistentStoreRequest {
        switch step % 3 {
        case 1:
            return NSBatchInsertRequest(
                entityName: "Item",
                objects: (0..<rows).map { ["batch": number, "number": $0, "value": $0, "name": "row \($0)"] })
        case 2:
            let update = NSBatchUpdateRequest(entityName: "Item")
            update.predicate = NSPredicate(format: "batch == %@", NSNumber(value: number))
            update.propertiesToUpdate = ["value": NSExpression(format: "number * 2 + batch")]
            return update
        default:
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
            fetch.predicate = NSPredicate(format: "batch == %@", NSNumber(value: number - 1))
            return NSBatchDeleteRequest(fetchRequest: fetch)
        }
    }

    func end() { stack?.close() }
}

/// Puts one store in another's place.
final class ReplaceOperation: Operation {
    private let request: Request
    private let (source, destination): (Place, Place)

    init(_ request: Request) {
        self.request = request
        (source, destination) = (Place(request, file: "source.sqlite"), Place(request))
    }

    func prepare() async throws {
        try SaveOperation.fill(destination, generations: request.number("before"))
        try SaveOperation.fill(source, generations: request.number("source"))
    }

    func step() async throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        try coordinator.replacePersistentStore(
            at: destination.url, destinationOptions: destination.options, withPersistentStoreFrom: source.url,
            sourceOptions: source.options, ofType: source.type)
    }
}

/// Moves a store to another file.
final class MoveOperation: Operation {
    private let request: Request
    private var stack: Stack?

    init(_ request: Request) { self.request = request }

    func prepare() async throws {
        try SaveOperation.fill(Place(request), generations: request.number("before"))
    }

    func begin() async throws { stack = try Stack(Place(request)) }

    func step() async throws {
        guard let stack else { throw Request.Problem(text: "no store is open") }
        let target = Place(request, file: "moved.sqlite")
        let moved = try stack.coordinator.migratePersistentStore(
            stack.store, to: target.url, options: target.options, withType: target.type)
        try stack.coordinator.remove(moved)
    }

    func end() { stack?.close() }
}

/// Destroys a store.
final class DestroyOperation: Operation {
    private let request: Request

    init(_ request: Request) { self.request = request }

    func prepare() async throws {
        try SaveOperation.fill(Place(request), generations: request.number("before"))
    }

    func step() async throws {
        let place = Place(request)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        try coordinator.destroyPersistentStore(at: place.url, ofType: place.type, options: place.options)
    }
}
