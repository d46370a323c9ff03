// The meaning of a Swift predicate's variables at one place of it.

import CoreDataPredicate
import CoreDataSupport
import Foundation

/// A Swift expression that has a form in the predicate language, or knows why it hasn't.
protocol TranslatedExpression: PredicateExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term
}

/// Variables and where they lead.
struct PredicateScope {
    /// Variables that stand for values.
    private var values = PredicateBindings()
    /// Variables that stand for objects, their elements and what is unwrapped.
    private var terms: [PredicateExpressions.VariableID: Term] = [:]
    private var depth = 0
    /// The name of the element of a composite attribute that a key path of a structure reads.
    let nameOfElement: (AnyKeyPath) -> String?
    /// The name of the entity of a class that is no managed object class.
    let nameOfEntity: (Any.Type) -> String?

    init(
        nameOfElement: @escaping (AnyKeyPath) -> String?, nameOfEntity: @escaping (Any.Type) -> String?
    ) {
        self.nameOfElement = nameOfElement
        self.nameOfEntity = nameOfEntity
    }

    /// Levels of a Swift predicate.
    private static let depthLimit = 100
    /// Elements of a constant that are tried one by one.
    static let elementLimit = 100

    func with<Output>(_ variable: PredicateExpressions.Variable<Output>, term: Term) -> PredicateScope {
        var scope = self
        if case .constant(let any) = term.content, let value = any as? Output, term.guards.isEmpty {
            scope.values[variable] = value
        } else {
            scope.terms[variable.key] = term
        }
        return scope
    }

    func term(of variable: PredicateExpressions.VariableID) -> Term? { terms[variable] }

    /// A name for the element of a collection that no collection around it has.
    var elementName: String { "x\(depth)" }

    /// Returns the term that an expression becomes. One that reads no object is computed at once.
    func term<Expression: PredicateExpression>(
        _ expression: Expression
    ) throws(UntranslatableExpression) -> Term {
        if let value = try? expression.evaluate(values) { return Term(.constant(value as Any)) }
        guard depth < Self.depthLimit else {
            throw UntranslatableExpression("the predicate is nested more than \(Self.depthLimit) levels deep")
        }
        guard let expression = expression as? any TranslatedExpression else {
            throw UntranslatableExpression(expression)
        }
        var inner = self
        inner.depth += 1
        return try expression.term(in: inner)
    }

    func tree(_ expression: some PredicateExpression) throws(UntranslatableExpression) -> ExpressionTree {
        try term(expression).tree()
    }

    /// An expression of type `Bool` or `Bool?`.
    func truth<Expression: PredicateExpression>(
        _ expression: Expression
    ) throws(UntranslatableExpression) -> Truth {
        let term = try term(expression)
        switch term.content {
        case .truth(let truth): return truth.guarded(by: term.guards)
        case .constant(let any):
            switch Value(any) {
            case .null: return Truth(nil).guarded(by: term.guards)
            case .bool(let value): return Truth(value).guarded(by: term.guards)
            default: throw UntranslatableExpression(expression, why: "it is no Bool")
            }
        case .value(let tree):
            let isTrue = PredicateTree.compare(tree, op: .equalTo, right: .constant(.bool(true)))
            let isOptional = Expression.Output.self is any OptionalType.Type
            guard isOptional, term.nilReads == nil else { return Truth(isTrue).guarded(by: term.guards) }
            return Truth(
                holds: isTrue, fails: .compare(tree, op: .equalTo, right: .constant(.bool(false))),
                isNil: term.isNil,
                canThrow: false
            ).guarded(by: term.guards)
        default: throw UntranslatableExpression(expression, why: "it is no Bool")
        }
    }
}

/// Tells optional types.
protocol OptionalType {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
    static var wrapped: Any.Type { Wrapped.self }
}
