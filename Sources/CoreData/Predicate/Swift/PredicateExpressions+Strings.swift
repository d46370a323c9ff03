// Searches in strings of Swift predicates.

import CoreDataPredicate
import CoreDataSupport
import Foundation

extension PredicateScope {
    /// An operator between strings. Unlike in the predicate language, every string contains the empty one.
    func search(
        _ subject: some PredicateExpression, op: ComparisonOperator, pattern: some PredicateExpression,
        options: ComparisonOptions = [], findsNothing: Bool = true
    ) throws(UntranslatableExpression) -> Term {
        let (subject, pattern) = (try term(subject), try term(pattern))
        let text = try subject.tree()
        let empty = ExpressionTree.constant(.string(""))
        let test: PredicateTree
        if let constant = pattern.constant {
            test =
                constant == .string("") && findsNothing
                ? .none(subject.isNil) : .compare(text, op: op, right: .constant(constant), options: options)
        } else {
            let plain = PredicateTree.compare(text, op: op, right: try pattern.tree(), options: options)
            test =
                findsNothing
                ? .any([plain, .compare(try pattern.tree(), op: .equalTo, right: empty)]) : plain
        }
        return Term(.truth(Truth(test).guarded(by: subject.guards + pattern.guards)))
    }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        guard Base.Output.self == String.self, Other.Output.self == String.self else {
            throw UntranslatableExpression(self, why: "only strings are searched in")
        }
        return try scope.search(base, op: .contains, pattern: other)
    }
}

extension PredicateExpressions.SequenceStartsWith: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        guard Base.Output.self == String.self, Prefix.Output.self == String.self else {
            throw UntranslatableExpression(self, why: "only strings are searched in")
        }
        return try scope.search(base, op: .beginsWith, pattern: prefix)
    }
}

extension PredicateExpressions.StringContainsRegex: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let term = try scope.term(subject)
        guard case .constant(let any as PredicateExpressions.PredicateRegex) = try scope.term(regex).content
        else { throw UntranslatableExpression(self, why: "its pattern is no constant") }
        // MATCHES is about the whole string, and its dots and anchors know lines.
        let pattern = "(?s:.*)(?-sm:\(any.stringRepresentation))(?s:.*)"
        let test = PredicateTree.compare(try term.tree(), op: .matches, right: .constant(.string(pattern)))
        return Term(.truth(Truth(test).guarded(by: term.guards)))
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        try scope.search(
            root, op: .contains, pattern: other, options: [.caseInsensitive, .diacriticInsensitive],
            findsNothing: false)
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
