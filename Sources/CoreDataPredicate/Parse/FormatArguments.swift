// Turns the arguments of a format into operands, one by one as the format's specifiers ask for them.

import CoreDataSupport
import Foundation

struct FormatArguments {
    /// The reason why an argument does not fit its specifier.
    struct Mismatch: Error {
        let reason: String
    }

    private let arguments: [Any?]
    private var index = 0

    init(_ arguments: [Any?]) {
        self.arguments = arguments
    }

    private mutating func next(for specifier: String) throws(Mismatch) -> Any? {
        guard index < arguments.count else {
            throw Mismatch(reason: "There is no argument for “%\(specifier)”")
        }
        defer { index += 1 }
        return arguments[index]
    }

    /// The key path that stands for `%K`.
    mutating func keyPath() throws(Mismatch) -> String {
        guard case .string(let path) = Value(try next(for: "K")), !path.isEmpty else {
            throw Mismatch(reason: "The argument for “%K” must be a key path")
        }
        return path
    }

    /// The operand that stands for any specifier but `%K`.
    mutating func node(for specifier: String) throws(Mismatch) -> Node {
        let argument = try next(for: specifier)
        switch specifier.last {
        case "@": return Node(argument: argument)
        case "d", "i", "u", "o", "x", "X", "D", "U", "O", "p":
            return try integer(argument, specifier: specifier)
        case "f", "F", "e", "E", "g", "G", "a", "A": return try floating(argument, specifier: specifier)
        case "c", "C": return try character(argument, specifier: specifier)
        default: return try string(argument, specifier: specifier)
        }
    }

    private func integer(_ argument: Any?, specifier: String) throws(Mismatch) -> Node {
        switch Value(argument) {
        case .integer(let value): return Node(.constant(.integer(value)))
        case .bool(let value): return Node(.constant(.integer(value ? 1 : 0)))
        case .decimal(let value): return Node(.constant(.decimal(value)))
        case .double(let value):
            if let whole = Int64(exactly: value.rounded(.towardZero)) {
                return Node(.constant(.integer(whole)))
            }
        default: break
        }
        throw Mismatch(reason: "The argument for “%\(specifier)” must be an integer")
    }

    private func floating(_ argument: Any?, specifier: String) throws(Mismatch) -> Node {
        guard let value = Value(argument).number?.double else {
            throw Mismatch(reason: "The argument for “%\(specifier)” must be a number")
        }
        return Node(.constant(.double(value)))
    }

    private func character(_ argument: Any?, specifier: String) throws(Mismatch) -> Node {
        if case .string(let text) = Value(argument), text.count == 1 { return Node(.constant(.string(text))) }
        return try integer(argument, specifier: specifier)
    }

    private func string(_ argument: Any?, specifier: String) throws(Mismatch) -> Node {
        guard case .string(let text) = Value(argument) else {
            throw Mismatch(reason: "The argument for “%\(specifier)” must be a string")
        }
        return Node(.constant(.string(text)))
    }
}

extension Node {
    /// `%@`: a tree stands for itself, a collection that holds expressions becomes an aggregate, anything else
    /// is a constant.
    fileprivate init(argument: Any?) {
        if let predicate = argument as? any PredicateTreeConvertible {
            self = Node(predicate.predicateTree)
        } else if let expression = argument as? any ExpressionTreeConvertible {
            self = Node(expression.expressionTree)
        } else if let elements = argument as? [Any],
            elements.contains(where: { $0 is any ExpressionTreeConvertible })
        {
            self = Node(.aggregate(elements.map(Self.element)))
        } else {
            self = Node(ExpressionTree(constant: argument))
        }
    }

    private static func element(_ element: Any) -> ExpressionTree {
        (element as? any ExpressionTreeConvertible)?.expressionTree ?? ExpressionTree(constant: element)
    }
}
