// Fetches: from request to objects, IDs, dictionaries or a count.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataStores
package import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    /// Returns what a request asks for, with the context's unsaved changes unless the request leaves them
    /// out.
    ///
    /// ```swift
    /// let request = NSFetchRequest<Hero>(entityName: "Hero")
    /// request.predicate = NSPredicate(format: "name BEGINSWITH %@", "Su")
    /// let heroes = try context.fetch(request)
    /// print(heroes.count)
    /// ```
    ///
    /// - Throws: the store's errors; `NSCoreDataError` for what the model doesn't have, or no store can do;
    ///   `NSPersistentStoreOperationError` without a coordinator; `readError`.
    public final func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] {
        if type(of: self) == NSManagedObjectContext.self { return try results(of: request) }
        noteClass(of: request)
        return try typed(fetch(request.untyped))
    }

    /// Returns what a request asks for, whatever a subclass says.
    final func results<T: NSFetchRequestResult>(of request: NSFetchRequest<T>) throws -> [T] {
        try beginRequest()
        let results = Result { try fetched(request) }
        try throwReadError()
        return try RequestErrors.asErrors(results)
    }

    private final func fetched<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] {
        noteClass(of: request)
        let fetch = try ResolvedFetch(request.asked, affected: request.affectedStores, in: self)
        switch request.resultType {
        case .managedObjectIDResultType: return try typed(fetchObjectIDs(fetch))
        case .dictionaryResultType: return try typed(fetchDictionaries(fetch))
        case .countResultType: return try typed([NSNumber(value: count(fetch))])
        default: return try typedObjects(try fetchObjects(fetch), fetch: fetch)
        }
    }

    /// Returns how many objects `fetch(_:)` would return.
    ///
    /// ```swift
    /// let count = try context.count(for: NSFetchRequest<Hero>(entityName: "Hero"))
    /// print(count)
    /// ```
    ///
    /// - Throws: what `fetch(_:)` throws.
    public final func count<T: NSFetchRequestResult>(for request: NSFetchRequest<T>) throws -> Int {
        try count(for: request.untyped)
    }

    /// Returns how many objects there are for a request, whatever a subclass says.
    final func number(of request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
        try beginRequest()
        let count = try count(ResolvedFetch(request.asked, affected: request.affectedStores, in: self))
        try throwReadError()
        return count
    }

    private final func noteClass<T: NSFetchRequestResult>(of request: NSFetchRequest<T>) {
        guard let objectClass = T.self as? NSManagedObject.Type else { return }
        let fields = request.asked
        let entity =
            fields.entity.flatMap(runtime.entity(for:)) ?? fields.name.flatMap(runtime.entity(spelled:))
        entity?.noteClass(objectClass)
    }

    /// Results of another kind than objects, as the type that the request names.
    private final func typed<T>(_ results: [Any]) throws -> [T] {
        try results.map { result in
            guard let typed = result as AnyObject as? T else {
                throw RequestErrors.wrong(
                    "its result type gives \(type(of: result)), but the request says \(T.self)")
            }
            return typed
        }
    }

    /// Objects as the type that the request names. One check for each class that occurs, not for each object.
    private final func typedObjects<T>(_ objects: [NSManagedObject], fetch: ResolvedFetch) throws -> [T] {
        var checked: NSManagedObject.Type?
        try objects.each { object in
            if type(of: object) == checked { return }
            guard object is T else {
                throw RequestErrors.wrong(
                    "entity \"\(object.runtime.name)\" has objects of class \(type(of: object)), but the request "
                        + "says \(T.self): register the class or name it in the model",
                    entity: object.runtime.name)
            }
            checked = type(of: object)
        }
        // Every element was checked by class; arrays of references are laid out alike.
        return unsafeBitCast(objects, to: [T].self)
    }

    // MARK: Objects

    /// - Parameter refreshing: `false` if objects that are here keep their values whatever the request says.
    final func fetchObjects(_ fetch: ResolvedFetch, refreshing: Bool = true) throws -> [NSManagedObject] {
        applyPendingDeletes()
        let overlay = PendingOverlay(self, fetch: fetch)
        var objects: [NSManagedObject] = []
        let request = fetch.isAnswered(under: overlay) ? fetch.storeFetch : fetch.storeFetch.unbounded
        var isRefreshed = false
        for store in fetch.stores {
            let found = try fetchObjects(fetch, request: request, store: store) {
                if refreshing, refresh(refetched: $0, rows: $1) { isRefreshed = true }
            }
            objects = objects.isEmpty ? found : objects + found
        }
        if connectReappeared() { isRefreshed = true }
        // Newer rows may have changed what unsaved changes say of relationships.
        if isRefreshed { return try fetchObjects(fetch, refreshing: false) }
        return try complete(objects, fetch: fetch, overlay: overlay)
    }

    /// Makes a fetch's result of what the stores found: unsaved changes, order and bounds, prefetching.
    final func complete(
        _ found: [NSManagedObject], fetch: ResolvedFetch, overlay: PendingOverlay
    ) throws -> [NSManagedObject] {
        var objects = found
        if !fetch.isAnswered(under: overlay) {
            let merged = try overlay.apply(to: objects)
            objects =
                try merged.isSorted && fetch.stores.count == 1 && fetch.memorySort.isEmpty
                ? merged.objects : sorted(merged.objects, fetch: fetch)
            objects = fetch.bounded(objects)
        }
        try prefetch(fetch, objects: objects)
        if !fetch.fields.returnsObjectsAsFaults { for object in objects { object.prepareToRead() } }
        return objects
    }

    private final func fetchObjects(
        _ fetch: ResolvedFetch, request: StoreFetch, store: NSPersistentStore,
        refresh: ([NSManagedObject], [RowSlab]) -> Void
    ) throws -> [NSManagedObject] {
        let batchSize = fetch.fields.fetchBatchSize
        let wantsFaults = !fetch.fields.includesPropertyValues || store.deliversFaults
        if batchSize > 0 || wantsFaults {
            let keys = try readingStores { try store.fetchKeys(request) }
            if batchSize > 0 && batchSize < keys.primaryKeys.count {
                batches.remember(FaultBatch(keys, batchSize: batchSize, store: store))
                return faults(keys, store: store)
            }
            if wantsFaults { return faults(keys, store: store) }
        }
        var objects: [NSManagedObject] = []
        let isRefreshing = fetch.fields.shouldRefreshRefetchedObjects
        var slabs: [RowSlab] = []
        try readingStores {
            try store.fetchRows(request) { slab in
                registerRows(slab, store: store, entity: fetch.entity, into: &objects)
                if isRefreshing { slabs.append(slab) }
            }
        }
        if isRefreshing { refresh(objects, slabs) }
        return objects
    }

    final func faults(_ keys: StoreKeys, store: NSPersistentStore) -> [NSManagedObject] {
        keys.primaryKeys.indices.map { position in
            let number = keys.entities.map { Int($0[position]) } ?? keys.entity
            return object(runtime.entities[number], primaryKey: keys.primaryKeys[position], store: store)
        }
    }

    private final func sorted(_ objects: [NSManagedObject], fetch: ResolvedFetch) throws
        -> [NSManagedObject]
    {
        if !fetch.memorySort.isEmpty {
            return objects.sorted { left, right in
                for descriptor in fetch.memorySort {
                    let order = descriptor.compare(left, to: right)
                    if order != .orderedSame { return order == .orderedAscending }
                }
                return false
            }
        }
        if fetch.storeFetch.sortKeys.isEmpty { return objects }
        let values = objects.map { Value.object(ObjectReference($0)) }
        return try SortEvaluator(fetch.storeFetch.sortKeys).sorted(values).compactMap {
            guard case .object(let reference) = $0 else { return nil }
            return reference.object as? NSManagedObject
        }
    }

    // MARK: IDs, counts, dictionaries

    final func fetchObjectIDs(_ fetch: ResolvedFetch) throws -> [NSManagedObjectID] {
        applyPendingDeletes()
        let overlay = PendingOverlay(self, fetch: fetch)
        guard overlay.isEmpty, fetch.memorySort.isEmpty, fetch.stores.count == 1 else {
            return try fetchObjects(fetch).map(\.objectID)
        }
        let store = fetch.stores[0]
        let keys = try readingStores { try store.fetchKeys(fetch.storeFetch) }
        guard let entities = keys.entities else {
            let origin = store.origin(of: runtime.entities[keys.entity])
            return keys.primaryKeys.map { NSManagedObjectID(origin, primaryKey: $0) }
        }
        return zip(keys.primaryKeys, entities).map { key, number in
            NSManagedObjectID(runtime.entities[Int(number)], primaryKey: key, store: store)
        }
    }

    final func count(_ fetch: ResolvedFetch) throws -> Int {
        applyPendingDeletes()
        // As many rows as objects, unless equal ones become one, or several an aggregate.
        if fetch.fields.combinesRows { return try dictionaryCount(fetch) }
        guard PendingOverlay(self, fetch: fetch).isEmpty else { return try fetchObjects(fetch).count }
        if fetch.stores.count == 1 {
            return try readingStores { try fetch.stores[0].fetchCount(fetch.storeFetch) }
        }
        let all = try fetch.stores.reduce(0) { sum, store in
            sum + (try readingStores { try store.fetchCount(fetch.storeFetch.unbounded) })
        }
        let rest = max(0, all - fetch.storeFetch.offset)
        return fetch.storeFetch.limit > 0 ? min(rest, fetch.storeFetch.limit) : rest
    }

    private final func dictionaryCount(_ fetch: ResolvedFetch) throws -> Int {
        let request = try fetch.dictionaryRequest()
        if fetch.stores.count > 1 {
            return try answers(request, stores: fetch.stores).reduce(0) { $0 + $1.count }
        }
        return try fetch.stores.reduce(0) { sum, store in
            sum + (try readingStores { try store.fetchDictionaryCount(request) })
        }
    }

    private final func fetchDictionaries(_ fetch: ResolvedFetch) throws -> [NSDictionary] {
        applyPendingDeletes()
        let request = try fetch.dictionaryRequest()
        let names = request.columns.map(\.name)
        let composites = try fetch.composites()
        let shown = names.indices.filter { !composites.columns.contains(names[$0]) }
        let wholes = composites.names.map { ($0, Self.elements(of: $0, names)) }
        var results: [NSDictionary] = []
        for rows in try answers(request, stores: fetch.stores) {
            results += rows.map { row in
                let dictionary = NSMutableDictionary()
                for column in shown {
                    if let value = row[column].any { dictionary[names[column]] = value }
                }
                for (composite, columns) in wholes {
                    var elements: [String: Any] = [:]
                    for (column, path) in columns {
                        CompositeElements.set(row[column].any, at: path, in: &elements)
                    }
                    if !elements.isEmpty { dictionary[composite] = elements }
                }
                return dictionary
            }
        }
        return results
    }

    /// The columns with the elements of a composite attribute, and their paths below it.
    private static func elements(of composite: String, _ names: [String]) -> [(Int, ArraySlice<String>)] {
        names.indices.filter { names[$0].hasPrefix(composite + ".") }
            .map { ($0, CompositeElements.path(names[$0].dropFirst(composite.count + 1))) }
    }

    /// Returns the answer of each store, or the common one of several.
    final func answers(_ request: StoreDictionaryFetch, stores: [NSPersistentStore]) throws
        -> [[[Value]]]
    {
        if stores.count < 2 {
            return try stores.map { store in try readingStores { try store.fetchDictionaries(request) } }
        }
        var next = stores[...]
        return [
            try SeveralStoreRows(request).rows(
                { asked in
                    guard let store = next.popFirst() else { return [] }
                    return try readingStores { try store.fetchDictionaries(asked) }
                }, of: stores.count)
        ]
    }
}

