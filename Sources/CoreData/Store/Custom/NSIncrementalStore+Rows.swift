// The values of an incremental store's nodes as rows.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension NSIncrementalStore {
    /// The row of an object. Throws what the store throws, and for a value that doesn't fit its attribute.
    final func row(_ objectID: NSManagedObjectID) throws -> StoredRow {
        guard let context = persistentStoreCoordinator?.requester else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, description: "The store can only be read for a context.",
                file: url)
        }
        let node = try newValuesForObject(with: objectID, with: context)
        let entity = objectID.runtime
        let words = OwnedRow.empty(entity.layout)
        let row = StoredRow(entity, primaryKey: objectID.primaryKey, owning: words)
        words[0] = UInt64(max(1, Int64(clamping: node.version)))
        for property in entity.properties where !property.schema.isTransient {
            let value = node.value(for: entity.managed.descriptions[property.number])
            switch property.kind {
            case .attribute(let slot): try set(value, slot: slot, row: row)
            case .composite(let slots):
                for slot in slots {
                    let path = slot.name.split(separator: ".").dropFirst()
                    try set(path.reduce(value) { ($0 as? NSDictionary)?[String($1)] }, slot: slot, row: row)
                }
            case .toOne(let slot, let relation):
                let target = try value ?? related(relation, of: objectID, context: context) as Any?
                if let target = target as? NSManagedObjectID { point(row, slot: slot, to: target) }
            case .toMany, .fetched: break
            }
        }
        return row
    }

    private final func set(_ value: Any?, slot: Slot, row: StoredRow) throws {
        guard let value, !(value is NSNull) else { return }
        if SlotValue.store(any: value, slot, in: row.pointer.words) { return }
        throw CoreDataError.make(
            NSPersistentStoreOperationError, description: "The store's answer can't be used.", file: url,
            entity: row.entity.name, property: slot.name,
            reason: "\(row.entity.name).\(slot.name) can't be a \(Swift.type(of: value)).")
    }

    private final func point(_ row: StoredRow, slot: Slot, to target: NSManagedObjectID) {
        SlotValue.setWord(UInt64(bitPattern: target.primaryKey), slot: slot, in: row.pointer.words)
        if slot.kind == .toOneOfSeveral { row.pointer.words[slot.word + 1] = UInt64(target.runtime.number) }
    }

    private final func related(
        _ relation: RelationRuntime, of objectID: NSManagedObjectID, context: NSManagedObjectContext?
    ) throws -> Any {
        guard
            let property = objectID.runtime.description(ofProperty: relation.name)
                as? NSRelationshipDescription
        else { return NSNull() }
        return try newValue(forRelationship: property, forObjectWith: objectID, with: context)
    }

    // MARK: Several rows

    final func deliver(
        _ objectIDs: [NSManagedObjectID], entity: EntityRuntime, body: (RowSlab) throws -> Void
    ) throws {
        var rest = objectIDs[...]
        while !rest.isEmpty {
            try body(RowSlab.holding(rest.prefix(RowSlab.capacity).map(row), entity: entity))
            rest = rest.dropFirst(RowSlab.capacity)
        }
    }

    final func relatedIDs(
        _ relation: RelationRuntime, of entity: EntityRuntime, source: Int64
    ) throws -> [NSManagedObjectID] {
        let objectID = NSManagedObjectID(entity, primaryKey: source, store: self)
        switch try related(relation, of: objectID, context: persistentStoreCoordinator?.requester) {
        case let array as [NSManagedObjectID]: return array
        case let set as Set<NSManagedObjectID>: return Array(set)
        case let array as NSArray: return array.compactMap { $0 as? NSManagedObjectID }
        case let set as NSOrderedSet: return set.array.compactMap { $0 as? NSManagedObjectID }
        case let set as NSSet: return set.allObjects.compactMap { $0 as? NSManagedObjectID }
        case is NSNull: return []
        case let other:
            throw CoreDataError.make(
                NSPersistentStoreOperationError, description: "The store's answer can't be used.", file: url,
                entity: entity.name,
                property: relation.name,
                reason: "The value of \(entity.name).\(relation.name) must be an array of object IDs, not a "
                    + "\(Swift.type(of: other)).")
        }
    }

    final func deliverRelated(
        _ relation: RelationRuntime, of entity: EntityRuntime, sources: [Int64],
        body: (RelatedRows) throws -> Void
    ) throws {
        let destination = relation.destination(in: entity.modelRuntime)
        for source in sources {
            var position: Int64 = 0
            try deliver(relatedIDs(relation, of: entity, source: source), entity: destination) { slab in
                let order = (1...Int64(slab.count)).map { position + $0 }
                position += Int64(slab.count)
                try body(
                    RelatedRows(
                        slab: slab, sources: ContiguousArray(repeating: source, count: slab.count),
                        orderKeys: relation.isOrdered ? ContiguousArray(order) : nil))
            }
        }
    }
}
