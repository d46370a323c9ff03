// Relationships read together with a fetch, a request per relationship instead of one per object.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    /// Reads the objects along each key path.
    final func prefetch(_ fetch: ResolvedFetch, objects: [NSManagedObject]) throws {
        for path in fetch.fields.relationshipKeyPathsForPrefetching ?? [] {
            var level = objects
            let names = path.split(separator: ".")
            for (number, name) in names.enumerated() {
                level = try prefetch(
                    String(name), of: level, path: path, areAll: number == 0 && fetch.wantsAll,
                    isLast: number == names.count - 1)
            }
        }
    }

    /// Reads one relationship of objects, and gives the objects on its other side unless it is the last of the path.
    private final func prefetch(
        _ name: String, of objects: [NSManagedObject], path: String, areAll: Bool, isLast: Bool
    ) throws -> [NSManagedObject] {
        var next: [NSManagedObject] = []
        var seen = Set<ObjectIdentifier>()
        for (_, group) in Dictionary(grouping: objects, by: { $0.runtime.number }) {
            guard let property = group[0].runtime.property(name), let relation = property.relation else {
                throw RequestErrors.wrong(
                    "\"\(path)\" is no path of relationships of entity \"\(group[0].runtime.name)\"",
                    entity: group[0].runtime.name, property: path)
            }
            if case .toOne(let slot, _) = property.kind {
                try prefetchToOne(slot, relation: relation, objects: group)
                if isLast { continue }
                for object in group {
                    if let target = object.toOne(slot, relation: relation),
                        seen.insert(ObjectIdentifier(target)).inserted
                    {
                        next.append(target)
                    }
                }
            } else {
                try prefetchToMany(relation, objects: group, areAll: areAll)
                if isLast { continue }
                for object in group {
                    for member in object.toMany(relation).objects
                    where seen.insert(ObjectIdentifier(member)).inserted {
                        next.append(member)
                    }
                }
            }
        }
        return next
    }

    private final func prefetchToOne(
        _ slot: Slot, relation: RelationRuntime, objects: [NSManagedObject]
    ) throws {
        let targets = objects.compactMap { $0.toOne(slot, relation: relation) }
        let empty = targets.filter { $0.isFault && !$0.state.hasRow && $0.isKnownBelow }
        for (table, faults) in Dictionary(grouping: empty, by: { Int($0.table) }) {
            let store = try requiredStore(ofTable: table)
            let entity = relation.destination(in: runtime)
            let keys = Array(Set(faults.map(\.primaryKey)))
            var filled: [NSManagedObject] = []
            try readingStores {
                try store.fetchRows(entity: entity, primaryKeys: keys) { slab in
                    registerRows(slab, store: store, entity: entity, into: &filled)
                }
            }
        }
    }

    /// Reads a to-many relationship of objects of one entity that haven't read it.
    ///
    /// - Parameter areAll: whether they are all that the store has, so that it may read the other side without asking
    ///   whose it is.
    final func prefetchToMany(
        _ relation: RelationRuntime, objects: [NSManagedObject], areAll: Bool = false
    ) throws {
        let unread = objects.filter { !$0.toMany(relation).isLoaded && $0.isKnownBelow }
        for (table, group) in Dictionary(grouping: unread, by: { Int($0.table) }) {
            let store = try requiredStore(ofTable: table)
            let destination = relation.destination(in: runtime)
            let keys = group.map(\.primaryKey)
            let places = SourcePlaces(keys)
            var members = [[NSManagedObject]](repeating: [], count: group.count)
            try readingStores {
                try store.fetchRelated(relation, of: group[0].runtime, sources: keys, areAll: areAll) {
                    rows in
                    var found: [NSManagedObject] = []
                    found.reserveCapacity(rows.slab.count)
                    registerRows(
                        rows.slab, store: store, entity: destination, into: &found)
                    for (source, object) in zip(rows.sources, found) {
                        if let place = places.place(of: source) { members[place].append(object) }
                    }
                }
            }
            for (place, object) in group.enumerated() { object.toMany(relation).take(members[place]) }
        }
    }
}

/// The places of objects in a list, by primary key. Asked once for every related row, where a dictionary's hashing shows.
private struct SourcePlaces: ~Copyable {
    private var places = KeyPages()

    init(_ keys: [Int64]) {
        // An address of zero is none.
        for (place, key) in keys.enumerated() {
            places.insert(key, address: UnsafeMutableRawPointer(bitPattern: place + 1)!)
        }
    }

    func place(of key: Int64) -> Int? { places.find(key).map { Int(bitPattern: $0) - 1 } }
}

extension ResolvedFetch {
    /// Indicates whether the result is all objects of a root entity.
    fileprivate var wantsAll: Bool {
        storeFetch.predicate == nil && storeFetch.limit == 0 && storeFetch.offset == 0
            && storeFetch.includesSubentities && entity.number == entity.rootNumber
    }
}

extension NSManagedObject {
    /// The objects of a fetched property, fetched when first asked for and kept until the object is refreshed. None if
    /// they can't be fetched, of which note is taken.
    final func fetchedObjects(_ property: PropertyRuntime) -> Any? {
        if let known = extras?.fetched[property.number] { return known }
        guard let context = registry.context else { return nil }
        // Nothing is answered before what couldn't be read is read again.
        if context.readError != nil { return [NSManagedObject]() }
        do {
            return try fetch(property)
        } catch {
            if context.readError == nil {
                context.noteFailedRead(of: self, property: property.name, for: property.name, cause: error)
            }
            return [NSManagedObject]()
        }
    }

    /// Fetches the objects of a fetched property, and keeps them.
    @discardableResult
    final func fetch(_ property: PropertyRuntime) throws -> [NSManagedObject] {
        guard let context = registry.context, case .fetched(let schema) = property.schema.kind,
            let description = runtime.descriptions[property.number] as? NSFetchedPropertyDescription,
            let request = description.fetchRequest
        else {
            throw RequestErrors.wrong(
                "fetched property \"\(property.name)\" has no request", entity: runtime.name,
                property: property.name)
        }
        var fields = request.asked
        if let predicate = schema.predicate {
            fields.predicate = NSPredicate.make(
                predicate.substituting([
                    "FETCH_SOURCE": ExpressionTree.constant(.object(ObjectReference(self))),
                    "FETCH_REQUEST": ExpressionTree.constant(.object(ObjectReference(request))),
                    "FETCHED_PROPERTY": ExpressionTree.constant(.object(ObjectReference(description))),
                ]))
        }
        let objects = try context.fetchObjects(ResolvedFetch(fields, affected: nil, in: context))
        ensureExtras().fetched[property.number] = objects
        return objects
    }
}
