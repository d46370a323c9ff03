// Evaluation with an error, for predicates and objects that come from outside.

import CoreDataPredicate
import CoreDataSupport
public import Foundation

extension NSPredicate {
    /// Returns whether the predicate holds for an object, as `evaluate(with:substitutionVariables:)` says,
    /// which stops the process where there is no answer.
    ///
    /// An addition to Foundation's class.
    ///
    /// - Parameters:
    ///   - object: the object.
    ///   - bindings: values of the variables, by name without `$`.
    /// - Throws: `NSCoreDataError` for a key that the object doesn't have, a variable without a value, values that can't
    ///   be compared, nesting beyond the limit (Docs/Predicates.md); the store's error for what can't be read.
    public func evaluate(
        checking object: Any?, substitutionVariables bindings: [String: Any]? = nil
    ) throws -> Bool {
        try checked(object, subject: "predicate \"\(tree.format)\"") {
            try Evaluator(bindings: bindings).matches(tree, object: Value(object))
        }
    }
}

extension NSExpression {
    /// Returns the value of the expression for an object, as `expressionValue(with:context:)` gives it, which
    /// stops the process where there is none.
    ///
    /// An addition to Foundation's class.
    ///
    /// - Parameters:
    ///   - object: the object.
    ///   - context: values of the variables, by name without `$`.
    /// - Throws: what `NSPredicate.evaluate(checking:)` throws.
    public func expressionValue(checking object: Any?, context: NSMutableDictionary? = nil) throws -> Any? {
        var bindings: [String: Any] = [:]
        for (key, value) in context ?? [:] { if let key = key as? String { bindings[key] = value } }
        return try checked(object, subject: "expression \"\(tree.format)\"") {
            try tree.shown(Evaluator(bindings: bindings).value(of: tree, Value(object)))
        }
    }
}

extension NSSortDescriptor {
    /// Returns the order of two objects, as `compare(_:to:)` gives it, which stops the process where there is
    /// none.
    ///
    /// An addition to Foundation's class.
    ///
    /// - Parameters:
    ///   - first: one object.
    ///   - second: the other.
    /// - Throws: `NSCoreDataError` for a key that an object doesn't have, or values that can't be compared; the store's
    ///   error for what can't be read. A comparator of the client's does as it likes.
    public func compare(checking first: Any, to second: Any) throws -> ComparisonResult {
        guard let descriptor = self as? KeySortDescriptor, descriptor.closure == nil else {
            return compare(first, to: second)
        }
        let criterion = try descriptor.resolved()
        return try checked(first, subject: "order by \"\(criterion.keyPath)\"") {
            try checked(second, subject: "order by \"\(criterion.keyPath)\"") {
                try SortEvaluator(criterion).compare(Value(first), with: Value(second))
            }
        }
    }
}

private func checked<Answer>(
    _ object: Any?, subject: @autoclosure () -> String, body: () throws -> Answer
) throws -> Answer {
    let context = (object as? NSManagedObject)?.managedObjectContext
    try context?.throwReadError()
    do {
        let answer = try body()
        try context?.throwReadError()
        return answer
    } catch let failure as EvaluationFailure {
        try context?.throwReadError()
        throw RequestErrors.wrong("\(subject()): \(failure.reason)")
    }
}
