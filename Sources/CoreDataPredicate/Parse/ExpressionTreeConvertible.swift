// A protocol of shells over trees, by which a format takes them as arguments.

/// An object that is an expression: `%@` then stands for the expression, not for a constant.
package protocol ExpressionTreeConvertible {
    var expressionTree: ExpressionTree { get }
}

/// An object that is a predicate: `%@` then stands for the predicate where one may stand.
package protocol PredicateTreeConvertible {
    var predicateTree: PredicateTree { get }
}

extension ExpressionTree: ExpressionTreeConvertible {
    package var expressionTree: ExpressionTree { self }
}

extension PredicateTree: PredicateTreeConvertible {
    package var predicateTree: PredicateTree { self }
}
