// The needs of batches beside statements: files of cells that go.

package import CoreDataSQL

extension SQLiteEngine {
    /// Notes the files that these cells refer to, the first column of a statement's result. They are removed once the
    /// transaction holds.
    package func dropExternal(_ cells: SQLStatement) throws {
        try connection.withStatement(cells.text, bindings: cells.bindings) { statement in
            while try statement.step() {
                if let cell = statement.blob(0) { writer.drop(cell) }
            }
        }
    }
}
