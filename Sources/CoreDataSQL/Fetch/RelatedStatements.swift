// The statements that read the other side of a to-many relationship, and those that a save asks about it.

import CoreDataSchema

/// Statements over one to-many relationship.
package struct RelatedStatements: Sendable {
    private let dialect: any Dialect
    private let head: HeadColumns
    private let join: JoinColumns?
    private let table: String
    /// Holds the key of the object that has the relationship: in the join table, or a foreign key.
    private let sourceColumn: String
    package let orderColumn: String?

    /// `nil` for a place that isn't a to-many relationship's. `destination` is the table of the related rows.
    package init?(_ place: PropertyColumn, destination: EntityTable, in dialect: any Dialect) {
        self.dialect = dialect
        head = destination.head
        switch place {
        case .join(let columns):
            join = columns
            table = destination.table
            sourceColumn = columns.sourceColumn
            orderColumn = columns.orderColumn
        case .toMany(let name, let column, _, let order, _):
            join = nil
            table = name
            sourceColumn = column
            orderColumn = order
        case .attribute, .composite, .toOne: return nil
        }
    }

    /// The rows related to any of `count` sources, which are the parameters. The result's columns are Z_ENT
    /// (only if the table is polymorphic), Z_PK, Z_OPT, `columns`, the source, and for an ordered
    /// relationship the order key.
    ///
    ///     SELECT t.Z_PK, t.Z_OPT, t.ZNAME, j.Z_1OWNERS, j.Z_FOK_2PETS FROM Z_1PETS AS j
    ///     JOIN ZPET AS t ON t.Z_PK = j.Z_2PETS WHERE j.Z_1OWNERS IN (?, ?) ORDER BY j.Z_1OWNERS, j.Z_FOK_2PETS
    package func selection(columns: [String], isPolymorphic: Bool, sources count: Int) -> String {
        let place = join == nil ? "t" : "j"
        let source: SQLFragment = "\(sql: place).\(name: sourceColumn)"
        let order = orderColumn.map { "\(sql: place).\(name: $0)" as SQLFragment }
        var text = selection(columns, isPolymorphic: isPolymorphic, source: source, order: order)
        text += " WHERE \(source) \(dialect.oneOfKeys(count))"
        if let order {
            let last = dialect.order(order, ascending: true, isKey: false)
            text += " ORDER BY \(source), \(last), t.\(name: head.key)"
        }
        return text.text(in: dialect)
    }

    /// The related rows of all sources, with the same columns, where one pass over the table finds them. The plus sign
    /// keeps the index out, which would jump from row to row. `nil` where an order or a join table is involved.
    ///
    ///     SELECT t.Z_PK, t.Z_OPT, t.ZNAME, t.ZOWNER FROM ZPET AS t WHERE +t.ZOWNER IS NOT NULL
    package func wholeSelection(columns: [String], isPolymorphic: Bool) -> String? {
        guard join == nil, orderColumn == nil else { return nil }
        let source: SQLFragment = "t.\(name: sourceColumn)"
        let all = selection(columns, isPolymorphic: isPolymorphic, source: source, order: nil)
        let statement: SQLFragment = "\(all) WHERE \(dialect.passing(source)) IS NOT NULL"
        return statement.text(in: dialect)
    }

    private func selection(
        _ columns: [String], isPolymorphic: Bool, source: SQLFragment, order: SQLFragment?
    ) -> SQLFragment {
        let heads = (isPolymorphic ? [head.entity] : []) + [head.key, head.version]
        let own = (heads + columns).map { "t.\(name: $0)" as SQLFragment }
        let selected = own + [source] + (order.map { [$0] } ?? [])
        return "SELECT \(selected.joined(separator: ", ")) FROM \(origin)"
    }

    private var origin: SQLFragment {
        guard let join else { return "\(name: table) AS t" }
        return """
            \(name: join.table) AS j JOIN \(name: table) AS t \
            ON t.\(name: head.key) = j.\(name: join.destinationColumn)
            """
    }

    /// Key and order key of the related rows of one source.
    package func orderKeys(of source: Int64) -> SQLStatement? {
        guard let orderColumn else { return nil }
        let (from, key) = join.map { ($0.table, $0.destinationColumn) } ?? (table, head.key)
        let text: SQLFragment = """
            SELECT \(name: key), \(name: orderColumn) FROM \(name: from) \
            WHERE \(name: sourceColumn) = \(binding: .integer(source), as: .ofPlace)
            """
        return text.statement(in: dialect)
    }

    /// Lets all related rows of a source go whose foreign key nothing but this relationship knows.
    package func release(source: Int64) -> SQLStatement? {
        guard join == nil else { return nil }
        return released("\(name: sourceColumn) = \(binding: .integer(source), as: .ofPlace)")
    }

    /// Lets one related row go, unless it is another source's by now.
    package func release(_ primaryKey: Int64, of source: Int64) -> SQLStatement? {
        guard join == nil else { return nil }
        return released(
            """
            \(name: head.key) = \(binding: .integer(primaryKey), as: .ofPlace) \
            AND \(name: sourceColumn) = \(binding: .integer(source), as: .ofPlace)
            """)
    }

    private func released(_ condition: SQLFragment) -> SQLStatement {
        let text: SQLFragment = "UPDATE \(name: table) SET \(name: sourceColumn) = NULL WHERE \(condition)"
        return text.statement(in: dialect)
    }

    /// Makes a row a source's, where a foreign key says so.
    package func claim(_ primaryKey: Int64, for source: Int64) -> SQLStatement? {
        guard join == nil else { return nil }
        return SQLStatement(
            SaveShape.assign(table: table, columns: [sourceColumn], key: head.key).text(in: dialect),
            bindings: [.integer(source), .integer(primaryKey)])
    }

    /// Gives a related row another order key.
    package func reorder(_ primaryKey: Int64, of source: Int64, key: Int64) -> SQLStatement? {
        guard let orderColumn else { return nil }
        if let join {
            return SQLStatement(
                SaveShape.reorder(join, orderColumn: orderColumn).text(in: dialect),
                bindings: [.integer(key), .integer(source), .integer(primaryKey)])
        }
        return SQLStatement(
            SaveShape.assign(table: table, columns: [orderColumn], key: head.key).text(in: dialect),
            bindings: [.integer(key), .integer(primaryKey)])
    }
}

extension JoinColumns {
    /// The same join table as the relationship on the other side sees it. `owner` is the entity on this side.
    package func inverted(destination owner: String) -> JoinColumns {
        JoinColumns(
            table: table, sourceColumn: destinationColumn, destinationColumn: sourceColumn,
            orderColumn: inverseOrderColumn, inverseOrderColumn: orderColumn, destination: owner)
    }

    /// The largest order key among the related rows of a source.
    package func lastOrderKey(of source: Int64, in dialect: any Dialect) -> SQLStatement? {
        guard let orderColumn else { return nil }
        let text: SQLFragment = """
            SELECT MAX(\(name: orderColumn)) FROM \(name: table) \
            WHERE \(name: sourceColumn) = \(binding: .integer(source), as: .ofPlace)
            """
        return text.statement(in: dialect)
    }
}
