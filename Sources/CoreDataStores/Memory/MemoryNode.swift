// A stored row as predicates and sort descriptors see it.

import CoreDataPredicate
import CoreDataSchema
package import CoreDataSupport
package import Foundation

/// A row whose values can be read by key; two nodes are equal when they mean the same row.
package final class MemoryNode: NSObject, KeyValueReadable {
    package let rows: MemoryRows
    package let row: StoredRow

    package init(_ row: StoredRow, in rows: MemoryRows) {
        self.row = row
        self.rows = rows
    }

    package override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? MemoryNode else { return false }
        return row.primaryKey == other.row.primaryKey && row.entity.rootNumber == other.row.entity.rootNumber
            && rows === other.rows
    }

    package override var hash: Int { row.primaryKey.hashValue ^ row.entity.rootNumber }

    package var value: Value { .object(ObjectReference(self)) }

    /// The reference to the row in a result: its object ID.
    package var reference: AnyObject { rows.host.reference(to: row.entity, primaryKey: row.primaryKey) }

    package var predicateKeys: [String] {
        row.entity.properties.filter(\.isAttribute).map(\.name)
    }

    package func predicateValue(forKey key: String) throws -> Value {
        guard let property = row.entity.property(key) else {
            switch key {
            case "self", "SELF", "objectID": return value
            case "entity": return .object(ObjectReference(rows.host.reference(to: row.entity)))
            default:
                if let slot = row.entity.layout.slot(named: key) { return attribute(slot) }
                throw EvaluationFailure(reason: "entity \"\(row.entity.name)\" has no property \"\(key)\"")
            }
        }
        switch property.kind {
        case .attribute(let slot): return attribute(slot)
        case .composite(let slots): return composite(slots, name: property.name)
        case .toOne(let slot, let relation):
            return rows.target(slot, relation: relation, of: row).map { MemoryNode($0, in: rows).value }
                ?? .null
        case .toMany(let relation):
            let members = rows.members(relation, of: row.primaryKey).map { MemoryNode($0, in: rows).value }
            return relation.isOrdered ? .array(members) : .set(Set(members))
        case .fetched:
            throw EvaluationFailure(reason: "the store can't read the fetched property \"\(key)\"")
        }
    }

    package func predicatePathIsToMany(_ path: ArraySlice<Substring>) -> Bool {
        row.entity.pathIsToMany(path)
    }

    private func attribute(_ slot: Slot) -> Value {
        if row.pointer.isNull(slot.index) { return .null }
        guard slot.kind == .transformable else { return row.pointer.value(slot).unboxed }
        let reference = CellReference(word: row.pointer.words[slot.word])
        if reference.isBox, let object = reference.box.object { return Value(object) }
        guard let attribute = slot.attribute else { return .null }
        do {
            return Value(
                try rows.host.decode(
                    row.pointer.data(slot), attribute: attribute, entity: row.entity.name, property: slot.name
                ))
        } catch {
            Log.warning(error.localizedDescription)
            return .null
        }
    }

    /// The elements by name that have values, as an object's dictionary has them; nil if none does.
    private func composite(_ slots: [Slot], name: String) -> Value {
        func elements(_ prefix: String) -> Value {
            var values: [Value: Value] = [:]
            for slot in slots where slot.name.hasPrefix(prefix) {
                let rest = slot.name.dropFirst(prefix.count)
                let key = String(rest.prefix { $0 != "." })
                if values[.string(key)] != nil { continue }
                let value = key.count == rest.count ? attribute(slot) : elements(prefix + key + ".")
                if value != .null { values[.string(key)] = value }
            }
            return values.isEmpty ? .null : .dictionary(values)
        }
        return elements(name + ".")
    }
}

extension Value {
    /// A value that a client gave as an object, as a value where it has a case of its own.
    fileprivate var unboxed: Value {
        if case .object(let reference) = self { return Value(reference.object) }
        return self
    }
}
