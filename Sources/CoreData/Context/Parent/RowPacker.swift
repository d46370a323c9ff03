// Rows from anywhere, copied into slabs.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// Fills slabs with copies of rows, without transient values: a row that was fetched has none.
struct RowPacker {
    private let shape: RowShape
    private var rest: Int
    private(set) var slabs: [RowSlab] = []

    /// For rows of entities that share the entity's table, at most this many.
    init(_ entity: ManagedEntity, count: Int) {
        let root = entity.model.entities[entity.rootNumber]
        shape = RowShape(root.subtree.map { entity.model.entities[$0].layout })
        rest = count
    }

    mutating func append(_ row: RowPointer, entity: ManagedEntity, primaryKey: Int64) {
        let slab = slabWithRoom()
        let target = slab.row(slab.count)
        let layout = entity.layout
        for index in 1...layout.nullWordCount { target[-index] = row.words[-index] }
        target.update(from: row.words, count: layout.wordCount)
        for slot in layout.referenceSlots where !slot.isTransient && !row.isNull(slot.index) {
            target[slot.word] = copy(CellReference(word: row.words[slot.word]), of: row, into: slab)
        }
        for slot in layout.transientSlots {
            target[slot.word] = 0
            if slot.kind == .toOneOfSeveral { target[slot.word + 1] = 0 }
            RowPointer(target, slab: nil).setNull(slot.index, isNull: true)
        }
        slab.primaryKeys[slab.count] = primaryKey
        slab.entities[slab.count] = Int32(entity.number)
        slab.count += 1
    }

    /// A slab without rows.
    var empty: RowSlab { RowSlab(shape, capacity: 1) }

    private mutating func slabWithRoom() -> RowSlab {
        if let last = slabs.last, last.count < last.capacity { return last }
        let slab = RowSlab(shape, capacity: max(1, min(rest, RowSlab.capacity)))
        rest -= slab.capacity
        slabs.append(slab)
        return slab
    }

    private func copy(_ reference: CellReference, of row: RowPointer, into slab: RowSlab) -> UInt64 {
        if reference.isBox { return slab.store(reference.box) }
        guard let source = row.slab else { return reference.word }
        return slab.store(source.bytes(reference))
    }
}
