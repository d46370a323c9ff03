// Derived attributes in a file: its triggers compute them, and tell which rows they wrote.

import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import Foundation

extension SQLiteFile {
    /// Sees to it that every derived attribute has its triggers. Throws for one that can't be kept up to date.
    package func keepDerived() throws {
        let triggers = try DerivedTriggers(model.index, layout: layout)
        keepsDerivedValues = !triggers.isEmpty
        try engine.keep(triggers)
    }

    /// Notes the rows of a save in which a client wrote derived attributes. The file has other values, whether
    /// triggers wrote them just now or not.
    package func noteStatedValues(_ changes: StoreChanges) {
        guard keepsDerivedValues else { return }
        for row in changes.updated {
            let slots = row.entity.layout.slots
            if row.changedSlots.contains(where: { slots[$0].attribute?.derivation != nil }) {
                statedRows.add(row.entity, primaryKey: row.primaryKey)
            }
        }
    }

    /// The rows that triggers wrote, and those that hold other derived values than a client wrote, since this was
    /// last asked. Each is named once.
    package func takeDerivedRows() -> DerivedRows {
        var rows = statedRows
        statedRows = DerivedRows()
        for value in engine.takeDerivedValues() {
            guard let entity = entities[value.key.entity] else { continue }
            rows.add(entity, primaryKey: value.key.primaryKey)
        }
        return rows
    }
}
