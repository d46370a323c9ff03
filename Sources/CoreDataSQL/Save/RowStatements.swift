// The statements that write the rows of one table.

/// Statements over rows by key and version.
package struct RowStatements: Sendable {
    private let table: EntityTable
    private let dialect: any Dialect

    package init(_ table: EntityTable, in dialect: any Dialect) {
        self.table = table
        self.dialect = dialect
    }

    /// `INSERT INTO T (Z_PK, Z_ENT, Z_OPT, A, …) ` with nothing behind it.
    package func insertion(_ columns: [String]) -> String {
        let list = table.head.all.map(SQLFragment.init(name:)) + columns.map { "\(quoted: $0)" }
        let text: SQLFragment = "INSERT INTO \(quoted: table.table) (\(list.joined(separator: ", "))) "
        return text.text(in: dialect)
    }

    /// Inserts rows; binds key, entity number, version and the columns of each.
    package func insertion(_ columns: [String], rows: Int) -> String {
        let row: SQLFragment = "(\(SQLFragment.slots(columns.count + 3)))"
        let all = Array(repeating: row, count: rows).joined(separator: ", ")
        return insertion(columns) + ("VALUES \(all)" as SQLFragment).text(in: dialect)
    }

    /// Binds the columns, the new version, the key, the version that the row was read with: no row changes when
    /// somebody else changed or deleted it.
    ///
    ///     UPDATE T SET A = ?, …, Z_OPT = ? WHERE Z_PK = ? AND IFNULL(Z_OPT, 0) = ?
    package func update(_ columns: [String]) -> String {
        let own = columns.map { "\(quoted: $0) = \(slot: .ofPlace)" as SQLFragment }
        let settings = own + ["\(name: table.head.version) = \(slot: .ofPlace)"]
        let text: SQLFragment = """
            UPDATE \(quoted: table.table) SET \(settings.joined(separator: ", ")) \(condition(guarded: true))
            """
        return text.text(in: dialect)
    }

    /// - Parameter guarded: whether the row must have a version, the second binding.
    package func deletion(guarded: Bool) -> String {
        ("DELETE FROM \(quoted: table.table) \(condition(guarded: guarded))" as SQLFragment).text(in: dialect)
    }

    /// Deletes the rows from a key to another that have a version, the third binding.
    ///
    ///     DELETE FROM T WHERE Z_PK BETWEEN ? AND ? AND IFNULL(Z_OPT, 0) = ?
    package var deletionOfRun: String {
        ("DELETE FROM \(quoted: table.table) \(runCondition)" as SQLFragment).text(in: dialect)
    }

    /// Counts the rows that `deletionOfRun` deletes.
    package var countOfRun: String {
        ("SELECT COUNT(*) FROM \(quoted: table.table) \(runCondition)" as SQLFragment).text(in: dialect)
    }

    private var runCondition: SQLFragment {
        let version = dialect.ifNull("\(name: table.head.version)", and: "0")
        let keys: SQLFragment = "\(name: table.head.key) BETWEEN \(slot: .ofPlace) AND \(slot: .ofPlace)"
        return "WHERE \(keys) AND \(version) = \(slot: .ofPlace)"
    }

    /// Columns of one row.
    ///
    /// - Parameters:
    ///   - columns: one or more.
    ///   - guarded: whether the row must have a version, the second binding.
    package func selection(_ columns: [String], guarded: Bool) -> String {
        let list = columns.map { "\(quoted: $0)" as SQLFragment }.joined(separator: ", ")
        let text: SQLFragment = "SELECT \(list) FROM \(quoted: table.table) \(condition(guarded: guarded))"
        return text.text(in: dialect)
    }

    private func condition(guarded: Bool) -> SQLFragment {
        let key: SQLFragment = "WHERE \(name: table.head.key) = \(slot: .ofPlace)"
        guard guarded else { return key }
        let version = dialect.ifNull("\(name: table.head.version)", and: "0")
        return "\(key) AND \(version) = \(slot: .ofPlace)"
    }
}
