// An incremental store over dictionaries, as a client would write it.

import CoreData
import Foundation

final class DictionaryStore: NSIncrementalStore, @unchecked Sendable {  // only the coordinator calls it
    static let type = "DictionaryStore"

    struct Row {
        var entity: String
        var values: [String: Any]
        var version: UInt64 = 1
    }

    /// By reference object.
    var rows: [String: Row] = [:]
    private(set) var requests: [String] = []
    private(set) var reads = 0
    /// Reference objects that contexts use, each as often as contexts have registered it.
    private(set) var registered: [String: Int] = [:]
    private var last = 0

    override var type: String { Self.type }

    override func loadMetadata() throws {
        metadata = [NSStoreTypeKey: Self.type, NSStoreUUIDKey: "dictionary-store"]
    }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws
        -> Any
    {
        if let fetch = request as? NSFetchRequest<any NSFetchRequestResult> {
            return try answer(fetch, context)
        }
        guard let save = request as? NSSaveChangesRequest else { throw CocoaError(.featureUnsupported) }
        let sets = [save.insertedObjects, save.updatedObjects, save.deletedObjects, save.lockedObjects]
        requests.append(sets.allSatisfy { $0?.isEmpty ?? true } ? "empty save" : "save")
        for object in (save.insertedObjects ?? []).union(save.updatedObjects ?? []) { write(object) }
        for object in save.deletedObjects ?? [] { rows[name(object.objectID)] = nil }
        return []
    }

    private func answer(
        _ fetch: NSFetchRequest<any NSFetchRequestResult>, _ context: NSManagedObjectContext?
    ) throws -> Any {
        guard let entity = fetch.entity, let context else { throw CocoaError(.featureUnsupported) }
        requests.append("fetch \(entity.name ?? "")")
        let names = rows.keys.sorted().filter { key in
            guard let row = rows[key], row.entity == entity.name else { return false }
            return fetch.predicate?.evaluate(
                with: row.values.filter { !($0.value is [String]) } as NSDictionary) ?? true
        }
        switch fetch.resultType {
        case .countResultType: return [NSNumber(value: names.count)]
        case .dictionaryResultType: return names.compactMap { rows[$0]?.values }
        default: return names.map { context.object(with: newObjectID(for: entity, referenceObject: $0)) }
        }
    }

    override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
        for objectID in objectIDs { registered[name(objectID), default: 0] += 1 }
    }

    override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
        for objectID in objectIDs { registered[name(objectID), default: 0] -= 1 }
        registered = registered.filter { $0.value != 0 }
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { object in
            last += 1
            return newObjectID(for: object.entity, referenceObject: "r\(last)")
        }
    }

    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        reads += 1
        guard let row = rows[name(objectID)] else { throw CocoaError(.fileNoSuchFile) }
        var values = row.values
        for (key, relationship) in objectID.entity.relationshipsByName { values[key] = nil; _ = relationship }
        return NSIncrementalStoreNode(objectID: objectID, withValues: values, version: row.version)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        let value = rows[name(objectID)]?.values[relationship.name]
        guard let destination = relationship.destinationEntity else { return NSNull() }
        if relationship.isToMany {
            return (value as? [String] ?? []).map { newObjectID(for: destination, referenceObject: $0) }
        }
        return (value as? String).map { newObjectID(for: destination, referenceObject: $0) } ?? NSNull()
    }

    private func name(_ objectID: NSManagedObjectID) -> String {
        referenceObject(for: objectID) as? String ?? ""
    }

    private func write(_ object: NSManagedObject) {
        var values: [String: Any] = [:]
        for key in object.entity.attributesByName.keys { values[key] = object.value(forKey: key) }
        for (key, relationship) in object.entity.relationshipsByName {
            if relationship.isToMany {
                let members = (object.value(forKey: key) as? NSSet)?.allObjects ?? []
                values[key] = members.compactMap { ($0 as? NSManagedObject).map { name($0.objectID) } }
                    .sorted()
            } else if let target = object.value(forKey: key) as? NSManagedObject {
                values[key] = name(target.objectID)
            }
        }
        let version = (rows[name(object.objectID)]?.version ?? 0) + 1
        rows[name(object.objectID)] = Row(entity: object.entity.name ?? "", values: values, version: version)
    }
}
