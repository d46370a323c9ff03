// A tree as words in postfix order.

import CoreDataPredicate
import CoreDataSupport
import Foundation

/// Collects the words of a tree: parts first, then the name of what they make and its own words.
struct TreeWriter {
    private(set) var words: [String] = []

    mutating func write(_ tree: PredicateTree) {
        switch tree {
        case .constant(let value): emit("truth", value ? "1" : "0")
        case .comparison(let comparison): write(comparison)
        case .and(let parts): write(parts, name: "and")
        case .or(let parts): write(parts, name: "or")
        case .not(let part):
            write(part)
            emit("not")
        case .block: raise(.invalidArgument, "A predicate with a closure can't be archived")
        }
    }

    private mutating func write(_ parts: [PredicateTree], name: String) {
        for part in parts { write(part) }
        emit(name, String(parts.count))
    }

    private mutating func write(_ comparison: PredicateTree.Comparison) {
        write(comparison.left)
        write(comparison.right)
        emit(
            "compare", String(comparison.op.rawValue), String(comparison.modifier.rawValue),
            String(comparison.options.rawValue), comparison.customSelector ?? "")
    }

    mutating func write(_ tree: ExpressionTree) {
        switch tree {
        case .constant(let value):
            write(value)
            emit("constant")
        case .evaluatedObject: emit("self")
        case .anyKey: emit("anyKey")
        case .variable(let name): emit("variable", name)
        case .keyPath(let operand, let path):
            write(operand)
            emit("keyPath", path)
        case .function(let operand, let name, let arguments): write(operand, name: name, arguments: arguments)
        case .union(let left, let right): write([left, right], name: "union")
        case .intersect(let left, let right): write([left, right], name: "intersect")
        case .minus(let left, let right): write([left, right], name: "minus")
        case .aggregate(let elements):
            write(elements, name: "aggregate")
            emit(String(elements.count))
        case .subquery, .conditional, .fetchRequest, .block: writeRare(tree)
        }
    }

    private mutating func writeRare(_ tree: ExpressionTree) {
        switch tree {
        case .subquery(let collection, let variable, let predicate):
            write(collection)
            write(predicate)
            emit("subquery", variable)
        case .conditional(let predicate, let first, let second):
            write(predicate)
            write([first, second], name: "conditional")
        case .fetchRequest(let request, let context, let countOnly):
            write([request, context], name: "fetchRequest")
            emit(countOnly ? "1" : "0")
        default: raise(.invalidArgument, "An expression with a closure can't be archived")
        }
    }

    private mutating func write(_ operand: ExpressionTree?, name: String, arguments: [ExpressionTree]) {
        if let operand { write(operand) }
        write(arguments, name: "function")
        emit(name, operand == nil ? "0" : "1", String(arguments.count))
    }

    private mutating func write(_ parts: [ExpressionTree], name: String) {
        for part in parts { write(part) }
        emit(name)
    }

    private mutating func emit(_ words: String...) {
        self.words += words
    }
}

extension TreeWriter {
    private mutating func write(_ value: Value) {
        switch value {
        case .null: emit("null")
        case .bool(let value): emit("bool", value ? "1" : "0")
        case .integer(let value): emit("integer", String(value))
        case .double(let value): emit("double", String(value.bitPattern))
        case .decimal(let value): emit("decimal", value.description)
        case .string(let value): emit("string", value)
        case .date(let value): emit("date", String(value.timeIntervalSinceReferenceDate.bitPattern))
        case .data(let value): emit("data", value.base64EncodedString())
        case .uuid(let value): emit("uuid", value.uuidString)
        case .url(let value): emit("url", value.absoluteString)
        case .array(let values): write(values, name: "array")
        case .set(let values): write(Array(values), name: "set")
        case .dictionary(let pairs): write(pairs.flatMap { [$0.key, $0.value] }, name: "dictionary")
        case .object(let reference) where reference.object is NSNull: emit("nsNull")
        case .object(let reference):
            raise(
                .invalidArgument,
                "A predicate with an object of \(type(of: reference.object)) can't be archived")
        }
    }

    private mutating func write(_ values: [Value], name: String) {
        for value in values { write(value) }
        emit(name, String(values.count))
    }
}
