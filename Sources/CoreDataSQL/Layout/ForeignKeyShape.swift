// A foreign key of a store's tables.

/// A column whose keys lead to rows of a table.
package struct ForeignKeyShape: Sendable, Hashable {
    package var table: String
    package var column: String
    /// The table that it leads to, with the column of its keys.
    package var target: String
    package var key: String
    /// Indicates whether the row is a link of a join table, which is nothing without its two ends.
    package var isLink: Bool

    init(table: String, column: String, target: EntityTable, isLink: Bool = false) {
        self.table = table
        self.column = column
        self.target = target.table
        key = target.head.key
        self.isLink = isLink
    }

    /// The name of the constraint: what the server would call it.
    package var name: String { PlainNaming.name("\(table)_\(column)", suffix: "_fkey") }

    /// `ALTER TABLE … ADD CONSTRAINT …`
    ///
    /// - Parameters:
    ///   - isReleased: whether the key goes with the row that it leads to, as programs do that don't know of the key.
    ///   - isValid: whether the rows that are there are checked at once, with the table locked.
    func addition(isReleased: Bool = false, isValid: Bool = true) -> SQLFragment {
        let release = isReleased ? isLink ? " ON DELETE CASCADE" : " ON DELETE SET NULL" : ""
        return """
            ALTER TABLE \(name: table) ADD CONSTRAINT \(name: name) FOREIGN KEY (\(name: column)) \
            REFERENCES \(name: target) (\(name: key))\(sql: release) DEFERRABLE INITIALLY DEFERRED\
            \(sql: isValid ? "" : " NOT VALID")
            """
    }
}
