// Fetches of dictionaries over rows in memory, with the results that the same request has in SQL.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
package import CoreDataSupport
import Foundation

extension MemoryRows {
    package func dictionaries(_ request: StoreDictionaryFetch) throws -> [[Value]] {
        let found = try sorted(matching(request.fetch), keys: request.fetch.sortKeys)
        let columns = request.columns.map { GroupColumn($0, in: self, entity: request.fetch.entity) }
        var groups = try grouped(found, request: request, columns: columns)
        if let having = request.having {
            groups = try groups.filter {
                try GroupCondition(having, columns: columns, in: self).holds(for: $0)
            }
        }
        var results = try groups.map { group in try columns.map { try $0.value(of: group) } }
        if request.isDistinct {
            var seen: Set<ExactValues> = []
            results = results.filter { seen.insert(ExactValues($0)).inserted }
        }
        return bounded(results, fetch: request.fetch)
    }

    /// The rows that make one result each: a row, the rows with equal values, or all of them.
    private func grouped(
        _ found: [StoredRow], request: StoreDictionaryFetch, columns: [GroupColumn]
    ) throws -> [[MemoryNode]] {
        let nodes = found.map { MemoryNode($0, in: self) }
        guard !request.groupBy.isEmpty else {
            if request.having != nil {
                throw EvaluationFailure(reason: GroupingRefusal.havingWithoutGroups.reason)
            }
            return columns.contains(where: \.isAggregate) ? [nodes] : nodes.map { [$0] }
        }
        let keys = request.groupBy.map { GroupColumn($0, in: self, entity: request.fetch.entity) }
        try requireGrouped(columns, keys: keys)
        var groups: [ExactValues: [MemoryNode]] = [:]
        var order: [[Value]] = []
        for node in nodes {
            let values = try keys.map { try $0.value(of: [node]) }
            if groups[ExactValues(values)] == nil { order.append(values) }
            groups[ExactValues(values), default: []].append(node)
        }
        if request.fetch.sortKeys.isEmpty { order = try ascending(order) }
        return order.compactMap { groups[ExactValues($0)] }
    }

    /// Beside the groups' own columns only functions over a group have one value for it.
    private func requireGrouped(_ columns: [GroupColumn], keys: [GroupColumn]) throws {
        for key in keys where key.isAggregate {
            throw EvaluationFailure(reason: GroupingRefusal.groupsByFunction(key.name).reason)
        }
        let trees = Set(keys.map(\.tree))
        for column in columns where !column.hasOneValue(for: trees) {
            throw EvaluationFailure(reason: GroupingRefusal.ungrouped(column.name).reason)
        }
    }

    /// Groups that no sort descriptor orders come in the order of their values.
    private func ascending(_ rows: [[Value]]) throws -> [[Value]] {
        let keys = (rows.first ?? []).indices.map { SortKey("k\($0)", ascending: true) }
        let places = rows.enumerated().map { place, row in
            Value.dictionary(
                Dictionary(
                    row.enumerated().map { (.string("k\($0)"), comparable($1)) } + [
                        (.string("place"), .integer(Int64(place)))
                    ], uniquingKeysWith: { first, _ in first }))
        }
        return try SortEvaluator(keys).sorted(places).compactMap { sorted in
            guard case .dictionary(let pairs) = sorted, case .integer(let place)? = pairs[.string("place")]
            else {
                return nil
            }
            return rows[Int(place)]
        }
    }
}

extension MemoryRows {
    /// Something that has an order: object IDs are ordered by key.
    private func comparable(_ value: Value) -> Value {
        guard case .object(let reference) = value, let row = host.row(of: reference.object) else {
            return value
        }
        return .integer(row.primaryKey)
    }
}

extension Value {
    /// As a result holds it: a row as its object ID.
    fileprivate var outward: Value {
        node.map { .object(ObjectReference($0.reference)) } ?? self
    }

    /// A computed value as the expression description's type.
    fileprivate func coerced(to type: AttributeType) -> Value {
        switch (type, self) {
        case (.double, .integer(let number)), (.float, .integer(let number)): .double(Double(number))
        case (.double, .decimal(let number)), (.float, .decimal(let number)):
            .double(NSDecimalNumber(decimal: number).doubleValue)
        case (.integer16, .double(let number)), (.integer32, .double(let number)),
            (.integer64, .double(let number)):
            Int64(exactly: number.rounded(.towardZero)).map(Value.integer) ?? self
        case (.integer16, .decimal(let number)), (.integer32, .decimal(let number)),
            (.integer64, .decimal(let number)):
            .integer(NSDecimalNumber(decimal: number).int64Value)
        case (.decimal, .integer(let number)): .decimal(Decimal(number))
        case (.decimal, .double(let number)): Decimal(shortest: number).map(Value.decimal) ?? .null
        case (.boolean, .integer(let number)): .bool(number != 0)
        case (.integer16, .bool(let flag)), (.integer32, .bool(let flag)), (.integer64, .bool(let flag)):
            .integer(flag ? 1 : 0)
        case (.date, .double(let seconds)): .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.date, .integer(let seconds)): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        default: self
        }
    }
}

