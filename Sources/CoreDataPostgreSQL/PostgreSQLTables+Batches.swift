// The tables as batches write to them.

import CoreDataPostgreSQLEngine
package import CoreDataSQL
package import CoreDataSchema
package import CoreDataStores
import CoreDataSupport
import Foundation

extension PostgreSQLTables: BatchTables {
    package func takeKeys(root: EntityRuntime, count: Int) throws -> [Int64] {
        let table = try table(root)
        return try connection().takeScatteredKeys(count, of: table, from: shape.keySources[table.table])
    }

    package func insert(_ rows: [RowPointer], primaryKeys: [Int64], of entity: EntityRuntime) throws {
        try connection().insert(rows, primaryKeys: primaryKeys, encoder: encoder(entity))
    }

    package func change(_ statement: SQLStatement) throws -> Int { try connection().change(statement) }

    package func changedRows(_ statement: SQLStatement, fallback: EntityRuntime) throws -> [RowKey] {
        try connection().fetchPlaces(statement).map { number, key in
            RowKey(entities[Int(clamping: number)] ?? fallback, primaryKey: key)
        }
    }

    package func cell(_ value: BatchCell) -> SQLFragment {
        if case .decimal(let number) = value.value, !number.isFinite { return "NULL" }
        return layout.dialect.constant(value.value)?.sql ?? "NULL"
    }

    package func mark(
        _ primaryKeys: [Int64], of table: EntityTable, root: Int, by marks: DeletionStatements
    ) throws { try connection().send(marks.markForDeletion(table, root: root), primaryKeys: primaryKeys) }
}
