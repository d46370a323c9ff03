// Evaluation in memory, from the objects' side.

import CoreDataPredicate
import CoreDataSupport
import Foundation

extension PredicateTree {
    /// Evaluates for an object, with values for the variables.
    func matches(_ object: Any?, _ bindings: [String: Any]?) -> Bool {
        raise(.generic, "The evaluator is not part of this build yet")
    }
}

extension ExpressionTree {
    /// The value for an object, with values for the variables.
    func value(of object: Any?, _ bindings: [String: Any] = [:]) -> Any? {
        raise(.generic, "The evaluator is not part of this build yet")
    }
}

extension SortKey {
    /// The order of two objects.
    func compare(_ first: Any, _ second: Any) -> ComparisonResult {
        raise(.generic, "The evaluator is not part of this build yet")
    }
}
