// A file as batches write to it.

package import CoreDataSQL
import CoreDataSQLiteEngine
package import CoreDataSchema
import CoreDataSupport
import Foundation

extension SQLiteFile: BatchTables {
    package func takeKeys(root: EntityRuntime, count: Int) throws -> [Int64] {
        Array(try allocateKeys(root: root, count: count))
    }

    package func insert(_ rows: [RowPointer], primaryKeys: [Int64], of entity: EntityRuntime) throws {
        try engine.insert(rows, primaryKeys: primaryKeys, encoder: encoder(entity))
    }

    package func change(_ statement: SQLStatement) throws -> Int { try engine.execute(statement) }

    package func changedRows(_ statement: SQLStatement, fallback: EntityRuntime) throws -> [RowKey] {
        let found = try engine.fetchKeys(statement, isPolymorphic: true)
        return zip(found.entityNumbers, found.primaryKeys).map {
            RowKey(entities[Int($0.0)] ?? fallback, primaryKey: $0.1)
        }
    }

    package func fetchRows(
        entity: EntityRuntime, primaryKeys: [Int64], _ body: (RowSlab) throws -> Void
    ) throws { try engine.fetchRows(primaryKeys: primaryKeys, decoder: decoder(entity), into: body) }

    package func cell(_ value: BatchCell) -> SQLFragment {
        SQLFragment(binding: SQLBinding(cell: value), as: .ofPlace)
    }

    package func mark(
        _ primaryKeys: [Int64], of table: EntityTable, root: Int, by marks: DeletionStatements
    ) throws {
        let text = marks.markOneForDeletion(table, root: root)
        try engine.execute(text, each: primaryKeys.map { [.integer($0)] })
    }

    package func dropExternal(_ cells: SQLStatement) throws { try engine.dropExternal(cells) }
}

extension SQLBinding {
    /// A cell of a row as its column holds it. Values with external storage stand in the cell itself.
    fileprivate init(cell: BatchCell) {
        switch cell.value {
        case .data(let data) where cell.slot.kind == .externalData:
            self = .blob(ExternalValue.inline(data).cell)
        // As text: the column's affinity makes it the number that Apple's stores hold.
        case .decimal(let number): self = number.isFinite ? .text(number.description) : .null
        case let value: self = SQLBinding(value) ?? .null
        }
    }
}

extension SQLiteFile: HistoryTables {
    package func insertHistory(_ transaction: HistoryTransactionRow) throws -> Int64 {
        try engine.insertHistory(transaction, layout: keptHistory())
    }

    package func insertHistory(_ changes: [HistoryChangeRow], of number: Int64) throws {
        try engine.insertHistory(changes, of: number, layout: keptHistory())
    }

    private func keptHistory() throws -> HistoryLayout {
        if let history { return history }
        throw LayoutFailure(entity: "TRANSACTION", "the store has no tables of persistent history")
    }

    package func derivedValues(from position: Int) -> ArraySlice<DerivedValue> {
        engine.derivedValues(from: position)
    }

    package func takeDerivedValues() -> [DerivedValue] { engine.takeDerivedValues() }
}
