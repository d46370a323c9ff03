// A batch update of tables: one statement.

import CoreDataSQL
package import CoreDataSchema
import CoreDataSupport
import Foundation

extension BatchUpdate {
    package func run<Tables: HistoryTables>(
        on file: Tables, _ history: HistoryRecorder<Tables>?
    ) throws -> BatchChanges {
        let planner = file.planner()
        let table = try file.table(fetch.entity)
        var description = BatchUpdateDescription(rows: fetch.description(.keys))
        description.returnsKeys = collectsKeys || history != nil
        for slot in values.constants {
            description.constants += try constants(slot, table: table, file: file)
        }
        description.expressions = values.expressions.map { ($0.slot.name, $0.tree) }
        let statement = try planner.update(description)
        if file.layout.dialect.keepsFiles {
            let external = values.constants.filter { $0.kind == .externalData }
                .compactMap { table.column(ofSlot: $0.name)?.name }
            for cells in try planner.cells(external, of: description.rows) { try file.dropExternal(cells) }
        }
        var changes = BatchChanges()
        if description.returnsKeys {
            changes.updated = try file.changedRows(statement, fallback: fetch.entity)
            changes.count = changes.updated.count
            let changed = values.constants + values.expressions.map(\.slot)
            try history?.updated(changes.updated, names: values.entity.propertyNames(changed))
        } else {
            changes.count = try file.change(statement)
        }
        return changes
    }

    /// The columns of one constant.
    private func constants(
        _ slot: Slot, table: EntityTable, file: some BatchTables
    ) throws -> [(column: String, value: SQLFragment)] {
        let row = RowPointer(values.row, slab: nil)
        let value = file.cell(BatchCell(slot: slot, value: row.value(slot)))
        switch table.column(ofSlot: slot.name) {
        case .attribute(let column, _)?: return [(column, value)]
        case .toOne(let column, let entityColumn, _, let destination)?:
            guard let entityColumn else { return [(column, value)] }
            var target = file.model.runtime(named: destination)
            if slot.kind == .toOneOfSeveral { target = file.model.runtimes[Int(row.words[slot.word + 1])] }
            let number = try target.map { try file.table($0).number } ?? 0
            return [
                (column, value),
                (
                    entityColumn,
                    SQLFragment(
                        binding: row.isNull(slot.index) ? .null : .integer(Int64(number)), as: .ofPlace)
                ),
            ]
        default:
            throw LayoutFailure(
                entity: table.entityName, property: slot.name, "the store has no column for it")
        }
    }
}

extension PropertyColumn {
    /// The column of an attribute.
    fileprivate var name: String? {
        if case .attribute(let column, _) = self { return column }
        return nil
    }
}

extension EntityRuntime {
    /// The properties whose values these slots hold.
    package func propertyNames(_ slots: [Slot]) -> Set<String> {
        Set(slots.map { properties[slotProperties[$0.index]].name })
    }
}
