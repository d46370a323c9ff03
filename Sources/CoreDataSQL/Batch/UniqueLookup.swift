// The statement that finds rows with values that must be unique.

import CoreDataSchema

/// Looks up the rows of a table that have certain values in certain columns.
package struct UniqueLookup: Sendable {
    private let table: String

    package init(_ table: EntityTable) {
        self.table = table.table
    }

    /// The rows that have all values of one of the combinations, as Z_PK, Z_ENT and Z_OPT.
    ///
    ///     SELECT Z_PK, Z_ENT, IFNULL(Z_OPT, 0) FROM ZBOOK WHERE (ZTITLE = ? AND ZYEAR = ?) OR (ZISBN = ?)
    package func rows(with combinations: [[(column: String, value: SQLBinding)]]) -> SQLStatement {
        let conditions = combinations.map { combination in
            "(" + combination.map { "\(sqlName($0.column)) = ?" }.joined(separator: " AND ") + ")"
        }
        return SQLStatement(
            """
            SELECT Z_PK, Z_ENT, IFNULL(Z_OPT, 0) FROM \(sqlName(table)) \
            WHERE \(conditions.joined(separator: " OR "))
            """, combinations.flatMap { $0.map(\.value) })
    }
}
