// A row that a store keeps in memory.

package import CoreDataSchema
import CoreDataSupport
import Foundation

/// A row with its key. Every value that doesn't fit a word is in a box, so that the row needs no slab.
///
/// Unchecked because it never changes once made: an update makes another row.
package final class StoredRow: @unchecked Sendable {
    package let entity: EntityRuntime
    package let primaryKey: Int64
    private let words: UnsafeMutablePointer<UInt64>

    package var pointer: RowPointer { RowPointer(words, slab: nil) }
    package var version: Int64 { pointer.version }

    /// Takes over an owned row.
    package init(_ entity: EntityRuntime, primaryKey: Int64, owning words: UnsafeMutablePointer<UInt64>) {
        self.entity = entity
        self.primaryKey = primaryKey
        self.words = words
    }

    /// A row with the values of a save. With an earlier row only the changed slots are taken over.
    package convenience init(
        _ change: StoreChanges.Row, updating earlier: StoredRow? = nil, host: any StoreHost
    ) throws {
        let layout = change.entity.layout
        let words = earlier.map { OwnedRow.copy($0.words, layout: layout) } ?? OwnedRow.empty(layout)
        self.init(change.entity, primaryKey: change.primaryKey, owning: words)
        words[0] = UInt64(bitPattern: change.newVersion)
        let changed = earlier == nil ? Array(layout.slots.indices) : change.changedSlots
        for index in changed where !layout.slots[index].isTransient {
            try Self.copy(layout.slots[index], from: change.row, to: words, entity: change.entity, host: host)
        }
    }

    deinit {
        OwnedRow.destroy(words, layout: entity.layout)
    }

    private static func copy(
        _ slot: Slot, from row: RowPointer, to words: UnsafeMutablePointer<UInt64>, entity: EntityRuntime,
        host: any StoreHost
    ) throws {
        if row.isNull(slot.index) { return SlotValue.clear(slot, in: words) }
        guard slot.kind.isReference else {
            SlotValue.setWord(row.words[slot.word], slot: slot, in: words)
            if slot.kind == .toOneOfSeveral { words[slot.word + 1] = row.words[slot.word + 1] }
            return
        }
        OwnedRow.set(try box(slot, row: row, entity: entity, host: host), slot: slot, in: words)
    }

    /// A box of the row's own: the bytes of a transformable value, not the object that a context may change.
    private static func box(
        _ slot: Slot, row: RowPointer, entity: EntityRuntime, host: any StoreHost
    ) throws -> CellBox {
        let reference = CellReference(word: row.words[slot.word])
        guard reference.isBox, let object = reference.box.object else {
            return CellBox(reference.isBox ? try reference.box.load() : row.value(slot))
        }
        guard slot.kind == .transformable, let attribute = slot.attribute else { return reference.box }
        if case .data = reference.box.value { return CellBox(reference.box.value) }
        if !host.canEncode(attribute) { return reference.box }
        return CellBox(
            .data(
                try host.encode(
                    object, attribute: attribute, entity: entity.name, property: slot.name)))
    }

    /// Writes the row into the next place of a slab.
    package func append(to slab: RowSlab) {
        let target = slab.row(slab.count)
        let layout = entity.layout
        for index in 1...layout.nullWordCount { target[-index] = words[-index] }
        target.update(from: words, count: layout.wordCount)
        for slot in layout.slots where slot.kind.isReference && !pointer.isNull(slot.index) {
            target[slot.word] = slab.store(CellReference(word: words[slot.word]).box)
        }
        slab.primaryKeys[slab.count] = primaryKey
        slab.entities[slab.count] = Int32(entity.number)
        slab.count += 1
    }
}
