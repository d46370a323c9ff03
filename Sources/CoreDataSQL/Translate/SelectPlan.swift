// One fetch as a SELECT: the parts of a description in the order in which SQL needs them translated.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

/// Builds the SELECT of a fetch, of its own or inside another statement.
struct SelectPlan {
    let description: FetchDescription
    let translator: Translator

    init(_ description: FetchDescription, _ translator: Translator) {
        self.description = description
        self.translator = translator
    }

    func fragment() throws(TranslationFailure) -> SQLFragment {
        let row = try translator.root(entity: description.entityName)
        switch description.result {
        case .rows(let columns):
            let alias = try translator.alias(of: row)
            let all = [translator.column("Z_OPT", alias)] + columns.map { translator.column($0, alias) }
            return try select(keyColumns(row) + all, from: row)
        case .keys:
            return try select(keyColumns(row), from: row)
        case .count:
            return try count(row)
        case .dictionaries(let columns):
            return try dictionaries(columns, row)
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
    private func select(
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

    private func filter(_ row: RowOperand) throws(TranslationFailure) {
        if let restriction = try entityRestriction(row) { row.scope.conditions.append(restriction) }
        guard let predicate = description.predicate, predicate != .constant(true) else { return }
        let environment = Environment(current: row)
        row.scope.conditions.append(try translator.condition(predicate, environment))
    }

    /// t0.Z_ENT IN (2, 3), if the table has rows of entities that aren't wanted
    private func entityRestriction(_ row: RowOperand) throws(TranslationFailure) -> SQLFragment? {
        let table = try translator.table(of: description.entityName)
        guard table.isPolymorphic else { return nil }
        let wanted = description.includesSubentities ? table.subtreeNumbers : [table.number]
        if description.includesSubentities, table.entityName == table.rootName { return nil }
        let column = translator.column("Z_ENT", try translator.alias(of: row))
        if wanted.count == 1 { return "\(column) = \(number: wanted[0])" }
        let numbers = wanted.map { "\(number: $0)" as SQLFragment }.joined(separator: ", ")
        return "\(column) IN (\(numbers))"
    }

    private func order(_ row: RowOperand) throws(TranslationFailure) -> SQLFragment {
        guard !description.sortKeys.isEmpty else { return "" }
        var terms: [SQLFragment] = []
        for key in description.sortKeys { terms.append(try term(key, row)) }
        return " ORDER BY " + terms.joined(separator: ", ")
    }

    /// t0.ZNAME COLLATE NSCollateNoCase DESC
    private func term(_ key: SortKey, _ row: RowOperand) throws(TranslationFailure) -> SQLFragment {
        guard !key.keyPath.contains("@") else {
            throw TranslationFailure("can't sort by \"\(key.keyPath)\": a collection operator has no order")
        }
        var sql: SQLFragment
        switch try translator.follow(key.keyPath, from: .object(row), Environment(current: row)) {
        case .object(let target):
            sql = target.key
        case .scalar(let scalar):
            sql = scalar.sql
            if scalar.kind == .text, let collation = SQLCollation(key.comparison) {
                sql += " COLLATE \(collation: collation)"
            }
        case .collection, .constant, .list:
            throw TranslationFailure("to-many key not allowed here: can't sort by \"\(key.keyPath)\"")
        }
        return key.ascending ? sql : sql + " DESC"
    }

    private var window: SQLFragment {
        switch (description.limit, description.offset) {
        case (...0, ...0): ""
        case (let limit, ...0): " LIMIT \(binding: .integer(Int64(limit)))"
        case (...0, let offset): " LIMIT -1 OFFSET \(binding: .integer(Int64(offset)))"
        case (let limit, let offset):
            " LIMIT \(binding: .integer(Int64(limit))) OFFSET \(binding: .integer(Int64(offset)))"
        }
    }
}

extension SQLFragment.Interpolation {
    mutating func appendInterpolation(collation: SQLCollation) {
        appendLiteral(collation.rawValue)
    }
}

// MARK: - Dictionaries

extension SelectPlan {
    /// One result column as SQL: a value, or an object's key with Z_ENT before it if it can vary.
    struct Column {
        var parts: [SQLFragment]
        var isAggregate = false
        /// What a later `$alias` stands for.
        var operand: Operand
        var columns: Set<String> = []
    }

    private func dictionaries(
        _ wanted: [FetchDescription.DictionaryColumn], _ row: RowOperand
    ) throws(TranslationFailure) -> SQLFragment {
        guard !wanted.isEmpty else {
            throw TranslationFailure("a dictionary result needs properties to fetch")
        }
        try filter(row)
        var columns: [Column] = []
        var variables: [String: Operand] = [:]
        for column in wanted {
            let translated = try self.column(column, row)
            columns.append(translated)
            variables[column.name] = translated.operand
        }
        let grouping = try grouping(columns, row, variables)
        let order = try self.order(row)
        let list = columns.flatMap(\.parts).joined(separator: ", ")
        let head: SQLFragment = description.returnsDistinctResults ? "DISTINCT \(list)" : list
        return row.scope.select(head) + grouping + order + window
    }

    func column(
        _ column: FetchDescription.DictionaryColumn, _ row: RowOperand
    ) throws(TranslationFailure) -> Column {
        var environment = Environment(current: row)
        environment.allowsAggregates = true
        switch column.source {
        case .objectID:
            return try object(row)
        case .keyPath(let path):
            let operand = try translator.follow(path, from: .object(row), environment)
            return try self.column(operand, named: column.name)
        case .expression(let tree, _):
            let operand = try translator.operand(tree, environment)
            return try self.column(operand, named: column.name)
        }
    }

    private func column(_ operand: Operand, named name: String) throws(TranslationFailure) -> Column {
        if case .object(let row) = operand { return try object(row) }
        let scalar = try translator.scalar(operand, name)
        return Column(
            parts: [scalar.sql], isAggregate: scalar.isAggregate, operand: operand, columns: scalar.columns)
    }

    /// The fetched object: Z_ENT and Z_PK. A relationship: its target's Z_ENT if that can vary, and its key.
    private func object(_ row: RowOperand) throws(TranslationFailure) -> Column {
        var parts = [row.key]
        if let alias = row.alias {
            parts.insert(translator.column("Z_ENT", alias), at: 0)
        } else if let number = row.entityNumber {
            parts.insert(number, at: 0)
        }
        return Column(parts: parts, operand: .object(row), columns: Set(parts.map(\.inlined)))
    }

    /// GROUP BY … HAVING …
    private func grouping(
        _ columns: [Column], _ row: RowOperand, _ variables: [String: Operand]
    ) throws(TranslationFailure) -> SQLFragment {
        guard !description.groupBy.isEmpty else {
            guard description.having == nil else {
                throw TranslationFailure("havingPredicate needs propertiesToGroupBy")
            }
            return ""
        }
        var groups: [SQLFragment] = []
        for group in description.groupBy {
            let column = try self.column(group, row)
            guard !column.isAggregate else {
                throw TranslationFailure("can't group by \(group.name), which is computed over a group")
            }
            groups.append(contentsOf: column.parts)
        }
        let names = Set(groups.map(\.inlined))
        for (index, column) in columns.enumerated() where !column.isAggregate {
            guard
                column.columns.isSubset(of: names) || column.parts.allSatisfy({ names.contains($0.inlined) })
            else {
                throw TranslationFailure(
                    "with GROUP BY, a fetch can have only properties that it groups by and functions over a "
                        + "group: column \(index + 1) is neither")
            }
        }
        let clause: SQLFragment = " GROUP BY \(groups.joined(separator: ", "))"
        guard let having = description.having else { return clause }
        var environment = Environment(current: row)
        environment.variables = variables
        return clause + " HAVING " + (try translator.condition(having, environment))
    }

    /// The only column of a fetch that stands inside another: the key, unless a dictionary result says else.
    func singleColumn() throws(TranslationFailure) -> (
        select: SQLFragment, element: CollectionOperand.Element
    ) {
        let row = try translator.root(entity: description.entityName)
        guard case .dictionaries(let wanted) = description.result else {
            return (try select(["\(row.key) AS v"], from: row), .row(row))
        }
        guard wanted.count == 1 else {
            throw TranslationFailure(
                "the fetch of a FETCH expression must have one property, not \(wanted.count)")
        }
        switch try column(wanted[0], row).operand {
        case .object(let target):
            return (try select(["\(target.key) AS v"], from: row), .row(target))
        case .scalar(let scalar):
            return (try select(["\(scalar.sql) AS v"], from: row), .scalar(scalar))
        case .constant, .collection, .list:
            throw TranslationFailure("the fetch of a FETCH expression must have one property")
        }
    }
}
