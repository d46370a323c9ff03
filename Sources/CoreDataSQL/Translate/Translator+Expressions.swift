// Expressions, all but the functions.

import CoreDataPredicate
import CoreDataSupport

extension Translator {
    func operand(
        _ tree: ExpressionTree, outer: Environment
    ) throws(TranslationFailure) -> Operand {
        let environment = try outer.deeper()
        switch tree {
        case .constant(let value):
            return .constant(value.compared)
        case .evaluatedObject:
            return .object(environment.current)
        case .variable(let name):
            return try variable(name, environment: environment)
        case .keyPath(let base, let path):
            return try follow(path, from: try operand(base, outer: environment), environment: environment)
        case .function(let target, let name, let arguments):
            return try call(target, name: name, trees: arguments, environment: environment)
        case .aggregate(let items):
            return .list(try operands(items, environment: environment))
        case .subquery(let collection, let variable, let predicate):
            return try subquery(
                collection, variable: variable, predicate: predicate, environment: environment)
        case .union(let left, let right):
            return try combine(left, word: "UNION", right: right, environment: environment)
        case .intersect(let left, let right):
            return try combine(left, word: "INTERSECT", right: right, environment: environment)
        case .minus(let left, let right):
            return try combine(left, word: "EXCEPT", right: right, environment: environment)
        case .conditional(let predicate, let yes, let no):
            return try conditional(predicate, yes: yes, no: no, environment: environment)
        case .fetchRequest(let request, _, let countOnly):
            return try nestedFetch(request, countOnly: countOnly)
        case .anyKey:
            throw TranslationFailure("ANYKEY has no SQL form")
        case .block:
            throw TranslationFailure("a block expression has no SQL form")
        }
    }

    func operands(
        _ trees: [ExpressionTree], environment: Environment
    ) throws(TranslationFailure) -> [Operand] {
        var result: [Operand] = []
        for tree in trees { result.append(try operand(tree, outer: environment)) }
        return result
    }

    /// One value per row, whatever the operand is.
    func scalar(_ operand: Operand, name: String) throws(TranslationFailure) -> Scalar {
        switch operand {
        case .scalar(let scalar):
            try requireSingle(scalar)
            return scalar
        case .constant(.null):
            return Scalar(sql: "NULL", kind: .any, name: "nil")
        case .constant(let value):
            guard let kind = ValueKind(of: value), let constant = dialect.constant(value) else {
                throw TranslationFailure("\"\(name)\" needs a single value, not a collection or an object")
            }
            return Scalar(sql: constant.sql, kind: kind, name: name, isConstant: true)
        case .object(let row):
            throw TranslationFailure("\"\(row.name)\" is a relationship where a value is needed")
        case .collection(let collection):
            throw TranslationFailure("to-many key not allowed here: \(collection.name)")
        case .list:
            throw TranslationFailure("\"\(name)\" needs a single value, not a list")
        }
    }

    /// Throws for a composite attribute as a whole.
    func requireSingle(_ scalar: Scalar) throws(TranslationFailure) {
        if scalar.kind != .composite { return }
        throw TranslationFailure(
            "\"\(scalar.name)\" is a composite attribute: only its elements have columns, and as a whole it can "
                + "only be compared with nil")
    }

    private func variable(
        _ name: String, environment: Environment
    ) throws(TranslationFailure) -> Operand {
        guard let operand = environment.variables[name] else {
            throw TranslationFailure("$\(name) has no value")
        }
        return operand
    }

    /// The collection's rows, with the predicate as a further condition.
    private func subquery(
        _ collection: ExpressionTree, variable: String, predicate: PredicateTree,
        environment: Environment
    ) throws(TranslationFailure) -> Operand {
        guard case .collection(let rows) = try operand(collection, outer: environment),
            case .row(let row) = rows.element
        else {
            throw TranslationFailure("the collection of SUBQUERY(…, $\(variable), …) is no to-many key path")
        }
        var inner = environment
        inner.variables[variable] = .object(row)
        inner.allowsAggregates = false
        rows.scope.conditions.append(try condition(predicate, outer: inner))
        return .collection(rows)
    }

    /// CASE WHEN predicate THEN a ELSE b END
    private func conditional(
        _ predicate: PredicateTree, yes: ExpressionTree, no: ExpressionTree, environment: Environment
    ) throws(TranslationFailure) -> Operand {
        let test = try condition(predicate, outer: environment)
        let first = try scalar(try operand(yes, outer: environment), name: "TERNARY")
        let second = try scalar(try operand(no, outer: environment), name: "TERNARY")
        guard first.kind.isComparable(with: second.kind) else {
            throw TranslationFailure("both values of a TERNARY must be of one type")
        }
        let kind = Self.common(first.kind, second.kind)
        let isMixed = first.kind != second.kind && (first.kind.isNumeric || second.kind.isNumeric)
        let (yes, no) = isMixed ? dialect.comparable(first, second) : (first.sql, second.sql)
        return .scalar(
            Scalar(
                sql: "CASE WHEN \(test) THEN \(yes) ELSE \(no) END", kind: kind,
                name: "TERNARY",
                isAggregate: first.isAggregate || second.isAggregate,
                columns: first.columns.union(second.columns)))
    }

