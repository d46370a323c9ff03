// An expression of SQL, with what is known of its values.

import CoreDataSchema

/// An SQL expression with one value per row.
package struct Scalar {
    var sql: SQLFragment
    var kind: ValueKind
    /// The expression in words, for failures.
    var name: String
    /// The attribute behind a plain column.
    var property: PropertySchema?
    /// Indicates that the operand is one value that was in the predicate.
    var isConstant = false
    /// Indicates that the operand is computed over a group of rows.
    var isAggregate = false
    /// The plain columns that it reads, for the check of grouped fetches.
    var columns: Set<SQLFragment> = []
}
