// The statements of a save, made once for each shape.

/// The work of a statement over links, without its values.
package enum SaveShape: Sendable, Hashable {
    /// Binds the columns, then the row's key; takes no notice of its version. For keys that belong to another row's
    /// relationship.
    case assign(table: String, columns: [String], key: String)
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
    private let dialect: any Dialect

    package init(_ dialect: any Dialect) {
        self.dialect = dialect
    }

    /// The text for a shape, made at its first use.
    package mutating func text(for shape: SaveShape) -> String {
        if let text = texts[shape] { return text }
        let text = shape.text(in: dialect)
        texts[shape] = text
        return text
    }
}

extension SaveShape {
    /// The SQL.
    package func text(in dialect: any Dialect) -> String { fragment(dialect).text(in: dialect) }

    private func fragment(_ dialect: any Dialect) -> SQLFragment {
        switch self {
        case .assign(let table, let columns, let key):
            "UPDATE \(name: table) SET \(assignments(columns)) WHERE \(assignments([key]))"
        case .connect(let join): connection(join, dialect: dialect)
        case .connectOnce(let join):
            dialect.insertIfAbsent(
                insertion(
                    join.table,
                    columns: [join.sourceColumn, join.destinationColumn, join.orderColumn].compactMap(\.self))
            )
        case .disconnect(let join): "DELETE FROM \(name: join.table) WHERE \(pair(join))"
        case .disconnectAll(let join):
            "DELETE FROM \(name: join.table) WHERE \(assignments([join.sourceColumn]))"
        case .reorder(let join, let column):
            "UPDATE \(name: join.table) SET \(assignments([column])) WHERE \(pair(join))"
        }
    }

    private func connection(_ join: JoinColumns, dialect: any Dialect) -> SQLFragment {
        let keys = [join.sourceColumn, join.destinationColumn]
        guard let order = join.orderColumn else {
            return dialect.insertIfAbsent(insertion(join.table, columns: keys))
        }
        return """
            INSERT INTO \(insertion(join.table, columns: keys + [order])) \
            ON CONFLICT (\(names: keys)) DO UPDATE SET \(name: order) = excluded.\(name: order)
            """
    }

    private func insertion(_ table: String, columns: [String]) -> SQLFragment {
        "\(name: table) (\(names: columns)) VALUES (\(SQLFragment.slots(columns.count)))"
    }

    private func pair(_ join: JoinColumns) -> SQLFragment {
        "\(assignments([join.sourceColumn])) AND \(assignments([join.destinationColumn]))"
    }

    private func assignments(_ columns: [String]) -> SQLFragment {
        columns.map { "\(name: $0) = \(slot: .ofPlace)" as SQLFragment }.joined(separator: ", ")
    }
}

extension SQLFragment {
    /// As many parameters as an insertion has columns.
    static func slots(_ count: Int) -> SQLFragment {
        Array(repeating: "\(slot: .ofPlace)" as SQLFragment, count: count).joined(separator: ", ")
    }
}
