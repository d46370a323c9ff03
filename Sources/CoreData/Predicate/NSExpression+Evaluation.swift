// Evaluation of expressions.

import CoreDataPredicate
import CoreDataSupport
public import Foundation

extension NSExpression {
    /// Returns the value for an object, for expressions of unknown origin.
    ///
    /// `expressionValue(with:context:)` stops the process where this throws.
    ///
    /// - Parameters:
    ///   - object: the object that the expression calls `SELF`.
    ///   - context: values of the variables, by name without `$`.
    /// - Throws: `PredicateEvaluationError`.
    public func value(of object: Any?, context: NSMutableDictionary? = nil) throws -> Any? {
        do {
            return try tree.shown(Evaluator(bindings: Self.bindings(context)).value(of: tree, Value(object)))
        } catch let failure as EvaluationFailure {
            throw PredicateEvaluationError(failure)
        }
    }

    /// The values of variables that a context gives.
    static func bindings(_ context: NSMutableDictionary?) -> [String: Any] {
        var bindings: [String: Any] = [:]
        for (key, value) in context ?? [:] {
            if let name = key as? String { bindings[name] = value }
        }
        return bindings
    }
}
