// The variables of a tree, and trees with constants in their place.

package import CoreDataSupport

extension PredicateTree {
    /// The names of the variables that need a value; those that a subquery binds are not among them.
    package var variables: Set<String> {
        var names: Set<String> = []
        _ = rewriting { (expression, bound) throws(Never) in expression.note(&names, bound: bound) }
        return names
    }

    /// The predicate with a constant for every variable. A variable without a value is an error.
    package func substituting(_ variables: [String: Value]) throws(EvaluationFailure) -> PredicateTree {
        try rewriting { (expression, bound) throws(EvaluationFailure) in
            try expression.substitute(variables, bound: bound)
        }
    }

    /// The predicate with expressions for the variables named; the others stay.
    package func substituting(_ variables: [String: ExpressionTree]) -> PredicateTree {
        rewriting { (expression, bound) throws(Never) in expression.substitute(variables, bound: bound) }
    }
}

extension ExpressionTree {
    /// See the property of the same name on predicates.
    package var variables: Set<String> {
        var names: Set<String> = []
        _ = rewriting { (expression, bound) throws(Never) in expression.note(&names, bound: bound) }
        return names
    }

    /// See the function of the same name on predicates.
    package func substituting(_ variables: [String: Value]) throws(EvaluationFailure) -> ExpressionTree {
        try rewriting { (expression, bound) throws(EvaluationFailure) in
            try expression.substitute(variables, bound: bound)
        }
    }

    /// See the function of the same name on predicates.
    package func substituting(_ variables: [String: ExpressionTree]) -> ExpressionTree {
        rewriting { (expression, bound) throws(Never) in expression.substitute(variables, bound: bound) }
    }

    fileprivate func note(_ names: inout Set<String>, bound: Set<String>) -> ExpressionTree? {
        if case .variable(let name) = self, !bound.contains(name) { names.insert(name) }
        return nil
    }

    fileprivate func substitute(
        _ variables: [String: Value], bound: Set<String>
    ) throws(EvaluationFailure) -> ExpressionTree? {
        guard case .variable(let name) = self, !bound.contains(name) else { return nil }
        guard let value = variables[name] else {
            throw EvaluationFailure(reason: "The variable $\(name) has no value")
        }
        return .constant(value)
    }

    fileprivate func substitute(_ variables: [String: ExpressionTree], bound: Set<String>)
        -> ExpressionTree?
    {
        guard case .variable(let name) = self, !bound.contains(name) else { return nil }
        return variables[name]
    }
}
