// Comparisons of parts, with nil as Swift has it.

import CoreDataPredicate
import CoreDataSupport
import Foundation

extension PredicateScope {
    /// `left == right` and its like.
    func compare(
        _ left: Term, op: ComparisonOperator, right: Term
    ) throws(UntranslatableExpression) -> Truth {
        let guards = left.guards + right.guards
        if let test = try order(left, op: op, right: right) { return Truth(test).guarded(by: guards) }
        if let test = try order(right, op: op, right: left) { return Truth(test).guarded(by: guards) }
        if case .collection(let members) = left.content {
            guard right.constant == .null, op == .equalTo else {
                throw UntranslatableExpression("collections have no SQL form compared as a whole")
            }
            return Truth(members.isNil).guarded(by: guards)
        }
        if case .collection = right.content { return try compare(right, op: op, right: left) }
        if case .encoded = left.content, right.constant == .null {
            return Truth(op == .notEqualTo ? .none(left.isNil) : left.isNil).guarded(by: guards)
        }
        if case .encoded = right.content, left.constant == .null {
            return try compare(right, op: op, right: left)
        }
        // Names the type of a constant that isn't known.
        for term in [left, right] where term.constant != nil { _ = try term.tree() }
        let test: PredicateTree
        if let value = right.constant {
            test = try compare(left, op: op, value: value)
        } else if let value = left.constant {
            test = try compare(right, op: op.exchanged, value: value)
        } else {
            test = .compare(try left.tree(), op: op, right: try right.tree())
        }
        return Truth(test).guarded(by: guards)
    }

    /// A plain comparison with a constant, which an index may serve, and what nil adds to it or takes away.
    private func compare(
        _ term: Term, op: ComparisonOperator, value: Value
    ) throws(UntranslatableExpression) -> PredicateTree {
        if case .object = term.content, let missing = term.missing, value == .null {
            return op == .notEqualTo ? .none(missing) : missing
        }
        let constant = ExpressionTree.constant(try Term.literal(value))
        guard case .value(let tree) = term.content, let nilReads = term.nilReads else {
            return .compare(try term.tree(), op: op, right: constant)
        }
        let plain = holds(.null, op: op, right: value)
        let wanted = holds(nilReads, op: op, right: value)
        if term.missing != nil, holds(.null, op: op, right: value) != wanted {
            return .compare(try term.tree(), op: op, right: constant)
        }
        let test = PredicateTree.compare(tree, op: op, right: constant)
        let isNil = PredicateTree.compare(tree, op: .equalTo, right: .constant(.null))
        if plain == wanted { return test }
        return wanted ? .any([test, isNil]) : .all([test, .none(isNil)])
    }

    private func holds(_ left: Value, op: ComparisonOperator, right: Value) -> Bool {
        let test = PredicateTree.compare(.constant(left), op: op, right: .constant(right))
        return (try? Evaluator().matches(test, object: .null)) ?? false
    }

    /// `a.caseInsensitiveCompare(b) == .orderedSame`
    private func order(
        _ left: Term, op: ComparisonOperator, right: Term
    ) throws(UntranslatableExpression) -> PredicateTree? {
        guard case .order(let first, let second, let options) = left.content else { return nil }
        guard op == .equalTo, case .constant(let any) = right.content, let order = any as? ComparisonResult
        else { throw UntranslatableExpression("an order of strings has no SQL form but compared with one") }
        let known: ComparisonOperator =
            switch order {
            case .orderedAscending: .lessThan
            case .orderedSame: .equalTo
            case .orderedDescending: .greaterThan
            }
        return .compare(try first.tree(), op: known, right: try second.tree(), options: options)
    }
}

extension ComparisonOperator {
    /// The operator with the sides exchanged.
    fileprivate var exchanged: ComparisonOperator {
        switch self {
        case .lessThan: .greaterThan
        case .lessThanOrEqualTo: .greaterThanOrEqualTo
        case .greaterThan: .lessThan
        case .greaterThanOrEqualTo: .lessThanOrEqualTo
        default: self
        }
    }
}
