// The cells that name files of external values, and the files that there are.

import CoreDataSQL
import CoreDataSchema
import Foundation

/// A cell whose value is in a file.
package struct ExternalReference: Sendable, Hashable {
    package var primaryKey: Int64
    package var column: String
    package var file: String
}

extension SQLiteEngine {
    /// The cells of these columns that name a file. Of values in the table itself only the length is read.
    ///
    /// - Parameter entity: Z_ENT of the rows; `nil` for all rows of a table, which need not have that column.
    package func externalReferences(
        table: String, columns: [String], entity: Int? = nil, _ body: (ExternalReference) -> Void
    ) throws {
        if columns.isEmpty { return }
        let cells = columns.map { column in
            let name = quoted(identifier: column)
            return "CASE WHEN TYPEOF(\(name)) = 'blob' AND LENGTH(\(name)) = 38 THEN \(name) END"
        }
        let condition = entity.map { " WHERE Z_ENT = \($0)" } ?? ""
        let text =
            "SELECT ROWID, \(cells.joined(separator: ", ")) FROM \(quoted(identifier: table))\(condition)"
        try connection.withStatement(text) { statement in
            while try statement.step() {
                for (position, column) in columns.enumerated() {
                    guard let cell = statement.blob(position + 1) else { continue }
                    guard case .file(let name) = cell.withUnsafeBytes({ ExternalCell($0) }) else { continue }
                    body(
                        ExternalReference(primaryKey: statement.integer(0), column: column, file: name))
                }
            }
        }
    }

    /// The names of the files that there are.
    package func externalFileNames() -> Set<String> { files.names }
}

extension RowEncoder {
    /// The columns whose values may be in files, with their attributes.
    package var externalColumns: [(attribute: String, column: String)] {
        externalSteps.flatMap { step in step.columns.map { (step.slot.name, $0) } }
    }
}
