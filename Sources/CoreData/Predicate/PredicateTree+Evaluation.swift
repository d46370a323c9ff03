// Evaluation in memory, from the objects' side: clients' closures, fetches, and what a failure becomes.

package import CoreDataPredicate
package import CoreDataSupport
import Foundation

/// An executor of a fetch request that stands in a predicate: a managed object context.
package protocol PredicateFetching: AnyObject {
    /// The results of a request as an array, or their number.
    func predicateFetch(_ request: Value, countOnly: Bool) throws -> Value
}

extension Evaluator {
    /// An evaluator that calls clients' closures and fetches from contexts.
    package init(bindings: [String: Any]?) {
        self.init(
            variables: (bindings ?? [:]).mapValues { Value($0) }, predicateBlock: Self.call,
            expressionBlock: Self.call, fetch: Self.fetch)
    }

    private static func call(
        _ block: ObjectReference, object: Value, variables: [String: Value]
    ) throws -> Bool {
        guard let predicate = block.object as? NSPredicate else {
            throw EvaluationFailure(reason: "\(type(of: block.object)) is no predicate")
        }
        try TooDeepPredicate.check(predicate)
        return predicate.evaluate(with: object.any, substitutionVariables: variables.compactMapValues(\.any))
    }

    private static func call(
        _ block: ObjectReference, object: Value, arguments: [Value], variables: [String: Value]
    ) throws -> Value {
        let context = NSMutableDictionary(dictionary: variables.compactMapValues(\.any))
        switch block.object {
        case let expression as NSExpression:
            return Value(expression.expressionValue(with: object.any, context: context))
        case let closure as ExpressionClosure:
            return Value(closure.body(object.any, arguments.map { $0.any ?? NSNull() }, context))
        case is TooDeepExpression: throw TooDeepExpression.failure
        default: throw EvaluationFailure(reason: "\(type(of: block.object)) is no expression")
        }
    }

    private static func fetch(_ request: Value, context: Value, countOnly: Bool) throws -> Value {
        guard case .object(let reference) = context, let context = reference.object as? any PredicateFetching
        else { throw EvaluationFailure(reason: "A fetch in a predicate needs a managed object context") }
        return try context.predicateFetch(request, countOnly: countOnly)
    }
}

extension PredicateTree {
    /// Evaluates for an object, with values for the variables. Stops the process when there is no answer, as
    /// on Apple's systems.
    func matches(_ object: Any?, bindings: [String: Any]?) -> Bool {
        do {
            return try Evaluator(bindings: bindings).matches(self, object: Value(object))
        } catch {
            raise(
                .invalidArgument, "Unable to evaluate \(format): \(error)",
                instead: "NSPredicate.evaluate(checking:)")
        }
    }
}

extension ExpressionTree {
    /// The value for an object, with values for the variables. Stops the process when there is none.
    func value(of object: Any?, _ bindings: [String: Any] = [:]) -> Any? {
        do {
            return try shown(Evaluator(bindings: bindings).value(of: self, Value(object)))
        } catch {
            raise(
                .invalidArgument, "Unable to evaluate \(format): \(error)",
                instead: "NSExpression.expressionValue(checking:)")
        }
    }

    /// The value of the whole expression as clients get it: operations on sets give a set.
    func shown(_ value: Value) -> Any? {
        switch self {
        case .union, .intersect, .minus: (value.any as? [Any]).map { NSSet(array: $0) } ?? value.any
        default: value.any
        }
    }
}

extension SortKey {
    /// The order of two objects. Stops the process when their values can't be compared.
    func compare(_ first: Any, with second: Any) -> ComparisonResult {
        do {
            return try SortEvaluator(self).compare(Value(first), with: Value(second))
        } catch {
            raise(
                .invalidArgument, "Unable to sort by \(keyPath): \(error)",
                instead: "NSSortDescriptor.compare(checking:to:)")
        }
    }
}
