// Logic and comparisons of Swift predicates.

import CoreDataPredicate
import CoreDataSupport
import Foundation

extension PredicateExpressions.Conjunction: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        Term(.truth(try scope.truth(lhs) && scope.truth(rhs)))
    }
}

extension PredicateExpressions.Disjunction: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        Term(.truth(try scope.truth(lhs) || scope.truth(rhs)))
    }
}

extension PredicateExpressions.Negation: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        Term(.truth(!(try scope.truth(wrapped))))
    }
}

extension PredicateExpressions.Equal: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        Term(.truth(try scope.equality(lhs, right: rhs)))
    }
}

extension PredicateExpressions.NotEqual: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        Term(.truth(try scope.equality(lhs, right: rhs, isNegated: true)))
    }
}

extension PredicateScope {
    fileprivate func equality<Left: PredicateExpression, Right: PredicateExpression>(
        _ left: Left, right: Right, isNegated: Bool = false
    ) throws(UntranslatableExpression) -> Truth {
        if Left.Output.self == Bool.self || Left.Output.self == Bool?.self {
            let truth = try truth(left) == truth(right)
            return isNegated ? !truth : truth
        }
        var (left, right) = (try term(left), try term(right))
        if Self.isUnsigned(Left.Output.self) { (left, right) = (left.bits, right.bits) }
        if !isNegated { return try compare(left, op: .equalTo, right: right) }
        if let plain = try? compare(left, op: .notEqualTo, right: right) { return plain }
        return !(try compare(left, op: .equalTo, right: right))
    }
}

extension PredicateScope {
    /// A comparison of values of a type by their order.
    fileprivate func ordered(
        _ type: Any.Type, _ left: Term, op: ComparisonOperator, right: Term
    ) throws(UntranslatableExpression) -> Truth {
        try Self.isUnsigned(type)
            ? compareUnsigned(left, op: op, right: right) : compare(left, op: op, right: right)
    }
}

extension PredicateExpressions.Comparison: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let known: ComparisonOperator =
            switch op {
            case .lessThan: .lessThan
            case .lessThanOrEqual: .lessThanOrEqualTo
            case .greaterThan: .greaterThan
            case .greaterThanOrEqual: .greaterThanOrEqualTo
            @unknown default: throw UntranslatableExpression(self)
            }
        if EnumerationCases(LHS.Output.self)?.areInOrder == false {
            throw UntranslatableExpression(
                "the order of \(LHS.Output.self) isn't that of its raw values, which is all that a store has")
        }
        return Term(
            .truth(try scope.ordered(LHS.Output.self, scope.term(lhs), op: known, right: scope.term(rhs))))
    }
}

extension PredicateExpressions.Conditional: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let test = try scope.truth(test)
        if Output.self == Bool.self || Output.self == Bool?.self {
            return Term(
                .truth(.choice(test, yes: try scope.truth(trueBranch), no: try scope.truth(falseBranch))))
        }
        let (yes, no) = (try scope.term(trueBranch), try scope.term(falseBranch))
        var guards = test.canThrow ? [PredicateTree.any([test.holds, test.fails])] : []
        guards += yes.guards.map { .any([test.fails, $0]) } + no.guards.map { .any([test.holds, $0]) }
        return Term(.value(.conditional(test.holds, try yes.tree(), try no.tree())), guards: guards)
    }
}

// MARK: - Ranges

extension PredicateExpressions.Range: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        Term(.range(.init(lower: try scope.term(lower), upper: try scope.term(upper))))
    }
}

extension PredicateExpressions.ClosedRange: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        Term(.range(.init(lower: try scope.term(lower), upper: try scope.term(upper), includesUpper: true)))
    }
}

extension PredicateExpressions.RangeExpressionContains: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let term = try scope.term(range)
        let bounds: Term.Bounds
        switch term.content {
        case .range(let known): bounds = known
        case .constant(let any as any RangeOfValues): bounds = any.bounds
        default: throw UntranslatableExpression(range)
        }
        let element = try scope.term(element)
        var truth = Truth(.always)
        if let lower = bounds.lower {
            truth = try scope.ordered(
                Element.Output.self, lower, op: .lessThanOrEqualTo, right: element)
        }
        if let upper = bounds.upper {
            let op: ComparisonOperator = bounds.includesUpper ? .lessThanOrEqualTo : .lessThan
            truth = truth && (try scope.ordered(Element.Output.self, element, op: op, right: upper))
        }
        return Term(.truth(truth.guarded(by: term.guards)))
    }
}

/// Swift's ranges, whatever they are of.
private protocol RangeOfValues {
    var bounds: Term.Bounds { get }
}

extension Range: RangeOfValues {
    fileprivate var bounds: Term.Bounds {
        .init(lower: Term(.constant(lowerBound)), upper: Term(.constant(upperBound)))
    }
}

extension ClosedRange: RangeOfValues {
    fileprivate var bounds: Term.Bounds {
        .init(lower: Term(.constant(lowerBound)), upper: Term(.constant(upperBound)), includesUpper: true)
    }
}

extension PartialRangeFrom: RangeOfValues {
    fileprivate var bounds: Term.Bounds { .init(lower: Term(.constant(lowerBound))) }
}

extension PartialRangeUpTo: RangeOfValues {
    fileprivate var bounds: Term.Bounds { .init(upper: Term(.constant(upperBound))) }
}

extension PartialRangeThrough: RangeOfValues {
    fileprivate var bounds: Term.Bounds {
        .init(upper: Term(.constant(upperBound)), includesUpper: true)
    }
}
