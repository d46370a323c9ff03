// The condition of a partial index. SQLite takes no bindings there, so constants stand in the text.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import Foundation

/// Writes the predicates that a partial index can have: comparisons of columns with constants.
struct IndexCondition {
    let place: EntityTable
    /// What to call the index in an error.
    let use: String

    func text(_ tree: PredicateTree) throws -> String {
        switch tree {
        case .constant(let value): return value ? "1" : "0"
        case .and(let parts): return try joined(parts, " AND ", whenEmpty: "1")
        case .or(let parts): return try joined(parts, " OR ", whenEmpty: "0")
        case .not(let part): return "NOT (\(try text(part)))"
        case .comparison(let comparison): return try text(comparison)
        case .block: throw failure("a block")
        }
    }

    private func joined(_ parts: [PredicateTree], _ word: String, whenEmpty: String) throws -> String {
        if parts.isEmpty { return whenEmpty }
        return "(" + (try parts.map(text)).joined(separator: word) + ")"
    }

    private func text(_ comparison: PredicateTree.Comparison) throws -> String {
        guard comparison.modifier == .direct, comparison.options.subtracting(.normalized).isEmpty else {
            throw failure("a comparison with a modifier or an option")
        }
        let left = try operand(comparison.left)
        if case .constant(.null) = comparison.right {
            if comparison.op == .equalTo { return "\(left) IS NULL" }
            if comparison.op == .notEqualTo { return "\(left) IS NOT NULL" }
        }
        let right = try operand(comparison.right)
        switch comparison.op {
        case .equalTo: return "\(left) = \(right)"
        case .notEqualTo: return "\(left) <> \(right)"
        case .lessThan: return "\(left) < \(right)"
        case .lessThanOrEqualTo: return "\(left) <= \(right)"
        case .greaterThan: return "\(left) > \(right)"
        case .greaterThanOrEqualTo: return "\(left) >= \(right)"
        default: throw failure("an operator other than a plain comparison")
        }
    }

    private func operand(_ tree: ExpressionTree) throws -> String {
        switch tree {
        case .keyPath(.evaluatedObject, let path):
            guard let column = place.singleColumn(path) else { throw failure("key path \"\(path)\"") }
            return sqlName(column)
        case .constant(let value):
            return try literal(value)
        default:
            throw failure("an expression that is neither a key path nor a constant")
        }
    }

    private func literal(_ value: Value) throws -> String {
        switch value {
        case .bool(let flag): return flag ? "1" : "0"
        case .integer(let number): return String(number)
        case .double(let number) where number.isFinite: return String(number)
        case .string(let text) where !text.contains("\0"):
            return "'" + text.replacing("'", with: "''") + "'"
        case .date(let date) where date.timeIntervalSinceReferenceDate.isFinite:
            return String(date.timeIntervalSinceReferenceDate)
        default: throw failure("a constant of this kind")
        }
    }

    private func failure(_ part: String) -> LayoutFailure {
        LayoutFailure(
            entity: place.entityName, "unsupported feature: the predicate of \(use) contains \(part)")
    }
}
