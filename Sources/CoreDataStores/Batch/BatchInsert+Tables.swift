// A batch insert into tables: many rows to a statement, where nothing can be in the way.

import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import Foundation

extension BatchInsert {
    /// The number of rows that are filled before they are written: few enough to be in the
    /// processor's cache still.
    private static let blockRows = 2048

    package func run<Tables: HistoryTables>(
        on file: Tables, _ history: HistoryRecorder<Tables>?
    ) throws -> BatchChanges {
        let lookup = try UniqueHolders(entity, file: file)
        let block = RowBlock(
            entity, capacity: Self.blockRows, notesStated: conflicts.needStated && lookup.isNeeded
        )
        var changes = BatchChanges()
        var spare: ArraySlice<Int64> = []
        let root = file.model.runtimes[entity.rootNumber]
        try progress.check()
        while try block.fill(from: source) {
            if conflicts.areLookedUp && lookup.isNeeded {
                for row in 0..<block.count {
                    if spare.isEmpty { spare = try file.takeKeys(root: root, count: block.count - row)[...] }
                    guard
                        try !resolveUniqueness(
                            block, number: row, lookup: lookup, file: file, history: history,
                            changes: &changes),
                        let key = spare.popFirst()
                    else { continue }
                    try file.insert([block.row(row)], primaryKeys: [key], of: entity)
                    try note(CollectionOfOne(key), history: history, changes: &changes)
                }
            } else {
                let keys = try file.takeKeys(root: root, count: block.count)
                try file.insert(block.pointers, primaryKeys: keys, of: entity)
                try note(keys, history: history, changes: &changes)
            }
            try file.finish()
            progress.advance(by: block.count)
            try progress.check()
        }
        return changes
    }

    private func note<Tables: HistoryTables>(
        _ keys: some Collection<Int64>, history: HistoryRecorder<Tables>?, changes: inout BatchChanges
    ) throws {
        changes.count += keys.count
        if collectsKeys { changes.inserted += keys.map { RowKey(entity, primaryKey: $0) } }
        try history?.inserted(entity, primaryKeys: keys)
    }

    /// Deals with a row whose unique values another row has. Returns false if none has.
    private func resolveUniqueness<Tables: HistoryTables>(
        _ block: RowBlock, number: Int, lookup: UniqueHolders<Tables>, file: Tables,
        history: HistoryRecorder<Tables>?, changes: inout BatchChanges
    ) throws -> Bool {
        let row = block.row(number)
        let taken = try lookup.rows(with: row, in: file)
        guard let holder = taken.first else { return false }
        guard case .update(let whole) = conflicts else { return true }
        // A row of an entity below has the same slots in the same places, and more.
        guard taken.count == 1, let owner = file.entities[Int(clamping: holder.entity)],
            owner.isKind(of: entity)
        else { throw lookup.conflict(entity) }
        let slots = whole ? SlotSet(entity.attributeSlots.map(\.index)) : block.stated[number]
        let update = RowUpdate(
            primaryKey: holder.primaryKey, row: row, slots: slots, version: holder.version)
        try file.update([update], of: owner) {
            invariant($0.isEmpty, "a row changed that our own transaction holds")
        }
        changes.count += 1
        let key = RowKey(owner, primaryKey: holder.primaryKey)
        if collectsKeys { changes.updated.append(key) }
        let changed = entity.layout.slots.filter { slots.contains($0.index) }
        try history?.updated([key], names: entity.propertyNames(changed))
        return true
    }
}

/// Finds the rows that hold the values that a new row must not share.
private struct UniqueHolders<Tables: BatchTables> {
    struct Holder {
        let primaryKey: Int64
        let entity: Int64
        let version: Int64
    }

    private struct Place {
        let slot: Slot
        let column: String
        /// The derivation of the value from another one of the row.
        let derivation: OwnDerivation?

        /// `nil` for a value that isn't there: that is never taken.
        func value(in row: RowPointer, of file: Tables) -> SQLFragment? {
            let value = derivation.map { $0.value(in: row) }
            if value == .null || value == nil && row.isNull(slot.index) { return nil }
            return file.cell(BatchCell(slot: slot, value: value ?? row.value(slot)))
        }
    }

    private let lookup: UniqueLookup
    /// For each constraint its slots with their columns.
    private let constraints: [[Place]]

    var isNeeded: Bool { !constraints.isEmpty }

    init(_ entity: EntityRuntime, file: Tables) throws {
        let place = try file.table(entity)
        lookup = UniqueLookup(place, dialect: file.layout.dialect)
        constraints = UniqueConstraint.all(of: [entity.number], in: file.model).compactMap { constraint in
            guard entity.isKind(of: constraint.scope) else { return nil }
            let columns = constraint.names.compactMap { name -> Place? in
                guard let slot = entity.layout.slot(named: name) else { return nil }
                switch place.column(ofSlot: name) {
                case .attribute(let column, _)?, .toOne(let column, _, _, _)?:
                    return Place(slot: slot, column: column, derivation: OwnDerivation(slot, of: entity))
                default: return nil
                }
            }
            return columns.count == constraint.names.count ? columns : nil
        }
    }

    func rows(with row: RowPointer, in file: Tables) throws -> [Holder] {
        let combinations = constraints.compactMap { columns -> [(column: String, value: SQLFragment)]? in
            let values = columns.compactMap { place in
                place.value(in: row, of: file).map { (place.column, $0) }
            }
            return values.count == columns.count ? values : nil
        }
        if combinations.isEmpty { return [] }
        return try file.fetchValues(lookup.rows(with: combinations)).compactMap { values in
            guard values.count == 3, case .integer(let key) = values[0],
                case .integer(let entity) = values[1], case .integer(let version) = values[2]
            else { return nil }
            return Holder(primaryKey: key, entity: entity, version: version)
        }
    }

    func conflict(_ entity: EntityRuntime) -> NSError {
        StoreConstraintConflict.batchError(
            constraints.map { $0.map(\.slot.name) }, entity: entity,
            reason: "more than one row, or a row of an entity that isn't below, has them")
    }
}
