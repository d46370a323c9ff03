// The members that Foundation declares unavailable on predicates, and those that are
// wrong for its own compounds.

import CoreDataPredicate
import CoreDataSupport
public import Foundation

extension NSPredicate {
    /// The whole predicate as a format.
    ///
    /// Like `predicateFormat`, and right also for a compound predicate of Foundation's own class, whose
    /// `predicateFormat` knows nothing of its parts.
    public var formatString: String { tree.format }

    /// Returns whether the predicate holds for an object, for predicates of unknown origin.
    ///
    /// `evaluate(with:)` stops the process where this throws.
    ///
    /// - Parameters:
    ///   - object: the object.
    ///   - bindings: values of the variables, by name without `$`.
    /// - Throws: `PredicateEvaluationError`.
    public func matches(_ object: Any?, substitutionVariables bindings: [String: Any]? = nil) throws -> Bool {
        do {
            return try Evaluator(bindings: bindings).matches(tree, object: Value(object))
        } catch let failure as EvaluationFailure {
            throw PredicateEvaluationError(failure)
        }
    }
}

extension PredicateInitializing where Self: NSPredicate {
    /// Returns this predicate with constants in the place of the variables named; others stay variables.
    public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        let substituted = tree.substituting(variables.mapValues { ExpressionTree.argument($0) })
        return substituted == tree ? self : .cast(.make(substituted))
    }

    /// Allows the evaluation of an unarchived predicate. Nothing here needs it: an archive holds no code, and
    /// functions come from a closed table.
    public func allowEvaluation() {}
}
