// Opening and saving an atomic store.

import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension NSAtomicStore {
    final var contents: AtomicContents {
        guard let atomic else {
            raise(.internalInconsistency, "the store has not been added to a coordinator")
        }
        return atomic
    }

    final func openAndLoad(_ model: ModelRuntime) throws {
        atomic = try AtomicContents(self, model: model)
        do {
            try loadMetadata()
            try load()
            addIdentity()
            try checkModel(model)
            try contents.read()
            try contents.rows.deriveAll()
        } catch {
            atomic = nil
            throw error
        }
    }

    /// Takes the changes over into rows and nodes and has the store written; puts everything back if that fails, or if
    /// what follows does: the store is then written once more.
    final func saveAll(
        _ changes: StoreChanges, of objects: SavedObjects, before rest: () throws -> Void
    ) throws {
        let contents = contents
        try contents.read()
        let (nodes, state) = (contents.nodes, contents.rows.state)
        try contents.rows.save(changes)
        let derived = contents.rows.derivedRows
        let updated = objects.of(changes.updated).compactMap { contents.node($0.objectID) }
        let changed = updated + self.nodes(derived).map(\.node).filter { !updated.contains($0) }
        let values = changed.map { $0.propertyCache?.mutableCopy() as? NSMutableDictionary }
        var isWritten = false
        do {
            updateNodes(changes, objects: objects)
            writeDerivedValues(derived)
            try save()
            isWritten = true
            try rest()
        } catch {
            contents.restore(nodes, state: state)
            for (node, cache) in zip(changed, values) { node.propertyCache = cache }
            if isWritten { try save() }
            throw error
        }
    }

    private final func nodes(_ rows: DerivedRows) -> [(node: NSAtomicStoreCacheNode, row: StoredRow)] {
        rows.groups.flatMap { group in
            group.primaryKeys.compactMap { key in
                let objectID = NSManagedObjectID(group.entity, primaryKey: key, store: self)
                guard let node = contents.node(objectID),
                    let row = contents.rows.row(group.entity, primaryKey: key)
                else {
                    return nil
                }
                return (node, row)
            }
        }
    }

    /// Puts what was derived into the nodes, which objects don't have yet.
    private final func writeDerivedValues(_ rows: DerivedRows) {
        for (node, row) in nodes(rows) {
            for derivation in contents.rows.derivations where row.entity.isKind(of: derivation.entity) {
                guard let slot = row.entity.layout.slot(named: derivation.name) else { continue }
                node.setValue(SlotValue.any(slot, in: row.pointer), forKey: derivation.name)
            }
        }
    }

    private final func updateNodes(_ changes: StoreChanges, objects: SavedObjects) {
        let inserted = objects.of(changes.inserted)
        for object in inserted { contents.set(newCacheNode(for: object), for: object.objectID) }
        let gone = objects.of(changes.deleted).map(\.objectID)
        let removed = Set(gone.compactMap(contents.node))
        if !removed.isEmpty { willRemoveCacheNodes(removed) }
        contents.remove(gone.map { AtomicContents.Key($0) })
        for object in inserted + objects.of(changes.updated) {
            if let node = contents.node(object.objectID) { updateCacheNode(node, from: object) }
        }
    }

    /// Performs the default work of `updateCacheNode(_:from:)`.
    final func copyValues(of object: NSManagedObject, to node: NSAtomicStoreCacheNode) {
        for property in object.runtime.properties where !property.schema.isTransient {
            let value = object.value(forKey: property.name)
            switch property.kind {
            case .attribute, .composite: node.setValue(value, forKey: property.name)
            case .toOne: node.setValue(cacheNode(of: value), forKey: property.name)
            case .toMany(let relation):
                if relation.isOrdered {
                    let members = (value as? NSOrderedSet)?.array ?? []
                    node.setValue(NSOrderedSet(array: members.compactMap(cacheNode)), forKey: property.name)
                } else {
                    let members = (value as? NSSet)?.allObjects ?? []
                    node.setValue(NSSet(array: members.compactMap(cacheNode)), forKey: property.name)
                }
            case .fetched: break
            }
        }
    }

    private final func cacheNode(of object: Any?) -> NSAtomicStoreCacheNode? {
        (object as? NSManagedObject).flatMap { cacheNode(for: $0.objectID) }
    }
}

extension NSPersistentStore {
    /// Completes the metadata by what identifies every store.
    final func addIdentity() {
        var metadata: [String: Any] = self.metadata ?? [:]
        if metadata[NSStoreUUIDKey] as? String == nil { metadata[NSStoreUUIDKey] = UUID().uuidString }
        if metadata[NSStoreTypeKey] as? String == nil { metadata[NSStoreTypeKey] = type }
        self.metadata = metadata
    }

    /// Throws if the metadata says that the store is of another model; else notes the model there.
    final func checkModel(_ model: ModelRuntime) throws {
        let ignores = options?[NSIgnorePersistentStoreVersioningOption] as? Bool ?? false
        if let hashes = metadata?[NSStoreModelVersionHashesKey] as? [String: Data], !hashes.isEmpty, !ignores
        {
            try VersionCheck(model.index, members: members(of: model)).check(
                StoreMetadata(
                    uuid: identifier ?? "", hashes: hashes, digest: "", checksum: "", identifiers: []),
                file: url)
        }
        addModelMetadata(model)
    }
}
