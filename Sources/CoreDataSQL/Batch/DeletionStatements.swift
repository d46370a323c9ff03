// The statements of a batch deletion. The keys of marked rows are gathered in a temporary table, so that any number of
// them, and what the delete rules reach, is dealt with in a few statements.

import CoreDataSchema

/// Statements over the temporary table of marked rows: `Z_ROOT` is the number of their root entity, `Z_ROUND` the step
/// in which the rule "cascade" found them.
package enum DeletionStatements {
    package static let create = SQLStatement(
        """
        CREATE TEMP TABLE IF NOT EXISTS Z_DOOMED (Z_ROOT INTEGER, Z_PK INTEGER, Z_ROUND INTEGER, \
        PRIMARY KEY (Z_ROOT, Z_PK)) WITHOUT ROWID
        """)
    package static let clear = SQLStatement("DELETE FROM temp.Z_DOOMED")

    /// Marks the rows that a fetch finds.
    package static func markForDeletion(_ keys: SQLFragment, root: Int) -> SQLStatement {
        let text: SQLFragment =
            "INSERT OR IGNORE INTO temp.Z_DOOMED SELECT \(number: root), Z_PK, 0 FROM (\(keys))"
        return text.statement
    }

    /// Marks one row, if it is there; binds its key.
    package static func markOneForDeletion(table: String, root: Int) -> String {
        "INSERT OR IGNORE INTO temp.Z_DOOMED SELECT \(root), Z_PK, 0 FROM \(sqlName(table)) WHERE Z_PK = ?"
    }

    /// Deletes the marked rows of a table.
    package static func delete(table: String, root: Int, returnsKeys: Bool) -> SQLStatement {
        SQLStatement(
            "DELETE FROM \(sqlName(table)) WHERE Z_PK IN (\(marked(root)))"
                + (returnsKeys ? " RETURNING Z_ENT, Z_PK" : ""))
    }

    /// Z_ENT and Z_PK of the marked rows of a table.
    package static func keys(table: String, root: Int) -> SQLStatement {
        SQLStatement(
            "SELECT Z_ENT, Z_PK FROM \(sqlName(table)) WHERE Z_PK IN (\(marked(root))) ORDER BY Z_PK")
    }

    /// The cells of a column that marked rows have.
    package static func cells(_ column: String, table: String, root: Int) -> SQLStatement {
        let column = sqlName(column)
        return SQLStatement(
            """
            SELECT \(column) FROM \(sqlName(table)) \
            WHERE \(column) IS NOT NULL AND Z_PK IN (\(marked(root)))
            """)
    }

    /// Finds the rows of a round without a look at those of all others, for the rule "cascade" along a chain takes as
    /// many rounds as the chain has rows.
    package static let indexRounds = SQLStatement(
        "CREATE INDEX IF NOT EXISTS temp.Z_DOOMED_ROUND ON Z_DOOMED (Z_ROOT, Z_ROUND)")
    package static let dropIndex = SQLStatement("DROP INDEX IF EXISTS temp.Z_DOOMED_ROUND")

    static func marked(_ root: Int) -> String {
        "SELECT Z_PK FROM temp.Z_DOOMED WHERE Z_ROOT = \(root)"
    }
}

