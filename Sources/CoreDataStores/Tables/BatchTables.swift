// The tables of a store as batches need them, beside what saves and fetches do.

package import CoreDataSQL
package import CoreDataSchema
package import CoreDataSupport
import Foundation

/// Tables that batches write to, in a transaction of the caller's.
package protocol BatchTables: TableStore {
    /// Final keys for new rows of an entity's table, ascending.
    func takeKeys(root: EntityRuntime, count: Int) throws -> [Int64]
    /// Inserts rows of one entity, each with the key at the same place.
    func insert(_ rows: [RowPointer], primaryKeys: [Int64], of entity: EntityRuntime) throws
    /// Runs a statement and returns how many rows it changed.
    @discardableResult func change(_ statement: SQLStatement) throws -> Int
    /// The rows that a statement's result names by entity number and key.
    func changedRows(_ statement: SQLStatement, fallback: EntityRuntime) throws -> [RowKey]
    /// Delivers the rows with these keys that exist, in any order.
    func fetchRows(entity: EntityRuntime, primaryKeys: [Int64], _ body: (RowSlab) throws -> Void) throws
    /// A cell of a row, as a statement assigns it to the cell's column or compares it.
    func cell(_ value: BatchCell) -> SQLFragment
    /// Marks rows for deletion by their keys.
    func mark(_ primaryKeys: [Int64], of table: EntityTable, root: Int, by marks: DeletionStatements) throws
    /// Notes the files that cells refer to, the first column of a statement's result. Asked only where values may lie in files.
    func dropExternal(_ cells: SQLStatement) throws
}

/// A value of a row with the slot that holds it.
package struct BatchCell {
    package let slot: Slot
    package let value: Value
}

extension BatchTables {
    package func dropExternal(_ cells: SQLStatement) throws {}

    /// The number of the root of an entity's table.
    package func rootNumber(_ entity: EntityRuntime) throws -> Int {
        let table = try table(entity)
        return layout[table.rootName]?.number ?? table.number
    }
}
