// Where the rows of a batch insert come from.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// Delivers rows one after the other.
protocol BatchRowSource: AnyObject {
    /// Fills a row that holds the model's default values. Returns false when there are no more rows. `stated` gets the
    /// slots that the row states, if they are noted.
    func fill(_ row: UnsafeMutablePointer<UInt64>, _ stated: inout SlotSet?) throws -> Bool
}

/// Rows from dictionaries: given ones, or those that a handler fills.
final class DictionaryRows: BatchRowSource {
    private let writer: BatchRowWriter
    private let given: [[String: Any]]
    private let handler: ((NSMutableDictionary) -> Bool)?
    @exclusivity(unchecked)
    private var values = RowDictionary()
    private var position = 0

    init(_ given: [[String: Any]], _ writer: BatchRowWriter) {
        self.given = given
        self.writer = writer
        handler = nil
    }

    init(_ handler: @escaping (NSMutableDictionary) -> Bool, _ writer: BatchRowWriter) {
        given = []
        self.writer = writer
        self.handler = handler
    }

    func fill(_ row: UnsafeMutablePointer<UInt64>, _ stated: inout SlotSet?) throws -> Bool {
        if let handler {
            // A client that kept the last row keeps what is in it.
            if !isKnownUniquelyReferenced(&values) { values = RowDictionary() }
            let values = values
            values.begin()
            if handler(values) { return false }
            try values.write(by: writer, in: row, &stated)
        } else {
            guard position < given.count else { return false }
            try writer.write(given[position], in: row, &stated)
        }
        position += 1
        try writer.check(row, number: position)
        return true
    }
}

/// Rows from one object, which a handler fills again and again: its memory is the row that is to be written.
final class ObjectRows: BatchRowSource {
    private let writer: BatchRowWriter
    private let handler: (NSManagedObject) -> Bool
    private let object: NSManagedObject
    private let ownRow: UnsafeMutablePointer<UInt64>
    private var position = 0
    /// An object has a value for every attribute.
    private let all: SlotSet

    init(_ handler: @escaping (NSManagedObject) -> Bool, _ writer: BatchRowWriter) {
        self.handler = handler
        self.writer = writer
        let entity = writer.entity
        object = entity.managed.binding.initializer.make(entity.managed.description, insertInto: nil)
        ownRow = object.row
        object.state.insert(.untracked)
        all = SlotSet(entity.attributeSlots.map(\.index))
    }

    func fill(_ row: UnsafeMutablePointer<UInt64>, _ stated: inout SlotSet?) throws -> Bool {
        object.row = row
        defer { object.row = ownRow }
        if handler(object) { return false }
        position += 1
        if let extras = object.extras {
            if let number = extras.relations.firstIndex(where: { $0 != nil }) {
                let name = writer.entity.relations[number].name
                object.extras = nil
                throw writer.refusal(name, "the object of a batch insert takes attributes only")
            }
            object.extras = nil
        }
        if stated != nil { stated = all }
        try object.encodeTransformables(in: writer.store)
        try writer.check(row, number: position)
        return true
    }
}

/// Rows in memory that are filled and written, again and again.
final class RowBlock {
    private let entity: EntityRuntime
    private let rows: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>>
    /// How many of `rows` are there.
    private var made = 0
    private let references: [Slot]
    private let layout: RowLayout
    /// The words of a row of defaults, from the null bits on.
    private let defaults: UnsafeBufferPointer<UInt64>
    let capacity: Int
    /// How many rows are filled.
    private(set) var count = 0
    /// For each row the slots that it states, if that is noted.
    private(set) var stated: [SlotSet] = []
    private let notesStated: Bool

    init(_ entity: EntityRuntime, capacity: Int, notesStated: Bool) {
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
        for number in 0..<made { OwnedRow.destroy(rows[number], layout) }
        rows.deallocate()
    }

    func row(_ number: Int) -> RowPointer { RowPointer(rows[number], slab: nil) }

    var pointers: [RowPointer] { (0..<count).map(row) }

    /// Fills the block from the start. Returns false if there was nothing left.
    func fill(from source: any BatchRowSource) throws -> Bool {
        var filled = 0
        count = 0
        stated.removeAll(keepingCapacity: true)
        while filled < capacity {
            if filled == made {
                (rows + filled).initialize(to: OwnedRow.copy(entity.defaultRow, layout))
                made += 1
            } else {
                reset(rows[filled])
            }
            var named = notesStated ? SlotSet() : nil
            guard try source.fill(rows[filled], &named) else { break }
            if let named { stated.append(named) }
            filled += 1
        }
        count = filled
        return filled > 0
    }

    /// Makes a row one of defaults again.
    private func reset(_ row: UnsafeMutablePointer<UInt64>) {
        for slot in references { OwnedRow.set(nil, slot, in: row) }
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
    var attributeSlots: [Slot] {
        layout.slots.filter { $0.attribute != nil && !$0.isTransient && $0.attribute?.derivation == nil }
    }
}
