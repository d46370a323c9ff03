// Batch updates and deletions among rows in memory.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import Foundation

extension BatchUpdate {
    package func changes(in rows: MemoryRows) throws -> (changes: MemoryBatch, answer: BatchChanges) {
        let work = MemoryBatch()
        var answer = BatchChanges()
        let expressions = values.expressions.map { ($0.slot, rows.mapped($0.tree)) }
        let constants = RowPointer(values.row, slab: nil)
        let slots = values.constants.map(\.index) + values.expressions.map(\.slot.index)
        for row in try rows.matching(fetch) {
            let words = OwnedRow.copy(row.pointer.words, layout: row.entity.layout)
            let changed = StoredRow(row.entity, primaryKey: row.primaryKey, owning: words)
            for slot in values.constants { slot.copy(from: constants, to: words) }
            for (slot, tree) in expressions {
                let value = try rows.evaluator.value(of: tree, MemoryNode(row, in: rows).value)
                if slot.isRoundedBound(value) || !SlotValue.store(any: value.any, slot, in: words) {
                    throw EvaluationFailure(
                        reason: "\"\(tree.format)\" is no value for \"\(slot.name)\"")
                }
                let number = Int64(bitPattern: words[slot.word])
                if let limit = slot.attribute?.type.integerLimit, !changed.pointer.isNull(slot.index),
                    !(-limit - 1...limit).contains(number)
                {
                    throw EvaluationFailure(reason: "\(number) doesn't fit \"\(slot.name)\"")
                }
            }
            work.update(changed, slots: slots, of: row)
            if collectsKeys { answer.updated.append(.init(row.entity, primaryKey: row.primaryKey)) }
        }
        answer.count = work.changes.updated.count
        return (work, answer)
    }
}

extension Slot {
    /// Indicates that a number is the least of 64 bits by rounding, as integers are that overflow.
    fileprivate func isRoundedBound(_ value: Value) -> Bool {
        guard kind == .integer64, case .double(let number) = value else { return false }
        return number == -0x1p63
    }
}

extension BatchDelete {
    package func changes(in rows: MemoryRows) throws -> (changes: MemoryBatch, answer: BatchChanges) {
        var marked = MarkedRows(rows)
        if let primaryKeys {
            marked.add(primaryKeys.compactMap { rows.row(fetch.entity, primaryKey: $0) })
        } else {
            marked.add(try rows.rows(fetch))
        }
        marked.cascade()
        let nullified = try marked.released()
        let work = MemoryBatch()
        for row in marked.rows { work.delete(row) }
        for (changed, slots, row) in nullified { work.update(changed, slots: slots, of: row) }
        var answer = BatchChanges()
        answer.count = marked.rows.count
        if collectsKeys {
            answer.deleted = marked.rows.map { RowKey($0.entity, primaryKey: $0.primaryKey) }
        }
        return (work, answer)
    }
}

/// The rows that a deletion takes away, with those that the rule "cascade" reaches.
private struct MarkedRows {
    private struct Place: Hashable {
        let root: Int
        let primaryKey: Int64

        init(_ row: StoredRow) {
            root = row.entity.rootNumber
            primaryKey = row.primaryKey
        }
    }

    private let memory: MemoryRows
    package private(set) var rows: [StoredRow] = []
    private var places: Set<Place> = []

    init(_ memory: MemoryRows) {
        self.memory = memory
    }

    mutating func add(_ more: [StoredRow]) {
        for row in more where places.insert(Place(row)).inserted { rows.append(row) }
    }

    mutating func cascade() {
        var position = 0
        while position < rows.count {
            let row = rows[position]
            for relation in row.entity.relations
            where relation.isStored && relation.traits.deleteRule == .cascade {
                add(related(relation, of: row))
            }
            position += 1
        }
    }

    /// The rows that stay and point to marked ones, as they are to be. Throws where a rule doesn't allow it.
    func released() throws -> [(changed: StoredRow, slots: [Int], row: StoredRow)] {
        var changes: [Place: (row: StoredRow, slots: Set<Int>)] = [:]
        var order: [Place] = []
        for row in rows {
            for relation in row.entity.relations where relation.isStored {
                let staying = related(relation, of: row).filter { !places.contains(Place($0)) }
                if staying.isEmpty || relation.traits.deleteRule == .noAction { continue }
                if relation.traits.deleteRule == .deny {
                    throw BatchDelete.refusal(relation, of: row.entity, key: row.primaryKey)
                }
                guard let inverse = relation.inverse, !inverse.isToMany else { continue }
                if !inverse.isOptional {
                    throw BatchDelete.refusal(relation, of: row.entity, key: row.primaryKey)
                }
                for other in staying {
                    guard let slot = other.entity.layout.slot(named: inverse.name) else { continue }
                    if changes[Place(other)] == nil { order.append(Place(other)) }
                    changes[Place(other), default: (other, [])].slots.insert(slot.index)
                }
            }
        }
        return order.compactMap { changes[$0] }.map { row, slots in
            let words = OwnedRow.copy(row.pointer.words, layout: row.entity.layout)
            for slot in slots { SlotValue.clear(row.entity.layout.slots[slot], in: words) }
            return (StoredRow(row.entity, primaryKey: row.primaryKey, owning: words), slots.sorted(), row)
        }
    }

    private func related(_ relation: RelationRuntime, of row: StoredRow) -> [StoredRow] {
        if relation.isToMany { return memory.members(relation, of: row.primaryKey) }
        guard let slot = row.entity.layout.slot(named: relation.name) else { return [] }
        return memory.target(slot, relation: relation, of: row).map { [$0] } ?? []
    }
}
