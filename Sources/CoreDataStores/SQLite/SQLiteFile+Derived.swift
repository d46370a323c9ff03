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

    /// Notes the rows of a save in which a client wrote derived attributes.
    package func noteStatedValues(_ changes: StoreChanges) {
        if keepsDerivedValues { statedRows.addStated(in: changes) }
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