extension StoreFetch {
    /// The same fetch without limit and offset: changes in memory come before both.
    var unbounded: StoreFetch {
        var copy = self
        copy.limit = 0
        copy.offset = 0
        return copy
    }
}

extension ResolvedFetch {
    /// Returns whether one store can give the result as it is to be.
    func isAnswered(under overlay: PendingOverlay) -> Bool {
        overlay.isEmpty && memorySort.isEmpty && stores.count == 1
    }

    /// A result's part that offset and limit leave.
    func bounded(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        let rest = storeFetch.offset > 0 ? Array(objects.dropFirst(storeFetch.offset)) : objects
        return storeFetch.limit > 0 ? Array(rest.prefix(storeFetch.limit)) : rest
    }
}

extension NSFetchRequest {
    /// The request itself, as contexts of clients' classes are asked by it. Sound because results are references, whatever their
    /// type: nothing in a request is laid out by it.
    final var untyped: NSFetchRequest<any NSFetchRequestResult> {
        unsafeBitCast(self, to: NSFetchRequest<any NSFetchRequestResult>.self)
    }

    final func executeHere() throws -> [ResultType] {
        guard let context = NSManagedObjectContext.current else {
            throw RequestErrors.foreign("execute() needs a context: call it inside perform or performAndWait")
        }
        return try context.fetch(self)
    }
}

extension NSManagedObjectContext: PredicateFetching {
    /// Executes a request that stands in a predicate.
    package final func predicateFetch(_ request: Value, countOnly: Bool) throws -> Value {
        guard case .object(let reference) = request,
            let request = reference.object as? any FetchRequestWithFields
        else { throw EvaluationFailure(reason: "a fetch expression needs a fetch request") }
        let fetch = try ResolvedFetch(request.asked, affected: request.affectedStores, in: self)
        if countOnly { return .integer(Int64(try count(fetch))) }
        return .array(try fetchObjects(fetch).map { .object(ObjectReference($0)) })
    }
}
