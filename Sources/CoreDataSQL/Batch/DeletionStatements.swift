// The statements of a batch deletion. The keys of marked rows are gathered in a temporary table, so that any number of
// them, and what the delete rules reach, is dealt with in a few statements.

import CoreDataSchema

/// Statements over the temporary table of marked rows: `Z_ROOT` is the number of their root entity, `Z_ROUND` the step
/// in which the rule "cascade" found them.
package struct DeletionStatements: Sendable {
    private static let table = "Z_DOOMED"
    private static let index = "Z_DOOMED_ROUND"
    private let dialect: any Dialect

    package init(_ dialect: any Dialect) {
        self.dialect = dialect
    }

    package var create: SQLStatement {
        dialect.createTemporary(
            Self.table, columns: ["Z_ROOT", "Z_PK", "Z_ROUND"], primaryKey: ["Z_ROOT", "Z_PK"]
        ).statement(in: dialect)
    }

    package var clear: SQLStatement { ("DELETE FROM \(marks)" as SQLFragment).statement(in: dialect) }

    private var marks: SQLFragment { dialect.temporaryName(Self.table) }

    /// Marks the rows that a fetch finds.
    ///
    /// - Parameter keys: a statement whose only column is the key of rows of `table`.
    package func markForDeletion(_ keys: SQLFragment, of table: EntityTable, root: Int) -> SQLStatement {
        marking("SELECT \(number: root), \(name: table.head.key), 0 FROM \(dialect.table(of: keys))")
            .statement(in: dialect)
    }

    /// Marks one row, if it is there; binds its key.
    package func markOneForDeletion(_ table: EntityTable, root: Int) -> String {
        let key = SQLFragment(name: table.head.key)
        return marking(
            """
            SELECT \(number: root), \(key), 0 FROM \(name: table.table) WHERE \(key) = \(slot: .ofPlace)
            """
        ).text(in: dialect)
    }

    /// Marks rows, those that are there; binds their keys as one list. For a database that takes such.
    package func markForDeletion(_ table: EntityTable, root: Int) -> String {
        let key = SQLFragment(name: table.head.key)
        return marking(
            "SELECT \(number: root), \(key), 0 FROM \(name: table.table) WHERE \(key) \(dialect.oneOfKeys(1))"
        ).text(in: dialect)
    }

    /// Adds rows to the table, but those that are in it.
    func marking(_ rows: SQLFragment) -> SQLFragment { dialect.insertIfAbsent("\(marks) \(rows)") }

    /// Deletes the marked rows of a table.
    package func delete(_ table: EntityTable, root: Int, returnsKeys: Bool) -> SQLStatement {
        let text: SQLFragment = """
            DELETE FROM \(name: table.table) WHERE \(name: table.head.key) IN (\(marked(root)))\
            \(returnsKeys ? table.head.returning : "")
            """
        return text.statement(in: dialect)
    }

    /// Entity number and key of the marked rows of a table.
    package func keys(_ table: EntityTable, root: Int) -> SQLStatement {
        let head = table.head
        let text: SQLFragment = """
            SELECT \(name: head.entity), \(name: head.key) FROM \(name: table.table) \
            WHERE \(name: head.key) IN (\(marked(root))) ORDER BY \(name: head.key)
            """
        return text.statement(in: dialect)
    }

    /// The cells of a column that marked rows have.
    package func cells(_ column: String, table: EntityTable, root: Int) -> SQLStatement {
        let text: SQLFragment = """
            SELECT \(name: column) FROM \(name: table.table) \
            WHERE \(name: column) IS NOT NULL AND \(name: table.head.key) IN (\(marked(root)))
            """
        return text.statement(in: dialect)
    }

    /// Finds the rows of a round without a look at those of all others, for the rule "cascade" along a chain takes as
    /// many rounds as the chain has rows.
    package var indexRounds: SQLStatement {
        dialect.createTemporaryIndex(Self.index, on: Self.table, columns: ["Z_ROOT", "Z_ROUND"])
            .statement(in: dialect)
    }

    package var dropIndex: SQLStatement { dialect.dropTemporaryIndex(Self.index).statement(in: dialect) }

    func marked(_ root: Int) -> SQLFragment {
        "SELECT \(name: "Z_PK") FROM \(marks) WHERE \(name: "Z_ROOT") = \(number: root)"
    }
}

