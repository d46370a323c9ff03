// The part of a predicate over transactions that a store's history can be asked with.

import Foundation

/// Bounds that every transaction which fulfils a predicate lies within.
struct HistoryScope: Equatable {
    /// Only what was saved after a place.
    var token: DefaultHistoryToken?
    /// Only what was saved at a time or later.
    var since: Date?
    /// Only what one author saved.
    var author: String?

    /// What was saved after a place.
    init(after token: DefaultHistoryToken) { self.token = token }

    init(_ predicate: Predicate<DefaultHistoryTransaction>?) {
        if let predicate { (predicate.expression as? any HistoryCondition)?.narrow(&self) }
    }
}

/// A condition that may bound the transactions which fulfil it.
protocol HistoryCondition {
    func narrow(_ scope: inout HistoryScope)
}

extension PredicateExpressions.Conjunction: HistoryCondition {
    func narrow(_ scope: inout HistoryScope) {
        (lhs as? any HistoryCondition)?.narrow(&scope)
        (rhs as? any HistoryCondition)?.narrow(&scope)
    }
}

extension PredicateExpressions.Comparison: HistoryCondition {
    /// `token > last`, `timestamp >= day`, and the same with the sides exchanged.
    func narrow(_ scope: inout HistoryScope) {
        let isLower =
            switch op {
            case .greaterThan, .greaterThanOrEqual: true
            case .lessThan, .lessThanOrEqual: false
            }
        let term: any PredicateExpression = isLower ? lhs : rhs
        let value: any PredicateExpression = isLower ? rhs : lhs
        guard let keyPath = (term as? any HistoryTerm)?.property else { return }
        let constant = (value as? any HistoryConstant)?.constant
        let isStrict =
            switch op {
            case .greaterThan, .lessThan: true
            case .greaterThanOrEqual, .lessThanOrEqual: false
            }
        switch keyPath {
        case \DefaultHistoryTransaction.token:
            // A history is asked for what comes after a place, and not for the place itself.
            if isStrict, let token = constant as? DefaultHistoryToken { scope.token = scope.token ?? token }
        case \DefaultHistoryTransaction.timestamp:
            if let date = constant as? Date { scope.since = max(scope.since ?? date, date) }
        default: break
        }
    }
}

extension PredicateExpressions.Equal: HistoryCondition {
    func narrow(_ scope: inout HistoryScope) {
        let sides: [(any PredicateExpression, any PredicateExpression)] = [(lhs, rhs), (rhs, lhs)]
        for (term, value) in sides {
            guard let keyPath = (term as? any HistoryTerm)?.property,
                keyPath == \DefaultHistoryTransaction.author
            else { continue }
            if let author = (value as? any HistoryConstant)?.constant as? String { scope.author = author }
        }
    }
}

/// An expression that may read a property of a transaction.
protocol HistoryTerm {
    var property: AnyKeyPath? { get }
}

extension PredicateExpressions.KeyPath: HistoryTerm {
    var property: AnyKeyPath? {
        root is PredicateExpressions.Variable<DefaultHistoryTransaction> ? keyPath : nil
    }
}

/// An expression with a value of its own.
protocol HistoryConstant {
    var constant: Any? { get }
}

extension PredicateExpressions.Value: HistoryConstant {
    var constant: Any? { value }
}
