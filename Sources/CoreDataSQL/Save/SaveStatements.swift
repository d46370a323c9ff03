// The statements of a save, made once for each shape.

/// What a statement of a save does, without its values.
package enum SaveShape: Sendable, Hashable {
    /// Binds Z_PK, Z_ENT, Z_OPT, then the columns.
    case insert(table: String, columns: [String])
    /// Binds the columns, the new Z_OPT, Z_PK, the Z_OPT that the row was read with. No row changes when somebody
    /// else changed or deleted it.
    case update(table: String, columns: [String])
    /// Binds the columns, Z_PK; takes no notice of Z_OPT. For keys that belong to another row's relationship.
    case assign(table: String, columns: [String])
    /// Binds Z_PK and the Z_OPT that the row was read with.
    case delete(table: String)
    /// Binds source, destination and, for an ordered relationship, the order key. A pair that is there already
    /// only gets its order key.
    case connect(JoinColumns)
    /// Binds source, destination and the order key if there is one. A pair that is there stays as it is.
    case connectOnce(JoinColumns)
    /// Binds source, destination.
    case disconnect(JoinColumns)
    /// Binds source. For the deletion of an object.
    case disconnectAll(JoinColumns)
    /// Binds the order key, source, destination.
    case reorder(JoinColumns, orderColumn: String)
}

/// Texts by shape.
package struct SaveStatements: Sendable {
    private var texts: [SaveShape: String] = [:]

    package init() {}

    /// The text for a shape, made at its first use.
    package mutating func text(for shape: SaveShape) -> String {
        if let text = texts[shape] { return text }
        let text = shape.text
        texts[shape] = text
        return text
    }
}

extension SaveShape {
    /// The SQL.
    package var text: String {
        switch self {
        case .insert(let table, let columns):
            let names = ["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(sqlName)
            let marks = Array(repeating: "?", count: names.count)
            return "INSERT INTO \(sqlName(table)) (\(list(names))) VALUES (\(list(marks)))"
        case .update(let table, let columns):
            let set = columns.map(assignment) + ["Z_OPT = ?"]
            return "UPDATE \(sqlName(table)) SET \(list(set)) WHERE Z_PK = ? AND Z_OPT = ?"
        case .assign(let table, let columns):
            return "UPDATE \(sqlName(table)) SET \(list(columns.map(assignment))) WHERE Z_PK = ?"
        case .delete(let table):
            return "DELETE FROM \(sqlName(table)) WHERE Z_PK = ? AND Z_OPT = ?"
        case .connect(let join):
            return connection(join)
        case .connectOnce(let join):
            let columns = [join.sourceColumn, join.destinationColumn, join.orderColumn].compactMap(\.self)
            let marks = columns.map { _ in "?" }
            return "INSERT OR IGNORE INTO \(sqlName(join.table)) (\(list(columns.map(sqlName)))) "
                + "VALUES (\(list(marks)))"
        case .disconnect(let join):
            return "DELETE FROM \(sqlName(join.table)) WHERE \(pair(join))"
        case .disconnectAll(let join):
            return "DELETE FROM \(sqlName(join.table)) WHERE \(sqlName(join.sourceColumn)) = ?"
        case .reorder(let join, let column):
            return "UPDATE \(sqlName(join.table)) SET \(sqlName(column)) = ? WHERE \(pair(join))"
        }
    }

    private func connection(_ join: JoinColumns) -> String {
        let keys = [join.sourceColumn, join.destinationColumn].map(sqlName)
        guard let order = join.orderColumn.map(sqlName) else {
            return "INSERT OR IGNORE INTO \(sqlName(join.table)) (\(list(keys))) VALUES (?, ?)"
        }
        return "INSERT INTO \(sqlName(join.table)) (\(list(keys + [order]))) VALUES (?, ?, ?) "
            + "ON CONFLICT (\(list(keys))) DO UPDATE SET \(order) = excluded.\(order)"
    }

    private func pair(_ join: JoinColumns) -> String {
        "\(sqlName(join.sourceColumn)) = ? AND \(sqlName(join.destinationColumn)) = ?"
    }

    private func assignment(_ column: String) -> String { sqlName(column) + " = ?" }

    private func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
