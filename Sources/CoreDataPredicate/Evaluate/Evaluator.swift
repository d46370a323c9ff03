// Evaluates predicates and expressions in memory, with the answers that the same predicate has in SQL.
// Docs/Predicates.md has the table of what nil does.

package import CoreDataSupport

/// Evaluates trees for objects. Every predicate is true or false: what compares with nil is false, and its
/// negation true.
package struct Evaluator {
    /// A client's closure as a predicate: the closure, the object, the variables.
    package typealias PredicateBlock = (ObjectReference, Value, [String: Value]) throws -> Bool
    /// A client's closure as an expression: the closure, the object, the arguments, the variables.
    package typealias ExpressionBlock = (ObjectReference, Value, [Value], [String: Value]) throws -> Value
    /// A fetch request as an expression: the request, the context, whether only to count.
    package typealias Fetch = (Value, Value, Bool) throws -> Value

    package var variables: [String: Value]
    let predicateBlock: PredicateBlock?
    let expressionBlock: ExpressionBlock?
    let fetch: Fetch?

    /// An evaluator with values for `$` variables; the closures serve the trees that need more than values.
    package init(
        variables: [String: Value] = [:], predicateBlock: PredicateBlock? = nil,
        expressionBlock: ExpressionBlock? = nil, fetch: Fetch? = nil
    ) {
        self.variables = variables
        self.predicateBlock = predicateBlock
        self.expressionBlock = expressionBlock
        self.fetch = fetch
    }

    /// Returns whether an object satisfies a predicate.
    package func matches(_ predicate: PredicateTree, object: Value) throws -> Bool {
        try matches(predicate, object: object, depth: 0)
    }

    /// The value of an expression for an object.
    package func value(of expression: ExpressionTree, _ object: Value) throws -> Value {
        try value(of: expression, object: object, depth: 0)
    }

    func matches(_ predicate: PredicateTree, object: Value, depth: Int) throws -> Bool {
        try check(depth)
        switch predicate {
        case .constant(let truth): return truth
        case .comparison(let comparison): return try matches(comparison, object: object, depth: depth + 1)
        case .and(let parts):
            return try parts.allSatisfy { try matches($0, object: object, depth: depth + 1) }
        case .or(let parts): return try parts.contains { try matches($0, object: object, depth: depth + 1) }
        case .not(let part): return try !matches(part, object: object, depth: depth + 1)
        case .block(let block):
            guard let predicateBlock else { throw EvaluationFailure(reason: "A block can't be called here") }
            return try predicateBlock(block, object, variables)
        }
    }

    func value(of expression: ExpressionTree, object: Value, depth: Int) throws -> Value {
        try check(depth)
        switch expression {
        case .constant(let value): return value.compared
        case .evaluatedObject: return object
        case .variable(let name): return try variable(name)
        case .keyPath(let operand, let path):
            return try KeyPathReading.read(path, from: value(of: operand, object: object, depth: depth + 1))
        case .function(let operand, let name, let arguments):
            return try call(operand, name: name, arguments: arguments, object: object, depth: depth + 1)
        case .aggregate(let elements):
            return .array(try elements.map { try value(of: $0, object: object, depth: depth + 1) })
        case .conditional(let predicate, let first, let second):
            return try value(
                of: matches(predicate, object: object, depth: depth + 1) ? first : second, object: object,
                depth: depth + 1)
        case .anyKey: return try KeyPathReading.allValues(of: object)
        case .block(let block, let arguments):
            guard let expressionBlock else { throw EvaluationFailure(reason: "A block can't be called here") }
            let values = try arguments.map { try value(of: $0, object: object, depth: depth + 1) }
            return try expressionBlock(block, object, values, variables)
        case .fetchRequest(let request, let context, let countOnly):
            guard let fetch else { throw EvaluationFailure(reason: "A fetch can't be made here") }
            let (request, context) = (
                try value(of: request, object: object, depth: depth + 1),
                try value(of: context, object: object, depth: depth + 1)
            )
            return try fetch(request, context, countOnly)
        case .union, .intersect, .minus, .subquery:
            return try collection(expression, object: object, depth: depth)
        }
    }

    private func variable(_ name: String) throws -> Value {
        guard let value = variables[name] else {
            throw EvaluationFailure(reason: "The variable $\(name) has no value")
        }
        return value
    }

    private func check(_ depth: Int) throws {
        if depth > EvaluationLimits.depth {
            throw EvaluationFailure(reason: "The predicate is nested too deeply")
        }
    }
}
