// Calls: the predefined functions, and the closed table of methods that FUNCTION reaches.

import CoreDataSupport
import Foundation

extension Evaluator {
    func call(
        _ operand: ExpressionTree?, name: String, arguments: [ExpressionTree], object: Value,
        depth: Int
    ) throws -> Value {
        if name == "objectFrom:withIndex:", operand == nil, arguments.count == 2 {
            let collection = try value(of: arguments[0], object: object, depth: depth)
            return try element(of: collection, index: arguments[1], object: object, depth: depth)
        }
        let values = try arguments.map { try value(of: $0, object: object, depth: depth) }
        if let operand {
            return try Methods.call(
                name, on: value(of: operand, object: object, depth: depth), arguments: values)
        }
        guard let selector = FunctionTable.selector(name, arguments: values.count),
            values.count == FunctionTable.arguments(of: selector)
        else {
            throw EvaluationFailure(reason: "There is no function “\(name)” with \(values.count) arguments")
        }
        return try call(selector, values: values)
    }

    private func call(_ name: String, values: [Value]) throws -> Value {
        switch (name, values.first ?? .null, values.dropFirst().first) {
        case ("now", _, _): .date(Date())
        case ("random", _, _): .double(Double.random(in: 0..<1))
        case ("random:", let limit, _): try random(below: limit)
        case ("noindex:", let value, _), ("indexed:by:", let value, _?): value
        case ("uppercase:", let value, _): try text(value) { .string($0.uppercased()) }
        case ("lowercase:", let value, _): try text(value) { .string($0.lowercased()) }
        case ("canonical:", let value, _): try text(value) { .string(StringComparison.canonical($0)) }
        case ("length:", let value, _): try text(value) { .integer(Int64($0.utf16.count)) }
        case ("characters:", let value, _): try text(value) { .integer(Int64($0.count)) }
        case ("castObject:toType:", let value, let type?): try Casting.cast(value, to: type)
        case ("distanceToLocation:fromLocation:", let value, let other?):
            try Distance.between(value, and: other)
        case (_, let value, nil) where FunctionTable.aggregates.contains(name):
            try Aggregates.call(name, value: value)
        case (_, let value, nil): try Arithmetic.unary(name, value: value)
        case (_, let left, let right?): try Arithmetic.binary(name, left: left, right: right)
        }
    }

    private func random(below limit: Value) throws -> Value {
        guard limit != .null, let bound = try Arithmetic.number(limit).truncatedInteger, bound > 0 else {
            return .integer(0)
        }
        return .integer(Int64.random(in: 0..<bound))
    }

    private func text(_ value: Value, body: (String) -> Value) throws -> Value {
        switch value {
        case .null: return .null
        case .string(let text): return body(text)
        default: throw EvaluationFailure(reason: "Expected a string, not \(value.kindName)")
        }
    }

    /// `a[0]`, `a[FIRST]`, `a["key"]`; nil where there is no such element.
    private func element(
        of collection: Value, index: ExpressionTree, object: Value, depth: Int
    ) throws -> Value {
        if collection == .null { return index == .sizeIndex ? .integer(0) : .null }
        if case .dictionary(let pairs) = collection, !index.isIndexSymbol {
            return pairs[try value(of: index, object: object, depth: depth)] ?? .null
        }
        guard let elements = collection.elements else {
            throw EvaluationFailure(reason: "An index needs a collection, not \(collection.kindName)")
        }
        if index == .sizeIndex { return .integer(Int64(elements.count)) }
        guard case .array = collection else {
            throw EvaluationFailure(reason: "An index other than SIZE needs an ordered collection")
        }
        if index == .firstIndex { return elements.first ?? .null }
        if index == .lastIndex { return elements.last ?? .null }
        return try Methods.element(at: value(of: index, object: object, depth: depth), in: elements)
    }
}

extension ExpressionTree {
    fileprivate var isIndexSymbol: Bool { self == .firstIndex || self == .lastIndex || self == .sizeIndex }
}
