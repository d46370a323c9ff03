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
                        let object = objects.removeValue(forKey: slab.primaryKeys[row])
                        object?.replaceCommitted(slab, row: row, keepingChanges: true)
                    }
                }
            }
        } catch {
            Log.warning("derived values of \(entity.name) can't be read after a save: \(error)")
        }
        for object in objects.values where !object.state.hasChanges { object.turnIntoFault() }
    }
}
