// One fetch as a SELECT: the parts of a description in the order in which SQL needs them translated.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

/// Builds the SELECT of a fetch, of its own or inside another statement.
struct SelectPlan {
    let description: FetchDescription
    let translator: Translator
    /// Indicates whether R-trees may narrow the rows down: not those of a statement that changes the
    /// columns that they are made of.
    var usesRangeTrees = true

    init(_ description: FetchDescription, translator: Translator) {
        self.description = description
        self.translator = translator
    }

    func fragment() throws(TranslationFailure) -> SQLFragment {
        let row = try translator.root(entity: description.entityName)
        switch description.result {
        case .rows(let columns):
            let alias = try translator.alias(of: row)
            let version = try translator.table(of: row.entity).head.version
            let all =
                [translator.column(version, alias: alias)]
                + columns.map { translator.column($0, alias: alias) }
            return try select(keyColumns(row) + all, from: row)
        case .keys:
            return try select(keyColumns(row), from: row)
        case .count:
            return try count(row)
        case .dictionaries(let columns):
            return try dictionaries(columns, row: row)
        case .dictionaryCount(let columns):
            return try dictionaryCount(columns, row: row)
        }
    }

    /// SELECT t0.Z_PK FROM …: what a batch operation or an IN takes.
    func primaryKeys() throws(TranslationFailure) -> SQLFragment {
        let row = try translator.root(entity: description.entityName)
        return try select([row.key], from: row)
    }

    private func keyColumns(_ row: RowOperand) -> [SQLFragment] {
        (row.entityNumber.map { [$0] } ?? []) + [row.key]
    }

    /// SELECT columns FROM … WHERE … ORDER BY … LIMIT …
    func select(
        _ columns: [SQLFragment], from row: RowOperand
    ) throws(TranslationFailure) -> SQLFragment {
        try filter(row)
        let order = try self.order(row)
        return row.scope.select(columns.joined(separator: ", ")) + order + window
    }

    /// A count needs no order; a window is counted from outside.
    private func count(_ row: RowOperand) throws(TranslationFailure) -> SQLFragment {
        try filter(row)
        guard description.limit > 0 || description.offset > 0 else { return row.scope.select("COUNT(*)") }
        let alias = translator.aliases.make()
        return "SELECT COUNT(*) FROM (\(row.scope.select("1"))\(window)) \(alias: alias)"
    }

    func filter(_ row: RowOperand) throws(TranslationFailure) {
        if let restriction = try entityRestriction(row) { row.scope.conditions.append(restriction) }
        guard let predicate = description.predicate, predicate != .constant(true) else { return }
        let environment = Environment(current: row)
        let condition = try translator.condition(predicate, outer: environment)
        if usesRangeTrees, let ranges = try translator.ranges(of: predicate, row) {
            row.scope.conditions.append(ranges)
        }
        row.scope.conditions.append(condition)
    }

    /// t0.Z_ENT IN (2, 3), if the table has rows of entities that aren't wanted
    private func entityRestriction(_ row: RowOperand) throws(TranslationFailure) -> SQLFragment? {
        let table = try translator.table(of: description.entityName)
        guard table.isPolymorphic else { return nil }
        let wanted = description.includesSubentities ? table.subtreeNumbers : [table.number]
        if description.includesSubentities, table.entityName == table.rootName { return nil }
        let column = translator.column(table.head.entity, alias: try translator.alias(of: row))
        if wanted.count == 1 { return "\(column) = \(number: wanted[0])" }
        return "\(column) IN (\(numbers: wanted))"
    }

    func order(_ row: RowOperand) throws(TranslationFailure) -> SQLFragment {
        guard !description.sortKeys.isEmpty else { return "" }
        var terms: [SQLFragment] = []
        for key in description.sortKeys { terms.append(try term(key, row: row)) }
        return " ORDER BY " + terms.joined(separator: ", ")
    }

    /// t0.ZNAME COLLATE NSCollateNoCase DESC
    private func term(_ key: SortKey, row: RowOperand) throws(TranslationFailure) -> SQLFragment {
        let value = try sortValue(key, row: row)
        var sql = value.sql
        if value.isText, let collation = SQLCollation(key.comparison) {
            sql = try translator.dialect.collated(sql, collation: collation)
        }
        let order = translator.dialect.order(sql, ascending: key.ascending, isKey: value.isKey)
        guard key.comparison == .unsignedCompare, !value.isText else { return order }
        return translator.dialect.order("(\(sql) < 0)", ascending: key.ascending, isKey: false) + ", " + order
    }

    /// The value that a sort key stands for. `isKey` says whether it is the row's own key.
    func sortValue(
        _ key: SortKey, row: RowOperand
    ) throws(TranslationFailure) -> (sql: SQLFragment, isText: Bool, isKey: Bool) {
        guard !key.keyPath.contains("@") else {
            throw TranslationFailure("can't sort by \"\(key.keyPath)\": a collection operator has no order")
        }
        switch try translator.follow(key.keyPath, from: .object(row), environment: Environment(current: row))
        {
        case .object(let target):
            return (target.key, false, target.name == row.name)
        case .scalar(let scalar):
            try translator.requireSingle(scalar)
            return (scalar.sql, scalar.kind == .text, false)
        case .collection, .constant, .list:
            throw TranslationFailure("to-many key not allowed here: can't sort by \"\(key.keyPath)\"")
        }
    }

    var window: SQLFragment {
        translator.dialect.window(limit: description.limit, offset: description.offset)
    }
}
