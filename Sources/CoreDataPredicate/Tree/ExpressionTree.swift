// Expressions of the predicate language, as values.

package import CoreDataSupport

/// An expression. `NSExpression` is a shell over this.
package indirect enum ExpressionTree: Sendable, Hashable {
    /// A literal or an argument.
    case constant(Value)
    /// `SELF`
    case evaluatedObject
    /// `$name`, without the dollar sign.
    case variable(String)
    /// `boss.name`; the operand is `.evaluatedObject` for a plain key path, a variable for `$x.name`. The path
    /// includes collection operators as written: `children.@count`, `@avg.age`.
    case keyPath(ExpressionTree, String)
    /// A predefined function or an arithmetic operator under Apple's selector name (`add:to:`, `now`,
    /// `objectFrom:withIndex:`, `castObject:toType:`, …), the operand only for `FUNCTION(operand, "name", …)`.
    case function(operand: ExpressionTree?, name: String, arguments: [ExpressionTree])
    case union(ExpressionTree, ExpressionTree)
    case intersect(ExpressionTree, ExpressionTree)
    case minus(ExpressionTree, ExpressionTree)
    /// `SUBQUERY(collection, $variable, predicate)`
    case subquery(collection: ExpressionTree, variable: String, predicate: PredicateTree)
    /// `{1, 2, 3}`
    case aggregate([ExpressionTree])
    /// `TERNARY(predicate, a, b)`
    case conditional(PredicateTree, ExpressionTree, ExpressionTree)
    /// `ANYKEY`
    case anyKey
    /// A fetch request used as a value (`NSFetchRequestExpression`).
    case fetchRequest(request: ExpressionTree, context: ExpressionTree, countOnly: Bool)
    /// A closure of the client's (`NSExpression(block:arguments:)`), with its argument expressions.
    case block(ObjectReference, [ExpressionTree])
}

extension ExpressionTree {
    /// A key path on the evaluated object.
    package static func keyPath(_ path: String) -> ExpressionTree { .keyPath(.evaluatedObject, path) }
}
