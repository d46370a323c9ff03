// Searches in strings of Swift predicates.

import CoreDataPredicate
import CoreDataSupport
import Foundation

extension PredicateScope {
    /// An operator between strings. Unlike in the predicate language, every string contains the empty one.
    func search(
        _ subject: some PredicateExpression, _ op: ComparisonOperator, _ pattern: some PredicateExpression,
        _ options: ComparisonOptions = [], findsNothing: Bool = true
    ) throws(UntranslatableExpression) -> Term {
        let (subject, pattern) = (try term(subject), try term(pattern))
        let text = try subject.tree()
        let empty = ExpressionTree.constant(.string(""))
        let test: PredicateTree
        if let constant = pattern.constant {
            test =
                constant == .string("") && findsNothing
                ? .none(subject.isNil) : .compare(text, op, .constant(constant), options)
        } else {
            let plain = PredicateTree.compare(text, op, try pattern.tree(), options)
            test = findsNothing ? .any([plain, .compare(try pattern.tree(), .equalTo, empty)]) : plain
        }
        return Term(.truth(Truth(test).guarded(by: subject.guards + pattern.guards)))
    }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        guard Base.Output.self == String.self, Other.Output.self == String.self else {
            throw UntranslatableExpression(self, "only strings are searched in")
        }
        return try scope.search(base, .contains, other)
    }
}

extension PredicateExpressions.SequenceStartsWith: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        guard Base.Output.self == String.self, Prefix.Output.self == String.self else {
            throw UntranslatableExpression(self, "only strings are searched in")
        }
        return try scope.search(base, .beginsWith, prefix)
    }
}

extension PredicateExpressions.StringContainsRegex: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let term = try scope.term(subject)
        guard case .constant(let any as PredicateExpressions.PredicateRegex) = try scope.term(regex).content
        else { throw UntranslatableExpression(self, "its pattern is no constant") }
        // MATCHES is about the whole string, and its dots and anchors know lines.
        let pattern = "(?s:.*)(?-sm:\(any.stringRepresentation))(?s:.*)"
        let test = PredicateTree.compare(try term.tree(), .matches, .constant(.string(pattern)))
        return Term(.truth(Truth(test).guarded(by: term.guards)))
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        try scope.search(
            root, .contains, other, [.caseInsensitive, .diacriticInsensitive], findsNothing: false)
    }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let (first, second) = (try scope.term(root), try scope.term(other))
        return Term(.order(first, second, .caseInsensitive), guards: first.guards + second.guards)
    }
}

extension PredicateExpressions.StringLocalizedCompare: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let (first, second) = (try scope.term(root), try scope.term(other))
        return Term(.order(first, second, .localeSensitive), guards: first.guards + second.guards)
    }
}
