// The values that a store computed in a save, in the objects that the context has.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    /// Reads anew the rows whose derived attributes a save computed. Objects that can't be read become faults, so
    /// that none shows an old value.
    final func readDerivedValues(_ saved: SaveSet) {
        for (store, rows) in saved.derived {
            for group in rows.groups {
                readDerivedValues(of: group.primaryKeys, entity: group.entity.managed, store: store)
            }
        }
    }

    private final func readDerivedValues(
        of primaryKeys: Set<Int64>, entity: ManagedEntity, store: NSPersistentStore
    ) {
        let table = registry.tableNumber(store: store, root: entity.rootNumber)
        var objects: [Int64: NSManagedObject] = [:]
        for key in primaryKeys {
            guard let object = registry.object(table: table, primaryKey: key),
                !object.state.isFault || object.state.hasRow
            else { continue }
            objects[key] = object
        }
        if objects.isEmpty { return }
        do {
            try withStores {
                try store.fetchRows(entity: entity, primaryKeys: objects.keys.sorted()) { slab in
                    for row in 0..<slab.count {
                        guard let object = objects.removeValue(forKey: slab.primaryKeys[row]) else {
                            continue
                        }
                        // Lists that are sorted or divided by such a value follow it as they follow a refresh.
                        if object.differsInDerived(from: RowPointer(slab.row(row), slab: slab)) {
                            changes.noteRefreshed(object)
                        }
                        object.replaceCommitted(slab, row: row, keepingChanges: true)
                    }
                }
            }
        } catch {
            Log.warning("derived values of \(entity.name) can't be read after a save: \(error)")
        }
        for object in objects.values where !object.state.hasChanges { object.turnIntoFault() }
    }
}

extension NSManagedObject {
    /// Returns whether a derived attribute that the object shows has another value in a row.
    fileprivate final func differsInDerived(from fresh: RowPointer) -> Bool {
        if state.isFault { return false }
        let mine = RowPointer(row, slab: slab)
        return runtime.layout.slots.contains { slot in
            slot.attribute?.derivation != nil && !SlotValue.areEqual(slot, left: mine, right: fresh)
        }
    }
}
