// Operands: literals, key paths, variables, arguments, calls, parentheses, aggregates.

import CoreDataSupport
import Foundation

extension Parser {
    mutating func primary() throws(Failure) -> Node {
        let token = self.token
        switch token.kind {
        case .symbol(.open):
            advance()
            let node = try disjunction()
            try expect(.close)
            return node
        case .symbol(.openBrace): return try aggregate()
        case .string(let text): return literal(.string(text))
        case .number(let value): return literal(value)
        case .variable(let name):
            advance()
            return Node(.variable(name))
        case .key(let key):
            advance()
            return Node(.keyPath(key))
        case .argument("K"): return keyPathNode(try keyPathArgument())
        case .argument(let specifier): return try argument(specifier)
        case .identifier(let word): return try word.hasPrefix("@") ? keyPath(word) : named(word)
        case .symbol, .end: throw failure("Expected an expression")
        }
    }

    private mutating func literal(_ value: Value) -> Node {
        advance()
        return Node(.constant(value))
    }

    private mutating func keyPath(_ word: String) throws(Failure) -> Node {
        advance()
        return Node(.keyPath(word))
    }

    /// `%K` names a path on the evaluated object; a path that begins with `SELF` means the same object.
    private mutating func keyPathNode(_ path: String) -> Node {
        advance()
        if path.uppercased() == "SELF" { return Node(.evaluatedObject) }
        if path.uppercased().hasPrefix("SELF.") { return Node(.keyPath(String(path.dropFirst(5)))) }
        return Node(.keyPath(path))
    }

    mutating func keyPathArgument() throws(Failure) -> String {
        do throws(FormatArguments.Mismatch) {
            return try arguments.keyPath()
        } catch {
            throw failure(error.reason)
        }
    }

    private mutating func argument(_ specifier: String) throws(Failure) -> Node {
        do throws(FormatArguments.Mismatch) {
            let node = try arguments.node(for: specifier)
            advance()
            return node
        } catch {
            throw failure(error.reason)
        }
    }

    /// `{1, 2, 3}`, also empty.
    private mutating func aggregate() throws(Failure) -> Node {
        try expect(.openBrace)
        let parts = try list(until: .closeBrace)
        return Node(.aggregate(parts.map(\.tree)), depth: try depth(above: parts.map(\.depth)))
    }

    /// Expressions with commas between them up to and with the closing sign.
    mutating func list(until end: Symbol) throws(Failure) -> [Part<ExpressionTree>] {
        if skip(end) { return [] }
        var parts = [try expression()]
        while skip(.comma) { parts.append(try expression()) }
        try expect(end)
        return parts
    }

    /// A keyword, a call or the first key of a path.
    private mutating func named(_ word: String) throws(Failure) -> Node {
        let upper = word.uppercased()
        if peekKind() == .symbol(.open) {
            return try call(word, upper: upper)
        }
        if let node = Self.constants[upper] {
            advance()
            return node
        }
        if Keyword.reserved.contains(upper), !Keyword.contextual.contains(upper) {
            throw failure("“\(word)” is a reserved word; write #\(word) for a key of that name")
        }
        guard !word.utf8.contains(UInt8(ascii: ":")) else {
            throw failure("Expected “(” after the function “\(word)”")
        }
        return try keyPath(word)
    }

    private static let constants: [String: Node] = [
        "TRUE": Node(.constant(.bool(true))), "YES": Node(.constant(.bool(true))),
        "FALSE": Node(.constant(.bool(false))), "NO": Node(.constant(.bool(false))),
        "NULL": Node(.constant(.null)), "NIL": Node(.constant(.null)),
        "SELF": Node(.evaluatedObject), "ANYKEY": Node(.anyKey),
        "TRUEPREDICATE": Node(PredicateTree.constant(true)),
        "FALSEPREDICATE": Node(PredicateTree.constant(false)),
    ]
}
