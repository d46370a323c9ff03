// One walk that rebuilds a tree with some of its expressions replaced.

import CoreDataSupport

extension PredicateTree {
    /// The tree with every expression replaced for which `change` returns another, outermost first. `change`
    /// also gets the variables that a subquery around the expression binds.
    package func rewriting<Failure: Error>(
        bound: Set<String> = [], _ change: (ExpressionTree, Set<String>) throws(Failure) -> ExpressionTree?
    ) throws(Failure) -> PredicateTree {
        switch self {
        case .constant, .block: return self
        case .and(let parts): return .and(try Self.rewriting(parts, bound: bound, change: change))
        case .or(let parts): return .or(try Self.rewriting(parts, bound: bound, change: change))
        case .not(let part): return .not(try part.rewriting(bound: bound, change))
        case .comparison(var comparison):
            comparison.left = try comparison.left.rewriting(bound: bound, change)
            comparison.right = try comparison.right.rewriting(bound: bound, change)
            return .comparison(comparison)
        }
    }

    private static func rewriting<Failure: Error>(
        _ parts: [PredicateTree], bound: Set<String>,
        change: (ExpressionTree, Set<String>) throws(Failure) -> ExpressionTree?
    ) throws(Failure) -> [PredicateTree] {
        var result: [PredicateTree] = []
        for part in parts { result.append(try part.rewriting(bound: bound, change)) }
        return result
    }

    /// Indicates that the predicate is made of nothing but comparisons of key paths of the object with constants, as most are.
    package var comparesWithConstants: Bool {
        switch self {
        case .constant: true
        case .block: false
        case .and(let parts), .or(let parts): parts.allSatisfy(\.comparesWithConstants)
        case .not(let part): part.comparesWithConstants
        case .comparison(let comparison): comparison.isPlain
        }
    }

    /// The tree with booleans as the numbers 0 and 1 and constant collections as arrays, which is how formats
    /// print them: a tree and what its format parses to have equal canonical trees.
    package var canonical: PredicateTree {
        rewriting { (expression, _) throws(Never) in expression.canonicalConstant }
    }
}

extension PredicateTree.Comparison {
    /// Indicates that a key path of the object is compared with a constant.
    package var isPlain: Bool {
        if case .keyPath(.evaluatedObject, _) = left, case .constant = right { true } else { false }
    }
}

extension ExpressionTree {
    /// See the function of the same name on predicates.
    package func rewriting<Failure: Error>(
        bound: Set<String> = [], _ change: (ExpressionTree, Set<String>) throws(Failure) -> ExpressionTree?
    ) throws(Failure) -> ExpressionTree {
        if let changed = try change(self, bound) { return changed }
        switch self {
        case .constant, .evaluatedObject, .variable, .anyKey: return self
        case .keyPath(let operand, let path):
            return .keyPath(try operand.rewriting(bound: bound, change), path)
        case .function(let operand, let name, let arguments):
            return .function(
                operand: try operand?.rewriting(bound: bound, change), name: name,
                arguments: try Self.rewriting(arguments, bound: bound, change: change))
        case .union(let left, let right):
            return .union(try left.rewriting(bound: bound, change), try right.rewriting(bound: bound, change))
        case .intersect(let left, let right):
            return .intersect(
                try left.rewriting(bound: bound, change), try right.rewriting(bound: bound, change))
        case .minus(let left, let right):
            return .minus(try left.rewriting(bound: bound, change), try right.rewriting(bound: bound, change))
        case .subquery(let collection, let variable, let predicate):
            return .subquery(
                collection: try collection.rewriting(bound: bound, change), variable: variable,
                predicate: try predicate.rewriting(bound: bound.union([variable]), change))
        case .aggregate(let elements):
            return .aggregate(try Self.rewriting(elements, bound: bound, change: change))
        case .conditional(let predicate, let first, let second):
            return .conditional(
                try predicate.rewriting(bound: bound, change), try first.rewriting(bound: bound, change),
                try second.rewriting(bound: bound, change))
        case .fetchRequest(let request, let context, let countOnly):
            return .fetchRequest(
                request: try request.rewriting(bound: bound, change),
                context: try context.rewriting(bound: bound, change), countOnly: countOnly)
        case .block(let block, let arguments):
            return .block(block, try Self.rewriting(arguments, bound: bound, change: change))
        }
    }

    private static func rewriting<Failure: Error>(
        _ parts: [ExpressionTree], bound: Set<String>,
        change: (ExpressionTree, Set<String>) throws(Failure) -> ExpressionTree?
    ) throws(Failure) -> [ExpressionTree] {
        var result: [ExpressionTree] = []
        for part in parts { result.append(try part.rewriting(bound: bound, change)) }
        return result
    }

    /// See the property of the same name on predicates.
    package var canonical: ExpressionTree {
        rewriting { (expression, _) throws(Never) in expression.canonicalConstant }
    }

    fileprivate var canonicalConstant: ExpressionTree? {
        switch self {
        case .constant(let value): return .constant(value.canonical)
        case .aggregate(let elements):
            let elements = elements.map(\.canonical)
            let constants = elements.compactMap { if case .constant(let value) = $0 { value } else { nil } }
            return constants.count == elements.count ? .constant(.array(constants)) : .aggregate(elements)
        default: return nil
        }
    }
}

extension Value {
    fileprivate var canonical: Value {
        switch self {
        case .bool(let flag): .integer(flag ? 1 : 0)
        case .array(let values): .array(values.map(\.canonical))
        case .set(let values): .array(values.sortedByFormat.map(\.canonical))
        case .dictionary(let pairs): .array(pairs.values.sortedByFormat.map(\.canonical))
        default: self
        }
    }
}
