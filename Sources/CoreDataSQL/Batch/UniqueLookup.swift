// The statement that finds rows with values that must be unique.

import CoreDataSchema

/// Looks up the rows of a table that have certain values in certain columns.
package struct UniqueLookup: Sendable {
    private let table: EntityTable
    private let dialect: any Dialect

    package init(_ table: EntityTable, dialect: any Dialect) {
        self.table = table
        self.dialect = dialect
    }

    /// The rows that have all values of one of the combinations, as Z_PK, Z_ENT and Z_OPT. They stay as they are until the
    /// transaction ends.
    ///
    ///     SELECT Z_PK, Z_ENT, IFNULL(Z_OPT, 0) FROM ZBOOK WHERE (ZTITLE = ? AND ZYEAR = ?) OR (ZISBN = ?)
    package func rows(with combinations: [[(column: String, value: SQLFragment)]]) -> SQLStatement {
        let conditions = combinations.map { combination -> SQLFragment in
            let parts = combination.map { "\(name: $0.column) = \($0.value)" as SQLFragment }
            return "(\(parts.joined(separator: " AND ")))"
        }
        let head = table.head
        let text: SQLFragment = """
            SELECT \(name: head.key), \(name: head.entity), \(dialect.ifNull("\(name: head.version)", and: "0")) \
            FROM \(name: table.table) WHERE \(conditions.joined(separator: " OR "))\(dialect.rowLock)
            """
        return text.statement(in: dialect)
    }
}
