// Derived attributes in a file: its triggers compute them, and tell which rows they wrote.

import CoreDataSQL
import CoreDataSQLiteEngine
import Foundation

extension SQLiteFile {
    /// Sees to it that every derived attribute has its triggers. Throws for one that can't be kept up to date.
    func keepDerived() throws {
        let triggers = try DerivedTriggers(model.index, layout)
        keepsDerivedValues = !triggers.isEmpty
        try engine.keep(triggers)
    }

    /// The rows that triggers wrote since this was last asked. Each is named once.
    func takeDerivedRows() -> DerivedRows {
        var rows = DerivedRows()
        for value in engine.takeDerivedValues() {
            guard let entity = entities[value.key.entity] else { continue }
            rows.add(entity, value.key.primaryKey)
        }
        return rows
    }
}
