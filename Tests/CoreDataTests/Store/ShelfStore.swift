// An incremental store that answers every fetch of objects, IDs and counts, as a client would write it.

import CoreData
import Foundation

/// Keeps values by reference object; finds objects by letting predicates and sort descriptors see managed ones.
final class ShelfStore: NSIncrementalStore, @unchecked Sendable {  // only the coordinator calls it
    static let type = "ShelfStore"

    static func register() {
        NSPersistentStoreCoordinator.registerStoreClass(ShelfStore.self, forStoreType: type)
    }

    private struct Row {
        let entity: NSEntityDescription
        /// Relationships as reference objects.
        var values: [String: Any] = [:]
        var version: UInt64 = 0
    }

    private var rows: [Int: Row] = [:]
    private var last = 0

    override var type: String { Self.type }

    override func loadMetadata() throws {
        guard let url else { throw CocoaError(.fileNoSuchFile) }
        metadata = [NSStoreTypeKey: Self.type, NSStoreUUIDKey: Self.identifierForNewStore(at: url)]
    }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws
        -> Any
    {
        if let save = request as? NSSaveChangesRequest {
            for object in (save.insertedObjects ?? []).union(save.updatedObjects ?? []) { write(object) }
            for object in save.deletedObjects ?? [] { rows[number(object.objectID)] = nil }
            return [Any]()
        }
        guard let fetch = request as? NSFetchRequest<any NSFetchRequestResult>, let context,
            fetch.resultType != .dictionaryResultType
        else { throw CocoaError(.featureUnsupported) }
        let found = try objects(fetch, context)
        return fetch.resultType == .countResultType ? [NSNumber(value: found.count)] : found
    }

    private func objects(
        _ fetch: NSFetchRequest<any NSFetchRequestResult>, _ context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        guard let wanted = fetch.entity else { throw CocoaError(.featureUnsupported) }
        let numbers = rows.keys.sorted().filter { number in
            guard let entity = rows[number]?.entity else { return false }
            return fetch.includesSubentities ? entity.isKindOf(entity: wanted) : entity.name == wanted.name
        }
        var found = numbers.compactMap { number in
            rows[number].map { context.object(with: newObjectID(for: $0.entity, referenceObject: number)) }
        }
        if let predicate = fetch.predicate { found = found.filter { predicate.evaluate(with: $0) } }
        for descriptor in (fetch.sortDescriptors ?? []).reversed() {
            found = found.enumerated().sorted { left, right in
                let order = descriptor.compare(left.element, to: right.element)
                return order == .orderedSame ? left.offset < right.offset : order == .orderedAscending
            }.map(\.element)
        }
        let rest = found.dropFirst(fetch.fetchOffset)
        return Array(fetch.fetchLimit > 0 ? rest.prefix(fetch.fetchLimit) : rest)
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { object in
            last += 1
            return newObjectID(for: object.entity, referenceObject: last)
        }
    }

    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        guard let row = rows[number(objectID)] else { throw CocoaError(.fileNoSuchFile) }
        let attributes = row.values.filter { row.entity.attributesByName[$0.key] != nil }
        return NSIncrementalStoreNode(objectID: objectID, withValues: attributes, version: row.version)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        let ids = (rows[number(objectID)]?.values[relationship.name] as? [Int] ?? []).compactMap { number in
            rows[number].map { newObjectID(for: $0.entity, referenceObject: number) }
        }
        return relationship.isToMany ? ids : ids.first ?? NSNull()
    }

    private func number(_ objectID: NSManagedObjectID) -> Int {
        referenceObject(for: objectID) as? Int ?? 0
    }

    private func write(_ object: NSManagedObject) {
        var row = rows[number(object.objectID)] ?? Row(entity: object.entity)
        for (key, attribute) in object.entity.attributesByName where !attribute.isTransient {
            row.values[key] = object.value(forKey: key)
        }
        for key in object.entity.relationshipsByName.keys {
            let members: [Any] =
                switch object.value(forKey: key) {
                case let set as NSOrderedSet: set.array
                case let set as NSSet: set.allObjects
                case let target?: [target]
                case nil: []
                }
            row.values[key] = members.compactMap { ($0 as? NSManagedObject).map { number($0.objectID) } }
        }
        row.version += 1
        rows[number(object.objectID)] = row
    }
}