/// The effect of a batch deletion on one relationship of marked rows.
package struct DeletionRule: Sendable {
    /// The table of the relationship's pairs.
    private let table: String
    private let source: String
    private let target: String
    private let isJoin: Bool
    /// Indicates that the relationship is its own inverse: then each pair stands in the table twice.
    private let isReflexive: Bool
    private let root: Int
    private let destination: EntityTable
    private let destinationRoot: Int
    private let dialect: any Dialect
    private var statements: DeletionStatements { DeletionStatements(dialect) }

    /// - Parameters:
    ///   - place: the relationship's.
    ///   - owner: the table of the entity that has it.
    ///   - root: Z_ENT of that entity's root, as `destinationRoot` of the other side's.
    ///   - isReflexive: whether the relationship is its own inverse.
    package init?(
        _ place: PropertyColumn, owner: EntityTable, root: Int, destination: EntityTable,
        destinationRoot: Int, isReflexive: Bool = false, in dialect: any Dialect
    ) {
        self.isReflexive = isReflexive
        switch place {
        case .toOne(let column, _, _, _): (table, source, target) = (owner.table, owner.head.key, column)
        case .toMany(let name, let column, _, _, _):
            (table, source, target) = (name, column, destination.head.key)
        case .join(let join):
            (table, source, target) = (join.table, join.sourceColumn, join.destinationColumn)
        case .attribute, .composite: return nil
        }
        if case .join = place { isJoin = true } else { isJoin = false }
        self.root = root
        self.destination = destination
        self.destinationRoot = destinationRoot
        self.dialect = dialect
    }

    /// Marks the related rows of those that were marked in a round.
    ///
    ///     INSERT OR IGNORE INTO temp.Z_DOOMED SELECT 3, Z_PK, 1 FROM ZNOTE WHERE Z_PK IN (SELECT Z_PK FROM ZNOTE
    ///     WHERE ZAUTHOR IN (SELECT Z_PK FROM temp.Z_DOOMED WHERE Z_ROOT = 2 AND Z_ROUND = 0))
    ///
    /// The numbers of rounds are bindings, so that it is one statement for all.
    package func cascade(round: Int) -> SQLStatement {
        let key = SQLFragment(name: destination.head.key)
        return statements.marking(
            """
            SELECT \(number: destinationRoot), \(key), \(binding: .integer(Int64(round) + 1)) \
            FROM \(name: destination.table) WHERE \(key) IN (SELECT \(name: target) FROM \(name: table) \
            WHERE \(name: source) IN (\(statements.marked(root)) \
            AND \(name: "Z_ROUND") = \(binding: .integer(Int64(round)))))
            """
        ).statement(in: dialect)
    }

    /// A marked row and one that is related to it and stays; no row if there are none.
    package var staying: SQLStatement {
        let text: SQLFragment = """
            SELECT \(name: source), \(name: target) FROM \(name: table) \
            WHERE \(name: source) IN (\(statements.marked(root))) \
            AND \(name: target) IN (SELECT \(name: destination.head.key) FROM \(name: destination.table)) \
            AND \(name: target) NOT IN (\(statements.marked(destinationRoot))) LIMIT 1
            """
        return text.statement(in: dialect)
    }

    /// Takes the pairs of marked rows out of a join table; `nil` where there is none.
    package var disconnect: SQLStatement? {
        guard isJoin else { return nil }
        let marked = statements.marked(root)
        var text: SQLFragment = "DELETE FROM \(name: table) WHERE \(name: source) IN (\(marked))"
        if isReflexive { text += " OR \(name: target) IN (\(marked))" }
        return text.statement(in: dialect)
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
        var settings: [SQLFragment] = []
        let head = destination.head
        switch place {
        case .toOne(let column, let entity, let order, _):
            (key, columns) = (column, [column, entity, order])
            let version = SQLFragment(name: head.version)
            settings = ["\(version) = \(dialect.next(afterVersion: version))"]
        case .toMany(_, let column, let entity, let order, _):
            (key, columns) = (column, [column, entity, order])
        case .attribute, .composite, .join: return nil
        }
        settings = columns.compactMap(\.self).map { "\(name: $0) = NULL" } + settings
        let text: SQLFragment = """
            UPDATE \(name: destination.table) SET \(settings.joined(separator: ", ")) \
            WHERE \(name: key) IN (\(statements.marked(root))) \
            AND \(name: head.key) NOT IN (\(statements.marked(destinationRoot)))\
            \(returnsKeys ? head.returning : "")
            """
        return text.statement(in: dialect)
    }
}