    /// The kind of a value that may be of one kind or the other.
    private static func common(_ first: ValueKind, _ second: ValueKind) -> ValueKind {
        if first == second || second == .any { return first == .boolean ? second : first }
        if first == .any && second == .boolean { return .any }
        if !first.isNumeric || !second.isNumeric { return second }
        return [.real, .decimal].first { $0 == first || $0 == second } ?? .integer
    }

    /// FROM (SELECT … UNION SELECT …) tN
    private func combine(
        _ left: ExpressionTree, word: SQLFragment, right: ExpressionTree, environment: Environment
    ) throws(TranslationFailure) -> Operand {
        let first = try column(of: try operand(left, outer: environment), as: nil)
        let second = try column(of: try operand(right, outer: environment), as: first)
        return .collection(derived("\(first.select) \(word) \(second.select)", like: first))
    }

    private struct SingleColumn {
        var select: SQLFragment
        var element: CollectionOperand.Element
        var name: String
    }

    /// A collection as a SELECT of one column; constants become rows of the same kind as the other side's.
    private func column(
        of operand: Operand, as other: SingleColumn?
    ) throws(TranslationFailure) -> SingleColumn {
        switch operand {
        case .collection(let collection):
            let value: SQLFragment
            switch collection.element {
            case .row(let row): value = row.key
            case .scalar(let scalar): value = scalar.sql
            }
            return SingleColumn(
                select: collection.select("\(value) AS v"), element: collection.element, name: collection.name
            )
        case .constant(.array(let items)):
            return try column(ofList: items.map(Operand.constant), as: other)
        case .constant(.set(let items)):
            return try column(ofList: items.map(Operand.constant), as: other)
        case .list(let items):
            return try column(ofList: items, as: other)
        case .object, .scalar, .constant:
            throw TranslationFailure("UNION, INTERSECT and MINUS are between collections")
        }
    }

    private func column(
        ofList items: [Operand], as other: SingleColumn?
    ) throws(TranslationFailure) -> SingleColumn {
        var items = items
        if case .row(let row)? = other?.element {
            items = items.compactMap { item in
                guard case .constant(let value) = item else { return nil }
                return key(of: value, in: row.entity).map { .constant(.integer($0)) }
            }
        }
        let list = try values(items, name: "a set expression")
        guard case .scalar(let scalar) = list.element else {
            throw TranslationFailure("a set expression has elements that are no values")
        }
        return SingleColumn(
            select: list.select("\(scalar.sql) AS v"), element: other?.element ?? list.element,
            name: list.name)
    }

    private func derived(_ select: SQLFragment, like column: SingleColumn) -> CollectionOperand {
        let alias = aliases.make()
        let scope = QueryScope(from: "(\(select)) \(alias: alias)", aliases: aliases)
        let value: SQLFragment = "\(alias: alias).v"
        switch column.element {
        case .row(var row):
            row.scope = scope
            row.key = value
            row.alias = nil
            row.entityNumber = nil
            return CollectionOperand(scope: scope, element: .row(row), name: column.name)
        case .scalar(var scalar):
            scalar.sql = value
            return CollectionOperand(scope: scope, element: .scalar(scalar), name: column.name)
        }
    }

    /// FROM (SELECT … the nested fetch) tN, or its count
    private func nestedFetch(
        _ request: ExpressionTree, countOnly: Bool
    ) throws(TranslationFailure) -> Operand {
        try requireStatement("FETCH")
        var description: FetchDescription
        do {
            description = try context.fetch(request)
        } catch let failure as TranslationFailure {
            throw failure
        } catch {
            throw TranslationFailure("the request of a FETCH expression can't be used: \(error)")
        }
        if countOnly {
            if case .dictionaries(let columns) = description.result {
                description.result = .dictionaryCount(columns)
            } else {
                description.result = .count
            }
            let select = try SelectPlan(description, translator: self).fragment()
            return .scalar(Scalar(sql: "(\(select))", kind: .integer, name: "FETCH"))
        }
        if case .count = description.result {
            let select = try SelectPlan(description, translator: self).fragment()
            return .scalar(Scalar(sql: "(\(select))", kind: .integer, name: "FETCH"))
        }
        let column = try SelectPlan(description, translator: self).singleColumn()
        return .collection(
            derived(
                column.select,
                like: SingleColumn(
                    select: column.select, element: column.element, name: "FETCH")))
    }
}
