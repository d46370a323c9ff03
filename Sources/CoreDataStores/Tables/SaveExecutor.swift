// One save, inside its transaction. The order lets unique values move from deleted rows to new ones, and rows
// from one relationship to another.

import CoreDataSQL
package import CoreDataSchema
import CoreDataSupport
import Foundation

/// Writes a change set to a store's tables.
package struct SaveExecutor {
    package let file: any TableStore
    /// Tells whether the state of a row that the save stumbles over was written by the store that saves.
    package let isOwn: (StoreChanges.Row, RowSlab?) throws -> Bool

    package init(file: any TableStore, isOwn: @escaping (StoreChanges.Row, RowSlab?) throws -> Bool) {
        self.file = file
        self.isOwn = isOwn
    }

    /// Throws `StoreConflict` if a row isn't as the context saw it; the transaction is then rolled back.
    package func run(_ changes: StoreChanges) throws {
        let refused = RefusedRows()
        do {
            let deleted = groups(changes.deleted)
            for group in deleted { try releaseRelated(group.rows, of: group.entity) }
            for join in changes.joins { try remove(join) }
            try delete(deleted, refused: refused)
            try update(changes.updated, refused: refused)
            try throwConflicts(refused, others: try check(changes.locked) + present(changes.insertedAnew))
            for group in groups(changes.inserted) { try file.insert(group.rows, of: group.entity) }
            for join in changes.joins { try add(join) }
            for join in changes.joins { try arrange(join) }
            for order in changes.orders {
                let place = try file.related(order.relation, of: order.entity)
                try reorder(place, source: order.source, order: order.order)
            }
            try file.finish()
            try throwConflicts(refused)
        } catch {
            // A statement may have failed only for a row that somebody else changed.
            if !(error is StoreConflict) { try throwConflicts(refused) }
            throw error
        }
    }

    // MARK: Rows

    private func update(_ rows: [StoreChanges.Row], refused: RefusedRows) throws {
        for group in groups(rows) {
            for (slots, rows) in bySlots(group.rows) {
                let updates = rows.map {
                    RowUpdate(
                        primaryKey: $0.primaryKey, row: $0.row, slots: slots, version: $0.expectedVersion)
                }
                try file.update(updates, of: group.entity) { places in
                    refused.rows += places.map { rows[$0] }
                }
            }
        }
    }

    /// Rows by the slots in which they changed.
    private func bySlots(_ rows: [StoreChanges.Row]) -> [SlotSet: [StoreChanges.Row]] {
        if let slots = rows.first?.changedSlots, rows.allSatisfy({ $0.changedSlots == slots }) {
            return [SlotSet(slots): rows]
        }
        return Dictionary(grouping: rows) { SlotSet($0.changedSlots) }
    }

    private func delete(_ groups: [RowGroup], refused: RefusedRows) throws {
        for group in file.deletesReferringRowsFirst ? referringFirst(groups) : groups {
            try file.delete(
                primaryKeys: group.rows.map(\.primaryKey), versions: group.rows.map(\.expectedVersion),
                of: group.entity
            ) { places in refused.rows += places.map { group.rows[$0] } }
        }
    }

    private typealias RowGroup = (entity: EntityRuntime, rows: [StoreChanges.Row])

    /// The groups so that each comes before those that its to-one relationships lead to, as far as that goes in no circle.
    private func referringFirst(_ groups: [RowGroup]) -> [RowGroup] {
        var (pending, sorted) = (groups, [RowGroup]())
        while !pending.isEmpty {
            let targets = pending.map { group in
                let roots = group.entity.relations.filter { !$0.isToMany && !$0.isTransient }.map {
                    $0.destination(in: file.model).rootNumber
                }
                return Set(roots).subtracting([group.entity.rootNumber])
            }
            let free = pending.firstIndex { group in
                !targets.contains { $0.contains(group.entity.rootNumber) }
            }
            sorted.append(pending.remove(at: free ?? 0))
        }
        return sorted
    }

    private func throwConflicts(_ refused: RefusedRows, others: [StoreConflict.Row] = []) throws {
        let conflicts = try refused.rows.map(conflict) + others
        if !conflicts.isEmpty { throw StoreConflict(rows: conflicts) }
    }

    private func conflict(_ row: StoreChanges.Row) throws -> StoreConflict.Row {
        let current = try file.fetchRow(entity: row.entity, primaryKey: row.primaryKey)
        return StoreConflict.Row(row, current: current, isOwn: try isOwn(row, current))
    }

    /// Rows that aren't written, but must be as the context saw them.
    private func check(_ rows: [StoreChanges.Row]) throws -> [StoreConflict.Row] {
        try rows.map(conflict).filter { $0.current?.row(0)[0] != UInt64(bitPattern: $0.expectedVersion) }
    }

    /// Rows that are there though they are to be inserted.
    private func present(_ rows: [StoreChanges.Row]) throws -> [StoreConflict.Row] {
        try rows.map(conflict).filter { $0.current != nil }
    }

    /// Rows by entity, in the order in which the entities first appear.
    private func groups(_ rows: [StoreChanges.Row]) -> [(entity: EntityRuntime, rows: [StoreChanges.Row])] {
        guard let first = rows.first else { return [] }
        if rows.allSatisfy(first.isBeside) { return [(first.entity, rows)] }
        var groups: [(entity: EntityRuntime, rows: [StoreChanges.Row])] = []
        var places: [Int: Int] = [:]
        var start = 0
        while start < rows.count {
            let first = rows[start]
            let end = rows[start...].firstIndex { !$0.isBeside(first) } ?? rows.count
            if let place = places[first.entity.number] {
                groups[place].rows += rows[start..<end]
            } else {
                places[first.entity.number] = groups.count
                groups.append((first.entity, Array(rows[start..<end])))
            }
            start = end
        }
        return groups
    }
}

/// The rows of a save that weren't as the context saw them.
private final class RefusedRows {
    var rows: [StoreChanges.Row] = []
}
