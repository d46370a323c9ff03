// Comparisons: ANY and ALL, nil, collections, strings.

import CoreDataSupport
import Foundation

extension Evaluator {
    func matches(_ comparison: PredicateTree.Comparison, object: Value, depth: Int) throws -> Bool {
        let left = try value(of: comparison.left, object: object, depth: depth)
        let right = try value(of: comparison.right, object: object, depth: depth)
        let isAnyKey = comparison.left == .anyKey
        switch comparison.modifier {
        case .direct where !isAnyKey: return try holds(left, comparison: comparison, right: right)
        case .direct, .any:
            return try quantified(left).contains { try holds($0, comparison: comparison, right: right) }
        case .all:
            return try quantified(left).allSatisfy { try holds($0, comparison: comparison, right: right) }
        }
    }

    private func quantified(_ value: Value) throws -> [Value] {
        guard let elements = value.elements else {
            throw EvaluationFailure(
                reason: "The left side of ANY, ALL or NONE is \(value.kindName), not a collection")
        }
        return elements
    }

    private func holds(_ left: Value, comparison: PredicateTree.Comparison, right: Value) throws -> Bool {
        if comparison.op == .customSelector {
            let selector = comparison.customSelector ?? ""
            guard let known = ComparisonSelector.known[selector] else {
                throw EvaluationFailure(reason: "Unknown comparison selector “\(selector)”")
            }
            return try holds(left, op: known.op, right: right, options: known.options) != known.isNegated
        }
        return try holds(left, op: comparison.op, right: right, options: comparison.options)
    }

    private func holds(
        _ left: Value, op: ComparisonOperator, right: Value, options: ComparisonOptions
    ) throws -> Bool {
        switch op {
        case .equalTo: try left.isEqual(to: right, options)
        case .notEqualTo: try !left.isEqual(to: right, options)
        case .lessThan: try left.order(right, options: options) == .orderedAscending
        case .lessThanOrEqualTo:
            try left.order(right, options: options).map { $0 != .orderedDescending } ?? false
        case .greaterThan: try left.order(right, options: options) == .orderedDescending
        case .greaterThanOrEqualTo:
            try left.order(right, options: options).map { $0 != .orderedAscending } ?? false
        case .between: try isBetween(left, range: right, options: options)
        case .in: try isMember(left, of: right, options: options)
        case .contains where !left.isText: try isMember(right, of: left, options: options)
        case .contains, .beginsWith, .endsWith, .like, .matches:
            try search(left, op: op, right: right, options: options)
        case .customSelector: false
        }
    }

    private func isBetween(_ value: Value, range: Value, options: ComparisonOptions) throws -> Bool {
        guard case .array(let bounds) = range, bounds.count == 2 else {
            throw EvaluationFailure(reason: "The right side of BETWEEN must be two values")
        }
        guard let low = try value.order(bounds[0], options: options),
            let high = try value.order(bounds[1], options: options)
        else {
            return false
        }
        return low != .orderedAscending && high != .orderedDescending
    }

    private func isMember(_ value: Value, of collection: Value, options: ComparisonOptions) throws -> Bool {
        if collection.isText, collection != .null {
            return try search(collection, op: .contains, right: value, options: options)
        }
        if case .set(let values) = collection, options.isEmpty {
            if let index = values.firstIndex(of: value), try value.isEqual(to: values[index]) { return true }
            if value.isExactlyHashed { return false }
        }
        guard let elements = collection.elements else {
            throw EvaluationFailure(
                reason: "IN and CONTAINS need a collection or a string, not \(collection.kindName)")
        }
        return try elements.contains { try value.isEqual(to: value.spelling($0), options) }
    }

    private func search(
        _ left: Value, op: ComparisonOperator, right: Value, options: ComparisonOptions
    ) throws -> Bool {
        switch (left, right) {
        case (.null, _), (_, .null): return false
        case (.string(let text), .string(let pattern)):
            return try StringComparison.matches(text, op: op, pattern: pattern, options: options)
        default:
            let other = left.isText ? right : left
            throw EvaluationFailure(reason: "This operator compares strings, not \(other.kindName)")
        }
    }
}

extension Value {
    fileprivate var isText: Bool {
        if case .string = self { true } else { false }
    }

    /// Indicates that no value of another kind or form could equal it.
    fileprivate var isExactlyHashed: Bool {
        switch self {
        case .uuid, .date, .data, .url, .null: true
        default: false
        }
    }
}

/// The meaning of a custom comparison's selector.
package struct ComparisonSelector: Sendable {
    package let op: ComparisonOperator
    package var options: ComparisonOptions = []
    package var isNegated = false

    package static let known: [String: ComparisonSelector] = [
        "isEqual:": .init(op: .equalTo), "isEqualTo:": .init(op: .equalTo),
        "isEqualToString:": .init(op: .equalTo),
        "isNotEqualTo:": .init(op: .equalTo, isNegated: true), "isLessThan:": .init(op: .lessThan),
        "isLessThanOrEqualTo:": .init(op: .lessThanOrEqualTo), "isGreaterThan:": .init(op: .greaterThan),
        "isGreaterThanOrEqualTo:": .init(op: .greaterThanOrEqualTo), "isLike:": .init(op: .like),
        "isCaseInsensitiveLike:": .init(op: .like, options: .caseInsensitive),
        "doesContain:": .init(op: .contains),
        "containsObject:": .init(op: .contains), "containsString:": .init(op: .contains),
        "localizedCaseInsensitiveContainsString:": .init(
            op: .contains, options: [.caseInsensitive, .localeSensitive]),
        "localizedStandardContainsString:": .init(
            op: .contains, options: [.caseInsensitive, .diacriticInsensitive, .localeSensitive]),
        "hasPrefix:": .init(op: .beginsWith), "hasSuffix:": .init(op: .endsWith),
    ]
}
