// The placeholder of an expression with more levels than the evaluator follows.

import CoreDataSupport

/// The closure in a tree that stands for such an expression: evaluating or translating it is an error.
///
/// Unchecked because a constant is handed on as it is, as in every other tree.
package final class TooDeepExpression: @unchecked Sendable {
    private static let reference = ObjectReference(TooDeepExpression(constant: nil))
    package static var tree: ExpressionTree { .block(reference, []) }
    package static let failure = EvaluationFailure(reason: "The expression is nested too deeply")

    /// The collection, if the expression is a constant that has the levels.
    package let constant: Any?

    fileprivate init(constant: Any?) {
        self.constant = constant
    }
}

extension ExpressionTree {
    /// A constant: a collection with no more levels than the evaluator follows, or anything else.
    package init(constant any: Any?) {
        if let value = Value(constant: any, levels: EvaluationLimits.depth) {
            self = .constant(value)
        } else {
            self = .block(ObjectReference(TooDeepExpression(constant: any)), [])
        }
    }

    /// The constant of a tree that stands for one.
    package var tooDeepConstant: Any? {
        guard case .block(let reference, _) = self else { return nil }
        return (reference.object as? TooDeepExpression)?.constant
    }
}
