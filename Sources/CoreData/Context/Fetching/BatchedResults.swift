// The result of a fetch that may be very long: keys in memory, objects a batch at a time.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// A random-access collection of managed objects that keeps 8 bytes a row and makes objects batch by batch.
///
/// On Apple's systems the array that a fetch with `fetchBatchSize` returns is lazy in this way; a native array
/// can't be. The rows are those of the moment of the fetch; unsaved changes are not laid over them. Like every
/// object of a context, a collection belongs to the context's queue.
public final class BatchedResults<Object: NSManagedObject>: RandomAccessCollection {
    private let keys: StoreKeys
    private let batchSize: Int
    private let store: NSPersistentStore
    private let context: NSManagedObjectContext
    private let fetch: ResolvedFetch
    /// The batches at hand, most recent last. Unchecked: sound because a collection belongs to the context's queue, and reading
    /// a batch, which calls clients' code, ends before the list is changed.
    @exclusivity(unchecked)
    private var batches: [(number: Int, objects: [NSManagedObject])] = []

    init(
        _ keys: StoreKeys, of fetch: ResolvedFetch, batchSize: Int, store: NSPersistentStore,
        context: NSManagedObjectContext
    ) {
        self.keys = keys
        self.fetch = fetch
        self.batchSize = batchSize
        self.store = store
        self.context = context
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { keys.primaryKeys.count }

    /// The object at a position. Reads its batch from the store if it isn't at hand; if that fails the object is a
    /// fault, which then can't be read either. Raises beyond the bounds, and if the entity's objects are of another class.
    public subscript(position: Int) -> Object {
        guard keys.primaryKeys.indices.contains(position) else {
            raise(.range, "position \(position) beyond the \(count) results")
        }
        let object = batch(position / batchSize)[position % batchSize]
        guard let typed = object as? Object else {
            raise(.invalidArgument, "the results are of class \(type(of: object)), not \(Object.self)")
        }
        return typed
    }

    /// Returns the ID at a position, without reading the row.
    public func objectID(at position: Int) -> NSManagedObjectID {
        let entity = keys.entities.map { Int($0[position]) } ?? keys.entity
        return NSManagedObjectID(
            context.runtime.entities[entity], primaryKey: context.permanent(keys.primaryKeys[position]),
            store: store)
    }

    /// Reads the batch of a position from the store, unless it is at hand.
    ///
    /// - Throws: what a fetch throws, where the subscript gives a fault; `NSCoreDataError` for a position beyond the bounds.
    public func load(at position: Int) throws {
        guard keys.primaryKeys.indices.contains(position) else {
            throw RequestErrors.wrong("position \(position) is beyond the \(count) results")
        }
        try context.beginRequest()
        _ = try loaded(position / batchSize)
    }

    private func batch(_ number: Int) -> [NSManagedObject] {
        do {
            return try loaded(number)
        } catch {
            Log.warning("a batch of results can't be read, its objects are faults: \(error)")
            return range(number).map { context.fault(keys, at: $0, store: store) }
        }
    }

    private func range(_ number: Int) -> Range<Int> {
        number * batchSize..<Swift.min((number + 1) * batchSize, count)
    }

    private func loaded(_ number: Int) throws -> [NSManagedObject] {
        if let last = batches.last, last.number == number { return last.objects }
        if let known = batches.first(where: { $0.number == number }) { return known.objects }
        let objects = try context.objects(keys, range: range(number), store: store)
        try context.prefetch(fetch, objects: objects)
        // Two batches serve a reader that goes to and fro over a boundary.
        if batches.count == 2 { batches.removeFirst() }
        batches.append((number, objects))
        return objects
    }
}

extension NSManagedObjectContext {
    /// Executes a request and returns its objects as a collection that reads them batch by batch, so that memory
    /// stays flat over any number of rows. The batch size is the request's, 500 if it states none. Relationships
    /// that the request prefetches are read with each batch.
    ///
    /// ```swift
    /// for hero in try context.fetchBatched(NSFetchRequest<Hero>(entityName: "Hero")) {
    ///     print(hero.name ?? "")
    /// }
    /// ```
    ///
    /// - Returns: the objects, none of which is read yet but those of the first batch.
    /// - Throws: what `NSManagedObjectContext.fetch(_:)` throws.
    public final func fetchBatched<Object: NSManagedObject>(
        _ request: NSFetchRequest<Object>
    ) throws -> BatchedResults<Object> {
        try beginRequest()
        let fetch = try ResolvedFetch(request.asked, affected: request.affectedStores, in: self)
        guard fetch.stores.count == 1, fetch.memorySort.isEmpty else {
            throw CoreDataError.make(
                NSPersistentStoreUnsupportedRequestTypeError,
                description: "Batched results need one store and sort descriptors that a store can follow.",
                userInfo: [CoreDataError.Key.entity: fetch.entity.name])
        }
        fetch.entity.noteClass(Object.self)
        let store = fetch.stores[0]
        let keys = try readingStores { try store.fetchKeys(fetch.storeFetch) }
        let size = request.fetchBatchSize > 0 ? request.fetchBatchSize : 500
        return BatchedResults(keys, of: fetch, batchSize: size, store: store, context: self)
    }

    /// The objects of a part of the keys, in its order, read with one request. A row that is gone gives a fault.
    final func objects(
        _ keys: StoreKeys, range: Range<Int>, store: NSPersistentStore
    ) throws -> [NSManagedObject] {
        let wanted = keys.primaryKeys[range]
        let entity = runtime.entities[keys.entity]
        var found: [NSManagedObject] = []
        found.reserveCapacity(wanted.count)
        try readingStores {
            try store.fetchRows(entity: entity, primaryKeys: Array(wanted)) { slab in
                registerRows(slab, store: store, entity: entity, into: &found)
            }
        }
        // Stores mostly deliver by key, which is the order of most results.
        if found.count == wanted.count, zip(found, wanted).allSatisfy({ $0.primaryKey == $1 }) {
            return found
        }
        let byKey = Dictionary(found.map { ($0.primaryKey, $0) }, uniquingKeysWith: { first, _ in first })
        return range.map { position in
            byKey[keys.primaryKeys[position]] ?? fault(keys, at: position, store: store)
        }
    }

    fileprivate final func fault(
        _ keys: StoreKeys, at position: Int, store: NSPersistentStore
    ) -> NSManagedObject {
        let number = keys.entities.map { Int($0[position]) } ?? keys.entity
        return object(runtime.entities[number], primaryKey: keys.primaryKeys[position], store: store)
    }
}