/// What a batch deletion does about one relationship of marked rows.
package struct DeletionRule: Sendable {
    /// Where the pairs of the relationship are.
    private let table: String
    private let source: String
    private let target: String
    private let isJoin: Bool
    private let root: Int
    private let destination: EntityTable
    private let destinationRoot: Int

    /// - Parameters:
    ///   - place: the relationship's.
    ///   - owner: the table of the entity that has it.
    ///   - root: Z_ENT of that entity's root, as `destinationRoot` of the other side's.
    package init?(
        _ place: PropertyColumn, owner: EntityTable, root: Int, destination: EntityTable,
        destinationRoot: Int
    ) {
        switch place {
        case .toOne(let column, _, _, _): (table, source, target) = (owner.table, "Z_PK", column)
        case .toMany(let name, let column, _, _, _): (table, source, target) = (name, column, "Z_PK")
        case .join(let join):
            (table, source, target) = (join.table, join.sourceColumn, join.destinationColumn)
        case .attribute, .composite: return nil
        }
        if case .join = place { isJoin = true } else { isJoin = false }
        self.root = root
        self.destination = destination
        self.destinationRoot = destinationRoot
    }

    /// Marks the related rows of those that were marked in a round.
    ///
    ///     INSERT OR IGNORE INTO temp.Z_DOOMED SELECT 3, Z_PK, 1 FROM ZNOTE WHERE Z_PK IN (SELECT Z_PK FROM ZNOTE
    ///     WHERE ZAUTHOR IN (SELECT Z_PK FROM temp.Z_DOOMED WHERE Z_ROOT = 2 AND Z_ROUND = 0))
    ///
    /// The numbers of rounds are bindings, so that it is one statement for all.
    package func cascade(round: Int) -> SQLStatement {
        SQLStatement(
            """
            INSERT OR IGNORE INTO temp.Z_DOOMED SELECT \(destinationRoot), Z_PK, ? \
            FROM \(sqlName(destination.table)) WHERE Z_PK IN (SELECT \(sqlName(target)) FROM \(sqlName(table)) \
            WHERE \(sqlName(source)) IN (\(DeletionStatements.marked(root)) AND Z_ROUND = ?))
            """, [.integer(Int64(round) + 1), .integer(Int64(round))])
    }

    /// A marked row and one that is related to it and stays; no row if there are none.
    package var staying: SQLStatement {
        let (source, target) = (sqlName(source), sqlName(target))
        return SQLStatement(
            """
            SELECT \(source), \(target) FROM \(sqlName(table)) \
            WHERE \(source) IN (\(DeletionStatements.marked(root))) \
            AND \(target) IN (SELECT Z_PK FROM \(sqlName(destination.table))) \
            AND \(target) NOT IN (\(DeletionStatements.marked(destinationRoot))) LIMIT 1
            """)
    }

    /// Takes the pairs of marked rows out of a join table; `nil` where there is none.
    package var disconnect: SQLStatement? {
        guard isJoin else { return nil }
        return SQLStatement(
            """
            DELETE FROM \(sqlName(table)) WHERE \(sqlName(source)) IN (\(DeletionStatements.marked(root)))
            """)
    }

    /// Empties the foreign keys by which rows that stay point to marked ones.
    ///
    /// - Parameters:
    ///   - place: where those keys are: the inverse to-one relationship's columns, or the columns of a to-many
    ///     relationship without inverse, which no version counts.
    ///   - returnsKeys: whether the statement's result is Z_ENT and Z_PK of each changed row.
    package func nullify(_ place: PropertyColumn, returnsKeys: Bool = false) -> SQLStatement? {
        let columns: [String?]
        let key: String
        var settings: [String] = []
        switch place {
        case .toOne(let column, let entity, let order, _):
            (key, columns) = (column, [column, entity, order])
            settings = ["Z_OPT = " + RowVersion.next(afterColumn: "Z_OPT")]
        case .toMany(_, let column, let entity, let order, _):
            (key, columns) = (column, [column, entity, order])
        case .attribute, .composite, .join: return nil
        }
        settings = columns.compactMap(\.self).map { sqlName($0) + " = NULL" } + settings
        return SQLStatement(
            """
            UPDATE \(sqlName(destination.table)) SET \(settings.joined(separator: ", ")) \
            WHERE \(sqlName(key)) IN (\(DeletionStatements.marked(root))) \
            AND Z_PK NOT IN (\(DeletionStatements.marked(destinationRoot)))
            """ + (returnsKeys ? " RETURNING Z_ENT, Z_PK" : ""))
    }
}
