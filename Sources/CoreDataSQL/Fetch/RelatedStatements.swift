// The statements that read the other side of a to-many relationship, and those that a save asks about it.

import CoreDataSchema

/// Statements over one to-many relationship.
package struct RelatedStatements: Sendable {
    private let join: JoinColumns?
    private let table: String
    /// Holds the key of the object that has the relationship: in the join table, or a foreign key.
    private let sourceColumn: String
    package let orderColumn: String?

    /// `nil` for a place that isn't a to-many relationship's. `destination` is the table of the related rows.
    package init?(_ place: PropertyColumn, destination: EntityTable) {
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
        let source = "\(place).\(sqlName(sourceColumn))"
        let order = orderColumn.map { "\(place).\(sqlName($0))" }
        let marks = Array(repeating: "?", count: count).joined(separator: ", ")
        var text = "\(head(columns, isPolymorphic, source, order)) WHERE \(source) IN (\(marks))"
        if let order { text += " ORDER BY \(source), \(order), t.Z_PK" }
        return text
    }

    /// The related rows of all sources, with the same columns, where one pass over the table finds them. The plus sign
    /// keeps the index out, which would jump from row to row. `nil` where an order or a join table is involved.
    ///
    ///     SELECT t.Z_PK, t.Z_OPT, t.ZNAME, t.ZOWNER FROM ZPET AS t WHERE +t.ZOWNER IS NOT NULL
    package func wholeSelection(columns: [String], isPolymorphic: Bool) -> String? {
        guard join == nil, orderColumn == nil else { return nil }
        let source = "t.\(sqlName(sourceColumn))"
        return "\(head(columns, isPolymorphic, source, nil)) WHERE +\(source) IS NOT NULL"
    }

    private func head(_ columns: [String], _ isPolymorphic: Bool, _ source: String, _ order: String?)
        -> String
    {
        let heads = (isPolymorphic ? ["Z_ENT"] : []) + ["Z_PK", "Z_OPT"]
        let selected = (heads + columns).map { "t.\(sqlName($0))" } + [source] + (order.map { [$0] } ?? [])
        return "SELECT \(selected.joined(separator: ", ")) FROM \(origin)"
    }

    private var origin: String {
        guard let join else { return "\(sqlName(table)) AS t" }
        return
            "\(sqlName(join.table)) AS j JOIN \(sqlName(table)) AS t ON t.Z_PK = j.\(sqlName(join.destinationColumn))"
    }

    /// Key and order key of the related rows of one source.
    package func orderKeys(of source: Int64) -> SQLStatement? {
        guard let orderColumn else { return nil }
        let (from, key) = join.map { ($0.table, $0.destinationColumn) } ?? (table, "Z_PK")
        return SQLStatement(
            """
            SELECT \(sqlName(key)), \(sqlName(orderColumn)) FROM \(sqlName(from)) \
            WHERE \(sqlName(sourceColumn)) = ?
            """, [.integer(source)])
    }

    /// Lets all related rows of a source go whose foreign key nothing but this relationship knows.
    package func release(source: Int64) -> SQLStatement? {
        guard join == nil else { return nil }
        return SQLStatement(
            "UPDATE \(sqlName(table)) SET \(sqlName(sourceColumn)) = NULL WHERE \(sqlName(sourceColumn)) = ?",
            [.integer(source)])
    }

    /// Lets one related row go, unless it is another source's by now.
    package func release(_ primaryKey: Int64, of source: Int64) -> SQLStatement? {
        guard join == nil else { return nil }
        return SQLStatement(
            """
            UPDATE \(sqlName(table)) SET \(sqlName(sourceColumn)) = NULL \
            WHERE Z_PK = ? AND \(sqlName(sourceColumn)) = ?
            """, [.integer(primaryKey), .integer(source)])
    }

    /// Makes a row a source's, where a foreign key says so.
    package func claim(_ primaryKey: Int64, for source: Int64) -> SQLStatement? {
        guard join == nil else { return nil }
        return SQLStatement(
            SaveShape.assign(table: table, columns: [sourceColumn]).text,
            [.integer(source), .integer(primaryKey)])
    }

    /// Gives a related row another order key.
    package func reorder(_ primaryKey: Int64, of source: Int64, key: Int64) -> SQLStatement? {
        guard let orderColumn else { return nil }
        if let join {
            return SQLStatement(
                SaveShape.reorder(join, orderColumn: orderColumn).text,
                [.integer(key), .integer(source), .integer(primaryKey)])
        }
        return SQLStatement(
            SaveShape.assign(table: table, columns: [orderColumn]).text,
            [.integer(key), .integer(primaryKey)])
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
    package func lastOrderKey(of source: Int64) -> SQLStatement? {
        guard let orderColumn else { return nil }
        return SQLStatement(
            "SELECT MAX(\(sqlName(orderColumn))) FROM \(sqlName(table)) WHERE \(sqlName(sourceColumn)) = ?",
            [.integer(source)])
    }
}
