// The source of a batch insert's rows, and their place until they are written.

package import CoreDataSchema
import CoreDataSupport
import Foundation

/// Delivers rows one after the other.
package protocol BatchRowSource: AnyObject {
    /// Fills a row that holds the model's default values. Returns false when there are no more rows. `stated` gets the
    /// slots that the row states, if they are noted.
    func fill(_ row: UnsafeMutablePointer<UInt64>, stated: inout SlotSet?) throws -> Bool
}

/// Rows in memory that are filled and written, again and again.
package final class RowBlock {
    private let entity: EntityRuntime
    private let rows: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>>
    /// The number of `rows` that are there.
    private var made = 0
    private let references: [Slot]
    private let layout: RowLayout
    /// The words of a row of defaults, from the null bits on.
    private let defaults: UnsafeBufferPointer<UInt64>
    package let capacity: Int
    /// The number of filled rows.
    package private(set) var count = 0
    /// For each row the slots that it states, if that is noted.
    package private(set) var stated: [SlotSet] = []
    private let notesStated: Bool

    package init(_ entity: EntityRuntime, capacity: Int, notesStated: Bool) {
        self.entity = entity
        self.capacity = capacity
        self.notesStated = notesStated
        rows = .allocate(capacity: capacity)
        layout = entity.layout
        references = layout.slots.filter(\.kind.isReference)
        defaults = UnsafeBufferPointer(
            start: entity.defaultRow - layout.nullWordCount, count: layout.nullWordCount + layout.wordCount)
    }

    deinit {
        for number in 0..<made { OwnedRow.destroy(rows[number], layout: layout) }
        rows.deallocate()
    }

    package func row(_ number: Int) -> RowPointer { RowPointer(rows[number], slab: nil) }

    package var pointers: [RowPointer] { (0..<count).map(row) }

    /// Fills the block from the start. Returns false if there was nothing left.
    package func fill(from source: any BatchRowSource) throws -> Bool {
        var filled = 0
        count = 0
        stated.removeAll(keepingCapacity: true)
        while filled < capacity {
            if filled == made {
                (rows + filled).initialize(to: OwnedRow.copy(entity.defaultRow, layout: layout))
                made += 1
            } else {
                reset(rows[filled])
            }
            var named = notesStated ? SlotSet() : nil
            guard try source.fill(rows[filled], stated: &named) else { break }
            if let named { stated.append(named) }
            filled += 1
        }
        count = filled
        return filled > 0
    }

    /// Makes a row one of defaults again.
    private func reset(_ row: UnsafeMutablePointer<UInt64>) {
        for slot in references { OwnedRow.set(nil, slot: slot, in: row) }
        if let source = defaults.baseAddress {
            (row - layout.nullWordCount).update(from: source, count: defaults.count)
        }
        if references.isEmpty { return }
        let pointer = RowPointer(row, slab: nil)
        for slot in references where !pointer.isNull(slot.index) {
            CellReference(word: row[slot.word]).retain()
        }
    }
}

extension EntityRuntime {
    /// The slots of attributes that a store keeps as they are given.
    package var attributeSlots: [Slot] {
        layout.slots.filter { $0.attribute != nil && !$0.isTransient && $0.attribute?.derivation == nil }
    }
}
