// The keys of a fetch in batches, so that the first fault of a batch fills all of it.

import CoreDataSchema
import CoreDataStores
import Foundation

/// The result of a fetch with a batch size, as keys in order.
final class FaultBatch {
    let keys: StoreKeys
    let batchSize: Int
    private let first: NSPersistentStore
    /// The store that was asked: another one once its rows were moved there.
    var store: NSPersistentStore { first.current }
    /// The positions of the keys, made when the first fault asks.
    private lazy var positions = KeyPlaces(keys.primaryKeys)

    init(_ keys: StoreKeys, batchSize: Int, store: NSPersistentStore) {
        self.keys = keys
        self.batchSize = batchSize
        first = store
    }

    /// The keys of the batch that a key is in.
    func batch(of key: Int64) -> ArraySlice<Int64>? {
        guard let position = positions.place(of: key) else { return nil }
        let start = position - position % batchSize
        return keys.primaryKeys[start..<min(start + batchSize, keys.primaryKeys.count)]
    }
}

extension NSManagedObjectContext {
    /// Fills the whole batch that a fault belongs to. `false` if it belongs to none, or has no row. A store of a
    /// client's class answers for all or for none, so it is asked again for the one; so is a file with a page that can't be read.
    final func fillBatch(of object: NSManagedObject, store: NSPersistentStore) throws -> Bool {
        let root = object.runtime.rootNumber
        guard
            let batch = batches.keys(
                with: object.primaryKey, in: store, where: { runtime.entities[$0].rootNumber == root })
        else { return false }
        let entity = runtime.entities[batch.entity]
        do {
            try readingStores {
                try store.fetchRows(entity: entity, primaryKeys: Array(batch.keys)) { slab in
                    attachToFaults(slab, store: store, entity: entity)
                }
            }
        } catch  where store.deliversFaults || ErrorMapping.concernsPages(error) {
            // The page that can't be read may be another row's.
            return false
        }
        return object.state.hasRow
    }

    /// Gives rows to the faults that are registered; makes no objects.
    final func attachToFaults(_ slab: RowSlab, store: NSPersistentStore, entity: ManagedEntity) {
        let table = registry.tableNumber(store: store, root: entity.rootNumber)
        for row in 0..<slab.count {
            guard let object = registry.object(table: table, primaryKey: slab.primaryKeys[row]),
                object.state.isFault, !object.state.hasRow
            else { continue }
            object.attach(slab, row: row)
        }
    }
}
