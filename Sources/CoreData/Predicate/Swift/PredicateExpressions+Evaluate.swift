// Predicates and expressions that a predicate asks of its values.

import CoreDataPredicate
public import Foundation

extension Predicate: ManagedPredicateConstant {}
extension Foundation.Expression: ManagedPredicateConstant {}

extension PredicateExpressions {
    /// Another predicate, asked of values of this one.
    public struct PredicateEvaluate<
        Condition: StandardPredicateExpression, each Input: StandardPredicateExpression
    >: StandardPredicateExpression where Condition.Output == Predicate<repeat (each Input).Output> {
        /// True if the other predicate holds.
        public typealias Output = Bool

        /// The other predicate.
        public let predicate: Condition
        /// The values.
        public let input: (repeat each Input)

        /// A predicate that is asked of values.
        ///
        /// - Parameters:
        ///   - predicate: the predicate.
        ///   - input: the values.
        public init(predicate: Condition, input: repeat each Input) {
            self.predicate = predicate
            self.input = (repeat each input)
        }

        /// Returns whether the other predicate holds for the values.
        ///
        /// - Throws: the errors of the other predicate and of the values.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try predicate.evaluate(bindings).evaluate(repeat (each input).evaluate(bindings))
        }

        /// Refuses, as a predicate can't be decoded without a configuration.
        ///
        /// - Throws: `DecodingError`.
        public init(from decoder: any Decoder) throws {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "a predicate within one can't be decoded"))
        }

        /// Refuses, as a predicate can't be encoded without a configuration.
        ///
        /// - Throws: `EncodingError`.
        public func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(
                predicate,
                .init(
                    codingPath: encoder.codingPath,
                    debugDescription: "a predicate within one can't be encoded"))
        }
    }

    /// Returns another predicate as a part of one.
    ///
    /// - Parameters:
    ///   - predicate: the predicate.
    ///   - input: the values that it is asked of.
    public static func build_evaluate<
        Condition: StandardPredicateExpression, each Input: StandardPredicateExpression
    >(_ predicate: Condition, _ input: repeat each Input) -> PredicateEvaluate<Condition, repeat each Input>
    where Condition.Output == Predicate<repeat (each Input).Output> {
        PredicateEvaluate(predicate: predicate, input: repeat each input)
    }
}

extension PredicateExpressions.PredicateEvaluate: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        guard let asked = try scope.value(predicate) else {
            throw UntranslatableExpression(self, why: "the predicate isn't known beforehand")
        }
        var inner = scope
        for (variable, value) in repeat (each asked.variable, each input) {
            inner = inner.with(variable, term: try scope.term(value))
        }
        return Term(.truth(try inner.truth(asked.expression)))
    }
}

extension PredicateExpressions.ExpressionEvaluate: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        guard let asked = try scope.value(expression) else {
            throw UntranslatableExpression(self, why: "the expression isn't known beforehand")
        }
        var inner = scope
        for (variable, value) in repeat (each asked.variable, each input) {
            inner = inner.with(variable, term: try scope.term(value))
        }
        return try inner.term(asked.expression)
    }
}

extension PredicateScope {
    /// The value of an expression that reads no object.
    fileprivate func value<Known: PredicateExpression>(
        _ expression: Known
    ) throws(UntranslatableExpression) -> Known.Output? {
        guard case .constant(let any) = try term(expression).content else { return nil }
        return any as? Known.Output
    }
}
