// The source of a batch insert's rows.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// Rows from dictionaries: given ones, or those that a handler fills.
final class DictionaryRows: BatchRowSource {
    private let writer: BatchRowWriter
    private let given: [[String: Any]]
    private let handler: ((NSMutableDictionary) -> Bool)?
    @exclusivity(unchecked)
    private var values = RowDictionary()
    private var position = 0

    init(_ given: [[String: Any]], writer: BatchRowWriter) {
        self.given = given
        self.writer = writer
        handler = nil
    }

    init(_ handler: @escaping (NSMutableDictionary) -> Bool, writer: BatchRowWriter) {
        given = []
        self.writer = writer
        self.handler = handler
    }

    func fill(_ row: UnsafeMutablePointer<UInt64>, stated: inout SlotSet?) throws -> Bool {
        if let handler {
            // A client that kept the last row keeps what is in it.
            if !isKnownUniquelyReferenced(&values) { values = RowDictionary() }
            let values = values
            values.begin()
            if handler(values) { return false }
            try values.write(by: writer, in: row, &stated)
        } else {
            guard position < given.count else { return false }
            try writer.write(given[position], in: row, stated: &stated)
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

    init(_ handler: @escaping (NSManagedObject) -> Bool, writer: BatchRowWriter) {
        self.handler = handler
        self.writer = writer
        let entity = writer.entity
        object = entity.managed.binding.initializer.make(entity.managed.description, insertInto: nil)
        ownRow = object.row
        object.state.insert(.untracked)
        all = SlotSet(entity.attributeSlots.map(\.index))
    }

    func fill(_ row: UnsafeMutablePointer<UInt64>, stated: inout SlotSet?) throws -> Bool {
        object.row = row
        defer { object.row = ownRow }
        if handler(object) { return false }
        position += 1
        if let extras = object.extras {
            if let number = extras.relations.all.firstIndex(where: { $0 != nil }) {
                let name = writer.entity.relations[number].name
                object.extras = nil
                throw writer.refusal(name, reason: "the object of a batch insert takes attributes only")
            }
            object.extras = nil
        }
        if stated != nil { stated = all }
        try object.encodeTransformables(in: writer.store)
        try writer.check(row, number: position)
        return true
    }
}
