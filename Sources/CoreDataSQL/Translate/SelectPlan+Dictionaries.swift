// Dictionary results: their columns, groups and the conditions on groups.

import CoreDataPredicate
import CoreDataSupport

extension SelectPlan {
    /// One result column as SQL: a value, or an object's key with Z_ENT before it if it can vary.
    struct Column {
        var parts: [SQLFragment]
        var isAggregate = false
        /// The operand that a later `$alias` stands for.
        var operand: Operand
        var columns: Set<SQLFragment> = []
    }

    func dictionaries(
        _ wanted: [FetchDescription.DictionaryColumn], row: RowOperand
    ) throws(TranslationFailure) -> SQLFragment {
        guard !wanted.isEmpty else {
            throw TranslationFailure("a dictionary result needs properties to fetch")
        }
        try filter(row)
        var columns: [Column] = []
        var variables: [String: Operand] = [:]
        for column in wanted {
            let translated = try self.column(column, row: row)
            columns.append(translated)
            variables[column.name] = translated.operand
        }
        let grouping = try grouping(columns, names: wanted.map(\.name), row: row, variables: variables)
        if !translator.dialect.allowsLooseColumns { try requireStrict(columns, row: row) }
        let order = try self.order(row)
        let list = columns.flatMap(\.parts).joined(separator: ", ")
        let head: SQLFragment = description.returnsDistinctResults ? "DISTINCT \(list)" : list
        return row.scope.select(head) + grouping + order + window
    }

    /// SELECT COUNT(*) FROM (SELECT DISTINCT … GROUP BY … LIMIT …) t1. A count needs no order.
    func dictionaryCount(
        _ wanted: [FetchDescription.DictionaryColumn], row: RowOperand
    ) throws(TranslationFailure) -> SQLFragment {
        var unsorted = description
        unsorted.sortKeys = []
        let rows = try SelectPlan(unsorted, translator: translator).dictionaries(wanted, row: row)
        return "SELECT COUNT(*) FROM (\(rows)) \(alias: translator.aliases.make())"
    }

    func column(
        _ column: FetchDescription.DictionaryColumn, row: RowOperand
    ) throws(TranslationFailure) -> Column {
        var environment = Environment(current: row)
        environment.allowsAggregates = true
        switch column.source {
        case .objectID:
            return try object(row)
        case .keyPath(let path):
            let operand = try translator.follow(path, from: .object(row), environment: environment)
            return try self.column(operand, named: column.name)
        case .expression(let tree, _):
            let operand = try translator.operand(tree, outer: environment)
            return try self.column(operand, named: column.name)
        }
    }

    private func column(_ operand: Operand, named name: String) throws(TranslationFailure) -> Column {
        if case .object(let row) = operand { return try object(row) }
        let scalar = try translator.scalar(operand, name: name)
        return Column(
            parts: [scalar.sql], isAggregate: scalar.isAggregate, operand: operand, columns: scalar.columns)
    }

    /// The fetched object: Z_ENT and Z_PK. A relationship: its target's Z_ENT if that can vary, and its key.
    private func object(_ row: RowOperand) throws(TranslationFailure) -> Column {
        var parts = [row.key]
        if let alias = row.alias {
            parts.insert(
                translator.column(try translator.table(of: row.entity).head.entity, alias: alias), at: 0)
        } else if let number = row.entityNumber {
            parts.insert(number, at: 0)
        }
        return Column(parts: parts, operand: .object(row), columns: Set(parts))
    }

    /// GROUP BY … HAVING …
    private func grouping(
        _ columns: [Column], names: [String], row: RowOperand, variables: [String: Operand]
    ) throws(TranslationFailure) -> SQLFragment {
        guard !description.groupBy.isEmpty else {
            guard description.having == nil else {
                throw TranslationFailure(GroupingRefusal.havingWithoutGroups.reason)
            }
            return ""
        }
        var groups: [SQLFragment] = []
        for group in description.groupBy {
            let column = try self.column(group, row: row)
            guard !column.isAggregate else {
                throw TranslationFailure(GroupingRefusal.groupsByFunction(group.name).reason)
            }
            groups.append(contentsOf: column.parts)
        }
        try requireGrouped(zip(columns, names).map { ($0, $1) }, groups: Set(groups))
        let clause: SQLFragment = " GROUP BY \(groups.joined(separator: ", "))"
        guard let having = description.having else { return clause }
        var environment = Environment(current: row)
        environment.variables = variables
        environment.allowsAggregates = true
        return clause + " HAVING " + (try translator.condition(having, outer: environment))
    }

    /// Beside the groups' own columns only functions over a group have one value for it.
    private func requireGrouped(
        _ columns: [(Column, name: String)], groups: Set<SQLFragment>
    ) throws(TranslationFailure) {
        for (column, name) in columns where !column.isAggregate {
            let isGrouped =
                column.columns.isSubset(of: groups) || column.parts.allSatisfy(groups.contains)
            guard isGrouped else {
                throw TranslationFailure(GroupingRefusal.ungrouped(name).reason)
            }
        }
    }

    /// For databases that take no column of a row that they put together: sort keys must be fetched or grouped by, and
    /// functions over all rows can't stand beside columns of each.
    private func requireStrict(_ columns: [Column], row: RowOperand) throws(TranslationFailure) {
        let isGrouped = !description.groupBy.isEmpty
        let collapses = isGrouped || columns.contains(where: \.isAggregate)
        if collapses, !isGrouped, columns.contains(where: { !$0.isAggregate && !$0.columns.isEmpty }) {
            throw TranslationFailure(
                "\(translator.dialect.databaseName) can't fetch functions over all rows beside columns of each"
            )
        }
        guard collapses || description.returnsDistinctResults else { return }
        var allowed = Set(columns.flatMap(\.parts))
        if isGrouped, !description.returnsDistinctResults {
            for group in description.groupBy { allowed.formUnion(try column(group, row: row).parts) }
        }
        for key in description.sortKeys {
            if allowed.contains(try sortValue(key, row: row).sql) { continue }
            throw TranslationFailure(
                "\(translator.dialect.databaseName) can't sort by \"\(key.keyPath)\", which isn't among the "
                    + "properties to fetch or to group by")
        }
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
        switch try column(wanted[0], row: row).operand {
        case .object(let target):
            return (try select(["\(target.key) AS v"], from: row), .row(target))
        case .scalar(let scalar):
            return (try select(["\(scalar.sql) AS v"], from: row), .scalar(scalar))
        case .constant, .collection, .list:
            throw TranslationFailure("the fetch of a FETCH expression must have one property")
        }
    }
}
