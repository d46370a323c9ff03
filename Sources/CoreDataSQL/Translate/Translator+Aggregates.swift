// `@count`, `@sum` and the functions over collections; in a fetch of dictionaries also over the fetched rows.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

extension Translator {
    /// `friends.@avg.age`: the operator, and the path after it on each element.
    func apply(
        operator name: String, rest: ArraySlice<String>, to operand: Operand, path: String,
        _ environment: Environment
    ) throws(TranslationFailure) -> Operand {
        guard let aggregate = Aggregate(operator: name) else {
            throw TranslationFailure("\"\(path)\" has no SQL form: \(name) is not known to SQL")
        }
        var target = operand
        if !rest.isEmpty {
            guard aggregate != .count else {
                throw TranslationFailure("\"\(path)\" has no SQL form: nothing can follow @count")
            }
            target = try follow(rest.joined(separator: "."), from: operand, environment: environment)
        }
        return .scalar(try self.aggregate(aggregate, of: target, name: path, environment: environment))
    }

    /// Computes over a collection, a list, or the rows of the statement.
    func aggregate(
        _ aggregate: Aggregate, of operand: Operand, name: String, environment: Environment
    ) throws(TranslationFailure) -> Scalar {
        switch operand {
        case .collection(let collection):
            return try self.aggregate(aggregate, over: collection, name: name)
        case .list(let items):
            return try self.aggregate(aggregate, over: try values(items, name: name), name: name)
        case .constant(.array(let items)):
            let items = items.map(Operand.constant)
            return try self.aggregate(aggregate, over: try values(items, name: name), name: name)
        case .constant(.set(let items)):
            let items = items.map(Operand.constant)
            return try self.aggregate(aggregate, over: try values(items, name: name), name: name)
        case .scalar(let scalar):
            try requireRows(environment, name: name)
            guard aggregate.accepts(scalar.kind) else { throw wrongKind(aggregate, name: scalar.name) }
            return Scalar(
                sql: try value(of: aggregate, over: scalar), kind: aggregate.kind(over: scalar.kind),
                name: name, isAggregate: true)
        case .object(let row):
            try requireRows(environment, name: name)
            guard aggregate == .count else { throw wrongKind(aggregate, name: row.name) }
            return Scalar(sql: "COUNT(\(row.key))", kind: .integer, name: name, isAggregate: true)
        case .constant:
            throw TranslationFailure("\"\(name)\" computes over a constant that is no collection")
        }
    }

    /// (SELECT SUM(tN.column) FROM … WHERE tN.owner = t0.Z_PK)
    private func aggregate(
        _ aggregate: Aggregate, over collection: CollectionOperand, name: String
    ) throws(TranslationFailure) -> Scalar {
        if aggregate == .count {
            return Scalar(sql: "(\(collection.select("COUNT(*)")))", kind: .integer, name: name)
        }
        switch collection.element {
        case .row(let row):
            throw wrongKind(aggregate, name: row.name)
        case .scalar(let scalar):
            guard aggregate.accepts(scalar.kind) else { throw wrongKind(aggregate, name: scalar.name) }
            let select = collection.select(try value(of: aggregate, over: scalar))
            return Scalar(sql: "(\(select))", kind: aggregate.kind(over: scalar.kind), name: name)
        }
    }

    /// The sum of nothing is 0.
    private func value(of aggregate: Aggregate, over scalar: Scalar) throws(TranslationFailure) -> SQLFragment
    {
        let value = try dialect.aggregate(aggregate, scalar: scalar)
        return aggregate == .sum ? "COALESCE(\(value), 0)" : value
    }

    /// FROM (SELECT ? AS v UNION ALL SELECT ?) tN
    func values(_ items: [Operand], name: String) throws(TranslationFailure) -> CollectionOperand {
        try requireStatement(name)
        guard !items.isEmpty else { throw TranslationFailure("\"\(name)\" is over an empty list") }
        guard items.count <= Self.longestInlineList else {
            throw TranslationFailure("\"\(name)\" is over more than \(Self.longestInlineList) values")
        }
        var rows: [SQLFragment] = []
        var kind: ValueKind?
        for item in items {
            let scalar = try self.scalar(item, name: name)
            guard kind.map({ $0.isComparable(with: scalar.kind) }) ?? true else {
                throw TranslationFailure("\"\(name)\" mixes values of different types")
            }
            if kind == nil || kind == .any { kind = scalar.kind }
            rows.append(rows.isEmpty ? "SELECT \(scalar.sql) AS v" : "SELECT \(scalar.sql)")
        }
        let alias = aliases.make()
        let scope = QueryScope(
            from: "(\(rows.joined(separator: " UNION ALL "))) \(alias: alias)", aliases: aliases)
        let element = Scalar(sql: "\(alias: alias).v", kind: kind ?? .any, name: name)
        return CollectionOperand(scope: scope, element: .scalar(element), name: name)
    }

    private func requireRows(_ environment: Environment, name: String) throws(TranslationFailure) {
        guard environment.allowsAggregates else {
            throw TranslationFailure(
                "\"\(name)\" computes over the fetched rows: only the columns of a dictionary result can")
        }
    }

    private func wrongKind(_ aggregate: Aggregate, name: String) -> TranslationFailure {
        TranslationFailure("\"\(name)\" has no \(aggregate.rawValue): its values are of another type")
    }
}

extension CollectionOperand {
    /// SELECT what FROM … WHERE innerKey = outerKey AND filter
    func select(_ what: SQLFragment, where filter: SQLFragment? = nil) -> SQLFragment {
        let tie: SQLFragment? = link.map { "\($0.innerKey) = \($0.outerKey)" }
        return scope.select(what, where: filter, tie: tie)
    }
}
