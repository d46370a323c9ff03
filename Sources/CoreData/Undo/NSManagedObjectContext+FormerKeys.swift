// Relationships without inverse to objects that undo brought back under new keys.

import CoreDataSchema
import Foundation

extension NSManagedObjectContext {
    /// Has to-one relationships without inverse that named the row of a restored object name its new one. Those with
    /// an inverse were restored with the object; objects that the context hasn't read keep the old key.
    final func followRestored(_ records: [UndoRecord]) {
        let restored = Dictionary(
            records.compactMap { record in
                record.formerKey.map { (FormerRow(root: record.object.runtime.rootNumber, key: $0), record) }
            }, uniquingKeysWith: { $1 })
        if restored.isEmpty { return }
        var oneWay: [Int: [(Slot, RelationRuntime)]] = [:]
        for object in registry.all()
        where object.state.isLive && !object.state.isFault {
            let entity = object.runtime
            let relations = oneWay[entity.number] ?? entity.toOnesWithoutInverse
            oneWay[entity.number] = relations
            for (slot, relation) in relations
            where !RowPointer(object.row, slab: object.slab).isNull(slot.index) {
                let row = FormerRow(
                    root: relation.destination(in: runtime).rootNumber,
                    key: Int64(bitPattern: object.row[slot.word]))
                guard let record = restored[row] else { continue }
                let store = object.store ?? object.assignedStore
                guard store == nil || store?.underlying === record.store?.underlying else { continue }
                object.replacingValues { object.storeToOne(record.object, slot: slot, relation: relation) }
                object.noteChange()
            }
        }
    }
}

/// A row that is gone.
private struct FormerRow: Hashable {
    let root: Int
    let key: Int64
}

extension ManagedEntity {
    fileprivate var toOnesWithoutInverse: [(Slot, RelationRuntime)] {
        properties.compactMap { property in
            guard case .toOne(let slot, let relation) = property.kind, relation.inverse == nil else {
                return nil
            }
            return (slot, relation)
        }
    }
}
