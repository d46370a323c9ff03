// One SELECT under construction: its FROM clause grows while key paths are translated.

import CoreDataSchema

/// Hands out table aliases that are unique in a statement.
final class AliasCounter {
    private var next = 0

    func make() -> String {
        defer { next += 1 }
        return "t\(next)"
    }
}

/// The FROM clause and the fixed conditions of one SELECT. To-one joins are shared by all that read the same
/// key.
final class QueryScope {
    private let aliases: AliasCounter
    private(set) var from: SQLFragment
    private var joined: [SQLFragment: String] = [:]
    /// Conditions that tie a subselect to the outer row.
    var conditions: [SQLFragment] = []

    init(from: SQLFragment, aliases: AliasCounter) {
        self.from = from
        self.aliases = aliases
    }

    /// LEFT OUTER JOIN table tN ON tN.Z_PK = key
    func join(_ table: EntityTable, key: SQLFragment) -> String {
        if let alias = joined[key] { return alias }
        let alias = aliases.make()
        from += """
             LEFT OUTER JOIN \(name: table.table) \(alias: alias) \
            ON \(alias: alias).\(name: table.head.key) = \(key)
            """
        joined[key] = alias
        return alias
    }

    /// JOIN table tN ON tN.column = key
    func expand(table: String, column: String, key: SQLFragment) -> String {
        let alias = aliases.make()
        from += " JOIN \(name: table) \(alias: alias) ON \(alias: alias).\(name: column) = \(key)"
        return alias
    }

    /// SELECT what FROM … WHERE tie AND conditions AND filter
    func select(
        _ what: SQLFragment, where filter: SQLFragment? = nil, tie: SQLFragment? = nil
    ) -> SQLFragment {
        let all = (tie.map { [$0] } ?? []) + conditions + (filter.map { [$0] } ?? [])
        let head: SQLFragment = "SELECT \(what) FROM \(from)"
        return all.isEmpty ? head : head + " WHERE " + all.joined(separator: " AND ")
    }
}

extension SQLFragment.Interpolation {
    /// An alias that we made: `t12`.
    mutating func appendInterpolation(alias: String) {
        appendLiteral(alias)
    }
}
