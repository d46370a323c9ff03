// Subqueries and set expressions.

import CoreDataSupport

extension Evaluator {
    func collection(_ expression: ExpressionTree, object: Value, depth: Int) throws -> Value {
        switch expression {
        case .subquery(let collection, let variable, let predicate):
            return try subquery(
                try elements(collection, object: object, depth: depth), variable: variable,
                predicate: predicate, object: object, depth: depth)
        case .union(let left, let right):
            return .array(
                try
                    (elements(left, object: object, depth: depth)
                    + elements(right, object: object, depth: depth)).distinct)
        case .intersect(let left, let right):
            let others = Set(try elements(right, object: object, depth: depth).map(\.identity))
            return .array(
                try elements(left, object: object, depth: depth).filter { others.contains($0.identity) }
                    .distinct)
        case .minus(let left, let right):
            let others = Set(try elements(right, object: object, depth: depth).map(\.identity))
            return .array(
                try elements(left, object: object, depth: depth).filter { !others.contains($0.identity) }
                    .distinct)
        default:
            return try value(of: expression, object: object, depth: depth + 1)
        }
    }

    private func elements(_ expression: ExpressionTree, object: Value, depth: Int) throws -> [Value] {
        let value = try value(of: expression, object: object, depth: depth + 1)
        guard let elements = value.elements else {
            throw EvaluationFailure(reason: "\(expression.format) is \(value.kindName), not a collection")
        }
        return elements
    }

    /// The elements for which the predicate holds. Plain key paths in it still read the evaluated object.
    private func subquery(
        _ elements: [Value], variable: String, predicate: PredicateTree, object: Value, depth: Int
    ) throws -> Value {
        var inner = self
        return .array(
            try elements.filter { element in
                inner.variables[variable] = element
                return try inner.matches(predicate, object: object, depth: depth + 1)
            })
    }
}
