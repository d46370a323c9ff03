// Batches on stores that keep their rows in memory, which Apple's don't execute: they become one change set.

import CoreDataPredicate
package import CoreDataSchema
import CoreDataSupport
import Foundation

/// A change set with the rows that it points into.
package final class MemoryBatch {
    package private(set) var changes = StoreChanges()
    private var rows: [StoredRow] = []

    package func insert(_ row: StoredRow) {
        rows.append(row)
        row.pointer.version = 1
        changes.inserted.append(
            StoreChanges.Row(entity: row.entity, primaryKey: row.primaryKey, row: row.pointer))
    }

    /// `row` holds the new values, `earlier` is the row that the store has.
    package func update(_ row: StoredRow, slots: [Int], of earlier: StoredRow) {
        rows.append(row)
        changes.updated.append(
            StoreChanges.Row(
                entity: row.entity, primaryKey: row.primaryKey, row: row.pointer, changedSlots: slots,
                expectedVersion: earlier.version, newVersion: RowVersion.next(after: earlier.version)))
    }

    package func delete(_ row: StoredRow) {
        rows.append(row)
        changes.deleted.append(
            StoreChanges.Row(
                entity: row.entity, primaryKey: row.primaryKey, row: row.pointer,
                expectedVersion: row.version, newVersion: RowVersion.next(after: row.version)))
    }
}

extension MemoryRows {
    /// Works out what a batch changes and has it saved, whole or not at all.
    package func execute(_ batch: StoreBatch, save: (StoreChanges) throws -> Void) throws -> BatchChanges {
        let (work, answer) = try answer { try batch.changes(in: $0) }
        do {
            try withExtendedLifetime(work) { try save(work.changes) }
        } catch let conflict as StoreConstraintConflict {
            let entity = conflict.violations.first?.owner
            let names = conflict.violations.map(\.constraint)
            guard let entity else { throw conflict }
            throw StoreConstraintConflict.batchError(names, entity: entity, reason: "another row has them")
        } catch is StoreConflict {
            throw CoreDataError.make(
                ErrorCode.saveConflicts, description: "The batch could not be saved.", file: host.url,
                reason: "Another writer has changed the rows meanwhile.")
        }
        return answer
    }
}

extension StoreBatch {
    /// Works out what is to change among rows in memory.
    fileprivate func changes(in rows: MemoryRows) throws -> (changes: MemoryBatch, answer: BatchChanges) {
        switch self {
        case .insert(let batch): try batch.changes(in: rows)
        case .update(let batch): try batch.changes(in: rows)
        case .delete(let batch): try batch.changes(in: rows)
        }
    }
}

extension BatchInsert {
    package func changes(in rows: MemoryRows) throws -> (changes: MemoryBatch, answer: BatchChanges) {
        let block = RowBlock(entity, capacity: 256, notesStated: true)
        var pending: [(row: StoredRow, update: (slots: SlotSet, earlier: StoredRow)?)] = []
        var found = try UniqueRows(entity, memory: rows)
        var answer = BatchChanges()
        let root = rows.model.runtimes[entity.rootNumber]
        try progress.check()
        while try block.fill(from: source) {
            let keys = rows.allocateKeys(root: root, count: block.count)
            for (number, key) in zip(0..<block.count, keys) {
                let copy = OwnedRow.copy(block.row(number).words, layout: entity.layout)
                let row = StoredRow(entity, primaryKey: key, owning: copy)
                if try place(row, stated: block.stated[number], pending: &pending, found: &found) {
                    answer.count += 1
                }
            }
            progress.advance(by: block.count)
            try progress.check()
        }
        let work = MemoryBatch()
        for (row, update) in pending {
            if let update {
                work.update(row, slots: update.slots.members(of: entity), of: update.earlier)
                if collectsKeys { answer.updated.append(.init(row.entity, primaryKey: row.primaryKey)) }
            } else {
                work.insert(row)
                if collectsKeys { answer.inserted.append(.init(entity, primaryKey: row.primaryKey)) }
            }
        }
        return (work, answer)
    }

    /// Adds a row to those that are to be written, or lets it change one of them or one of the store's. Returns
    /// whether it is written at all.
    private func place(
        _ row: StoredRow, stated: SlotSet,
        pending: inout [(row: StoredRow, update: (slots: SlotSet, earlier: StoredRow)?)],
        found: inout UniqueRows
    ) throws -> Bool {
        if case .refused = conflicts {
            pending.append((row, nil))
            return true
        }
        let holders = found.holders(of: row)
        guard let holder = holders.first else {
            found.add(row, at: pending.count)
            pending.append((row, nil))
            return true
        }
        guard case .update(let whole) = conflicts else { return false }
        guard holders.count == 1, holder.row.entity.isKind(of: entity) else {
            throw StoreConstraintConflict.batchError(
                found.names, entity: entity,
                reason: "more than one row, or a row of an entity that isn't below, has them")
        }
        let slots = whole ? SlotSet(entity.attributeSlots.map(\.index)) : stated
        let merged = holder.row.copy(taking: slots, from: row)
        if let position = holder.position {
            var update = pending[position].update
            update?.slots.formUnion(slots)
            pending[position] = (merged, update)
            found.add(merged, at: position)
        } else {
            found.add(merged, at: pending.count)
            pending.append((merged, (slots, holder.row)))
        }
        return true
    }
}

/// The rows of a store and of a batch by the values that must be unique.
private struct UniqueRows {
    struct Holder {
        let row: StoredRow
        /// Its place among the rows of the batch.
        let position: Int?
    }

    private let constraints: [UniqueConstraint]
    private var rows: [[UniqueKey: Holder]]

    var names: [[String]] { constraints.map(\.names) }

    init(_ entity: EntityRuntime, memory: MemoryRows) throws {
        constraints = UniqueConstraint.all(of: [entity.number], in: memory.model)
            .filter { entity.isKind(of: $0.scope) }
        rows = constraints.map { constraint in
            var found: [UniqueKey: Holder] = [:]
            for row in memory.rows(of: constraint.scope, includesSubentities: true) {
                guard let key = UniqueKey(constraint.names, of: row.entity, in: row.pointer) else { continue }
                found[key] = Holder(row: row, position: nil)
            }
            return found
        }
    }

    /// The rows that have one of the row's unique values, each once.
    func holders(of row: StoredRow) -> [Holder] {
        var found: [Holder] = []
        for (constraint, known) in zip(constraints, rows) {
            guard let key = UniqueKey(constraint.names, of: row.entity, in: row.pointer),
                let holder = known[key], !found.contains(where: { $0.row === holder.row })
            else { continue }
            found.append(holder)
        }
        return found
    }

    mutating func add(_ row: StoredRow, at position: Int) {
        for (number, constraint) in constraints.enumerated() {
            guard let key = UniqueKey(constraint.names, of: row.entity, in: row.pointer) else { continue }
            rows[number][key] = Holder(row: row, position: position)
        }
    }
}

extension SlotSet {
    /// The numbers of an entity's slots that are in the set.
    fileprivate func members(of entity: EntityRuntime) -> [Int] {
        entity.layout.slots.map(\.index).filter(contains)
    }
}

extension StoredRow {
    /// The row with some slots as another row of the entity, or of one above it, has them.
    package func copy(taking slots: SlotSet, from other: StoredRow) -> StoredRow {
        let words = OwnedRow.copy(pointer.words, layout: entity.layout)
        for slot in entity.layout.slots where slots.contains(slot.index) {
            slot.copy(from: other.pointer, to: words)
        }
        return StoredRow(entity, primaryKey: primaryKey, owning: words)
    }
}
