// Equality and order of values, over the borders of number types.

package import CoreDataSupport
package import Foundation

extension Value {
    /// Returns whether two values are equal as `==` in a predicate sees it. Nothing equals nil but nil.
    package func isEqual(to other: Value, _ options: ComparisonOptions = []) throws(EvaluationFailure) -> Bool
    {
        switch (self, other) {
        case (.string(let left), .string(let right)):
            return try StringComparison.matches(left, op: .equalTo, pattern: right, options: options)
        case (.object(let left), .object(let right)): return left.isSame(as: right)
        case (.array(let left), .array(let right)):
            return try Self.areEqual(left, right: right, options: options)
        case (.set(let left), .set(let right)): return try Self.areEqual(left, right: right, options: options)
        case (.dictionary(let left), .dictionary(let right)):
            guard left.count == right.count else { return false }
            for (key, value) in left {
                guard let match = right[key], try value.isEqual(to: match, options) else { return false }
            }
            return true
        default:
            if let left = number, let right = other.number { return left.compared(to: right) == .orderedSame }
            return self == other
        }
    }

    private static func areEqual(
        _ left: [Value], right: [Value], options: ComparisonOptions
    ) throws(EvaluationFailure) -> Bool {
        guard left.count == right.count else { return false }
        for (first, second) in zip(left, right) where try !first.isEqual(to: second, options) { return false }
        return true
    }

    private static func areEqual(
        _ left: Set<Value>, right: Set<Value>, options: ComparisonOptions
    ) throws(EvaluationFailure) -> Bool {
        guard left.count == right.count else { return false }
        if left == right { return true }
        for element in left {
            var isFound = false
            for other in right where try element.isEqual(to: other, options) {
                isFound = true
                break
            }
            if !isFound { return false }
        }
        return true
    }

    /// An element of a list as this value is compared with it: a number's text, as a database has it, where this is a text.
    package func spelling(_ element: Value) -> Value {
        guard case .string = self, element.number != nil else { return element }
        return .string(Casting.text(element))
    }

    /// The order of two values in a predicate; nothing when one is nil or not a number. Values of types without
    /// a common order are an error, as they are for the translation into SQL.
    package func order(
        _ other: Value, options: ComparisonOptions = []
    ) throws(EvaluationFailure) -> ComparisonResult? {
        switch (self, other) {
        case (.null, _), (_, .null): return nil
        case (.string(let left), .string(let right)):
            return StringComparison.order(left, right: right, options: options)
        case (.date(let left), .date(let right)): return CoreDataPredicate.order(left, and: right)
        default:
            if let left = number, let right = other.number { return left.compared(to: right) }
            throw EvaluationFailure(reason: "\(kindName) and \(other.kindName) have no order")
        }
    }

    /// The value's name in errors.
    package var kindName: String {
        switch self {
        case .null: "nil"
        case .bool, .integer, .double, .decimal: "a number"
        case .string: "a string"
        case .date: "a date"
        case .data: "data"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .array, .set: "a collection"
        case .dictionary: "a dictionary"
        case .object: "an object"
        }
    }

    /// The elements of a collection, of a dictionary its values; nil has none. Nothing for what is one value.
    var elements: [Value]? {
        switch self {
        case .null: []
        case .array(let values): values
        case .set(let values): Array(values)
        case .dictionary(let pairs): Array(pairs.values)
        default: nil
        }
    }
}
