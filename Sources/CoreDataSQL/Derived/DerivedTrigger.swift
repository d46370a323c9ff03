// A trigger that keeps a derived attribute's column.

/// A trigger as a statement says it. Its name is Apple's: `Z_DA_<table>_<Entity>_<attribute>_<occasion>`.
package struct DerivedTrigger: Sendable, Hashable {
    /// The rows that a trigger computes anew: what to compare the primary key with.
    struct Body: Sendable, Hashable {
        var statement: String
        /// The condition that tells which rows were written.
        var rows: String
    }

    package var name: String
    /// Indicates whether every SQLite with the functions that Apple's own triggers call can run it. A trigger
    /// that calls other functions must not be in the file: Apple's framework could not write to the table.
    package var isPortable: Bool
    private let rest: String

    init(
        _ column: DerivedColumn, on table: String, occasion: String, suffix: String,
        isInsertion: Bool = false,
        when condition: String? = nil, body: Body
    ) {
        name = "Z_DA_\(table)_\(column.entity)_\(column.attribute)_\(suffix)"
        isPortable = column.isPortable
        let report =
            isInsertion
            ? "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"
            : "NSCoreDataDATriggerUpdatedAffectedObjectValue"
        let guardText = condition.map { " WHEN (\($0))" } ?? ""
        let target = sqlName(column.table.table)
        rest = """
            AFTER \(occasion) ON \(sqlName(table)) FOR EACH ROW\(guardText) BEGIN \(body.statement); SELECT \
            \(report)(\(sqlText(column.table.table)), Z_ENT, Z_PK, \(sqlText(column.attribute)), \
            \(sqlName(column.column))) FROM \(target) WHERE \(body.rows); END
            """
    }

    /// `CREATE TRIGGER`. A temporary one belongs to the connection and isn't in the file.
    package func statement(isTemporary: Bool = false) -> String {
        "CREATE \(isTemporary ? "TEMP " : "")TRIGGER \(sqlName(name)) \(rest)"
    }
}