/// An expression over the rows of a group: functions over all of them, everything else over the first.
private struct GroupExpression {
    let tree: ExpressionTree
    let rows: MemoryRows
    let entity: EntityRuntime

    /// Indicates whether a part of it is computed over all rows of the group.
    var isAggregate: Bool {
        var found = false
        _ = tree.rewriting { (part, bound) throws(Never) in
            if bound.isEmpty, aggregate(part) != nil { found = true }
            return nil
        }
        return found
    }

    /// Returns whether the expression has one value for a group: it is over the group, or made of the groups' keys. A
    /// computation over a row's own collection is let pass, as in SQL.
    func hasOneValue(for keys: Set<ExpressionTree>) -> Bool {
        if isAggregate { return true }
        var hasOneValue = true
        _ = tree.rewriting { (part, bound) throws(Never) in
            if keys.contains(part) || !isSingle(part) { return part }
            switch part {
            case .evaluatedObject, .anyKey, .fetchRequest, .block: hasOneValue = false
            default: break
            }
            return nil
        }
        return hasOneValue
    }

    func value(of group: [MemoryNode]) throws -> Value {
        try rows.evaluator.value(
            of: tree.rewriting { part, bound in try constant(part, bound: bound, group: group) }, first(group)
        )
    }

    func first(_ group: [MemoryNode]) -> Value { group.first?.value ?? .null }

    /// An aggregate as the constant that it is for a group.
    func constant(_ part: ExpressionTree, bound: Set<String>, group: [MemoryNode]) throws
        -> ExpressionTree?
    {
        guard bound.isEmpty, let (name, argument) = aggregate(part) else { return nil }
        let evaluator = rows.evaluator
        let values = try group.map { try evaluator.value(of: argument, $0.value) }.filter { $0 != .null }
        if name == "count:" { return .constant(.integer(Int64(values.count))) }
        if values.isEmpty && name != "sum:" { return .constant(.null) }
        let call = ExpressionTree.function(
            operand: nil, name: name, arguments: [.constant(.array(values.map(\.number)))])
        return .constant(try evaluator.value(of: call, .null))
    }

    /// The function and what it is computed over, if it is over the group and not over a row's own collection.
    private func aggregate(_ part: ExpressionTree) -> (name: String, argument: ExpressionTree)? {
        guard let found = part.aggregate, isSingle(found.argument) else { return nil }
        return found
    }

    private func isSingle(_ expression: ExpressionTree) -> Bool {
        switch expression {
        case .keyPath(.evaluatedObject, let path):
            var entity = entity
            for key in path.split(separator: ".").map(String.init) {
                guard let relation = entity.property(key)?.relation else { return !key.hasPrefix("@") }
                if relation.isToMany { return false }
                entity = relation.destination(in: rows.model)
            }
            return true
        case .constant(let value):
            if case .array = value { return false }
            if case .set = value { return false }
            return true
        case .aggregate, .subquery, .union, .intersect, .minus: return false
        default: return true
        }
    }
}

extension Value {
    /// Booleans count as 0 and 1.
    fileprivate var number: Value {
        if case .bool(let flag) = self { return .integer(flag ? 1 : 0) }
        return self
    }
}

/// A column of a result.
private struct GroupColumn {
    let name: String
    private let expression: GroupExpression
    private let type: AttributeType

    init(_ column: FetchDescription.DictionaryColumn, in rows: MemoryRows, entity: EntityRuntime) {
        name = column.name
        switch column.source {
        case .objectID:
            expression = GroupExpression(tree: .evaluatedObject, rows: rows, entity: entity)
            type = .objectID
        case .keyPath(let path):
            expression = GroupExpression(tree: .keyPath(path), rows: rows, entity: entity)
            type = .undefined
        case .expression(let tree, let resultType):
            expression = GroupExpression(tree: rows.mapped(tree), rows: rows, entity: entity)
            type = resultType
        }
    }

    var isAggregate: Bool { expression.isAggregate }
    var tree: ExpressionTree { expression.tree }

    func hasOneValue(for keys: Set<ExpressionTree>) -> Bool { expression.hasOneValue(for: keys) }

    func value(of group: [MemoryNode]) throws -> Value {
        try expression.value(of: group).outward.coerced(to: type)
    }
}

/// A condition on groups. `$name` stands for a column.
private struct GroupCondition {
    private let predicate: PredicateTree
    private let columns: [GroupColumn]
    private let rows: MemoryRows

    init(_ predicate: PredicateTree, columns: [GroupColumn], in rows: MemoryRows) {
        self.predicate = rows.mapped(predicate)
        self.columns = columns
        self.rows = rows
    }

    func holds(for group: [MemoryNode]) throws -> Bool {
        guard let entity = group.first?.row.entity else { return false }
        let expression = GroupExpression(tree: .evaluatedObject, rows: rows, entity: entity)
        let tree = try predicate.rewriting { part, bound in
            if case .variable(let name) = part, !bound.contains(name),
                let column = columns.first(where: { $0.name == name })
            {
                return .constant(try column.value(of: group))
            }
            return try expression.constant(part, bound: bound, group: group)
        }
        return try rows.evaluator.matches(tree, object: expression.first(group))
    }
}
