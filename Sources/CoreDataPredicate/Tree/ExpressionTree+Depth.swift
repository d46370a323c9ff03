// The number of levels of a tree.

extension ExpressionTree {
    /// The levels of the tree, predicates in it included; a constant has one. A tree in which parts stand so often that
    /// counting would take too long has as many as no evaluator follows.
    package var depth: Int {
        var counter = DepthCounter()
        return counter.depth(of: self)
    }
}

extension PredicateTree {
    /// See the property of the same name on expressions.
    package var depth: Int {
        var counter = DepthCounter()
        return counter.depth(of: self)
    }
}

private struct DepthCounter {
    /// The number of parts with parts of their own that may still be looked at.
    private var left = 1_000_000

    mutating func depth(of tree: ExpressionTree) -> Int {
        switch tree {
        case .constant, .evaluatedObject, .variable, .anyKey: 1
        case .keyPath(let operand, _): above([operand])
        case .function(let operand, _, let arguments):
            above(operand.map { [$0] + arguments } ?? arguments)
        case .union(let left, let right), .intersect(let left, let right), .minus(let left, let right):
            above([left, right])
        case .subquery(let collection, _, let predicate): above([collection], predicates: [predicate])
        case .aggregate(let elements): above(elements)
        case .conditional(let predicate, let first, let second):
            above([first, second], predicates: [predicate])
        case .fetchRequest(let request, let context, _): above([request, context])
        case .block(_, let arguments): above(arguments)
        }
    }

    mutating func depth(of tree: PredicateTree) -> Int {
        switch tree {
        case .constant, .block: 1
        case .comparison(let comparison): above([comparison.left, comparison.right])
        case .and(let parts), .or(let parts): above([], predicates: parts)
        case .not(let part): above([], predicates: [part])
        }
    }

    private mutating func above(_ expressions: [ExpressionTree], predicates: [PredicateTree] = []) -> Int {
        left -= 1
        var deepest = 0
        for part in expressions where left > 0 { deepest = max(deepest, depth(of: part)) }
        for part in predicates where left > 0 { deepest = max(deepest, depth(of: part)) }
        return left > 0 ? 1 + deepest : EvaluationLimits.depth
    }
}
