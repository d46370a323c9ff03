// One save, inside its transaction. The order lets unique values move from deleted rows to new ones, and rows
// from one relationship to another.

import CoreDataSQL
import CoreDataSQLiteEngine
package import CoreDataSchema
import CoreDataSupport
import Foundation

/// Writes a change set to a file.
package struct SaveExecutor {
    package let file: SQLiteFile
    /// Tells whether the state of a row that the save stumbles over was written by the store that saves.
    package let isOwn: (StoreChanges.Row, RowSlab?) throws -> Bool

    package init(file: SQLiteFile, isOwn: @escaping (StoreChanges.Row, RowSlab?) throws -> Bool) {
        self.file = file
        self.isOwn = isOwn
    }

    /// Throws `StoreConflict` if a row isn't as the context saw it; the transaction is then rolled back.
    package func run(_ changes: StoreChanges) throws {
        var conflicts: [StoreConflict.Row] = []
        for row in changes.deleted { try releaseRelated(row) }
        for join in changes.joins { try remove(join) }
        conflicts += try delete(changes.deleted)
        conflicts += try update(changes.updated)
        conflicts += try check(changes.locked)
        if !conflicts.isEmpty { throw StoreConflict(rows: conflicts) }
        try insert(changes.inserted)
        for join in changes.joins { try add(join) }
        for join in changes.joins { try arrange(join) }
        for order in changes.orders {
            try reorder(try file.related(order.relation, of: order.entity), order.source, order.order)
        }
    }

    // MARK: Rows

    private func insert(_ rows: [StoreChanges.Row]) throws {
        for group in groups(rows) {
            let encoder = try file.encoder(group.entity)
            try file.engine.insert(
                group.rows.map(\.row), primaryKeys: group.rows.map(\.primaryKey), encoder: encoder)
        }
    }

    private func update(_ rows: [StoreChanges.Row]) throws -> [StoreConflict.Row] {
        var conflicts: [StoreConflict.Row] = []
        for group in groups(rows) {
            if let slots = group.rows.first?.changedSlots, group.rows.allSatisfy({ $0.changedSlots == slots })
            {
                let updates = updates(group.rows, SlotSet(slots))
                let failed = try file.engine.update(updates, encoder: file.encoder(group.entity))
                conflicts += try failed.map { try conflict(group.rows[$0]) }
                continue
            }
            var bySlots: [SlotSet: [(row: StoreChanges.Row, update: RowUpdate)]] = [:]
            for change in group.rows {
                let slots = SlotSet(change.changedSlots)
                bySlots[slots, default: []].append(
                    (
                        change,
                        RowUpdate(
                            primaryKey: change.primaryKey, row: change.row, slots: slots,
                            version: change.expectedVersion)
                    ))
            }
            let ordered = bySlots.values.flatMap(\.self)
            let failed = try file.engine.update(ordered.map(\.update), encoder: file.encoder(group.entity))
            conflicts += try failed.map { try conflict(ordered[$0].row) }
        }
        return conflicts
    }

    /// Returns the updates of rows that changed in the same slots.
    private func updates(_ rows: [StoreChanges.Row], _ slots: SlotSet) -> [RowUpdate] {
        rows.map {
            RowUpdate(primaryKey: $0.primaryKey, row: $0.row, slots: slots, version: $0.expectedVersion)
        }
    }

    private func delete(_ rows: [StoreChanges.Row]) throws -> [StoreConflict.Row] {
        try groups(rows).flatMap { group in
            let failed = try file.engine.delete(
                primaryKeys: group.rows.map(\.primaryKey), versions: group.rows.map(\.expectedVersion),
                encoder: file.encoder(group.entity))
            return try failed.map { try conflict(group.rows[$0]) }
        }
    }

    private func conflict(_ row: StoreChanges.Row) throws -> StoreConflict.Row {
        let current = try file.engine.fetchRow(primaryKey: row.primaryKey, decoder: file.decoder(row.entity))
        return StoreConflict.Row(row, current: current, isOwn: try isOwn(row, current))
    }

    /// Rows that aren't written, but must be as the context saw them.
    private func check(_ rows: [StoreChanges.Row]) throws -> [StoreConflict.Row] {
        try rows.map(conflict).filter { $0.current?.row(0)[0] != UInt64(bitPattern: $0.expectedVersion) }
    }

    /// Rows by entity, in the order in which the entities first appear.
    private func groups(_ rows: [StoreChanges.Row]) -> [(entity: EntityRuntime, rows: [StoreChanges.Row])] {
        guard let first = rows.first else { return [] }
        if rows.allSatisfy({ $0.entity === first.entity }) { return [(first.entity, rows)] }
        var groups: [(entity: EntityRuntime, rows: [StoreChanges.Row])] = []
        var places: [Int: Int] = [:]
        for row in rows {
            if let place = places[row.entity.number] {
                groups[place].rows.append(row)
            } else {
                places[row.entity.number] = groups.count
                groups.append((row.entity, [row]))
            }
        }
        return groups
    }
}
