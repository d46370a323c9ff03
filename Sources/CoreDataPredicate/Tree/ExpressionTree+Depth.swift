// How many levels a tree has.

extension ExpressionTree {
    /// The levels of the tree, predicates in it included; a constant has one.
    package var depth: Int {
        switch self {
        case .constant, .evaluatedObject, .variable, .anyKey: 1
        case .keyPath(let operand, _): 1 + operand.depth
        case .function(let operand, _, let arguments):
            1 + max(operand?.depth ?? 0, Self.depth(of: arguments))
        case .union(let left, let right), .intersect(let left, let right), .minus(let left, let right):
            1 + max(left.depth, right.depth)
        case .subquery(let collection, _, let predicate): 1 + max(collection.depth, predicate.depth)
        case .aggregate(let elements): 1 + Self.depth(of: elements)
        case .conditional(let predicate, let first, let second):
            1 + max(predicate.depth, first.depth, second.depth)
        case .fetchRequest(let request, let context, _): 1 + max(request.depth, context.depth)
        case .block(_, let arguments): 1 + Self.depth(of: arguments)
        }
    }

    private static func depth(of parts: [ExpressionTree]) -> Int { parts.lazy.map(\.depth).max() ?? 0 }
}

extension PredicateTree {
    /// See the property of the same name on expressions.
    package var depth: Int {
        switch self {
        case .constant, .block: 1
        case .comparison(let comparison): 1 + max(comparison.left.depth, comparison.right.depth)
        case .and(let parts), .or(let parts): 1 + (parts.lazy.map(\.depth).max() ?? 0)
        case .not(let part): 1 + part.depth
        }
    }
}
