// Operators between expressions, by precedence, and what may follow an operand: paths and indexes.

import CoreDataSupport
import Foundation

/// An operator between two expressions.
struct InfixOperator {
    enum Meaning {
        case function(String, swapped: Bool)
        case union, intersect, minus
    }

    let meaning: Meaning
    let precedence: Int
    var isRightAssociative = false

    /// The operator as a symbol, for printing.
    static let symbolsByFunction: [String: (symbol: Symbol, precedence: Int)] = [
        "bitwiseOr:with:": (.bitOr, 2), "bitwiseXor:with:": (.bitXor, 3), "bitwiseAnd:with:": (.bitAnd, 4),
        "leftshift:by:": (.shiftLeft, 5), "rightshift:by:": (.shiftRight, 5), "add:to:": (.plus, 6),
        "from:subtract:": (.minus, 6), "multiply:by:": (.times, 7), "divide:by:": (.divide, 7),
        "modulus:by:": (.modulus, 7), "raise:toPower:": (.power, 8),
    ]

    static let bySymbol: [Symbol: InfixOperator] = Dictionary(
        uniqueKeysWithValues: symbolsByFunction.map { name, entry in
            (
                entry.symbol,
                InfixOperator(
                    meaning: .function(name, swapped: false), precedence: entry.precedence,
                    isRightAssociative: entry.symbol == .power)
            )
        })

    static let byWord: [String: InfixOperator] = [
        "UNION": InfixOperator(meaning: .union, precedence: 1),
        "INTERSECT": InfixOperator(meaning: .intersect, precedence: 1),
        "MINUS": InfixOperator(meaning: .minus, precedence: 1),
    ]

    func combine(_ left: ExpressionTree, and right: ExpressionTree) -> ExpressionTree {
        switch meaning {
        case .function(let name, _): .function(operand: nil, name: name, arguments: [left, right])
        case .union: .union(left, right)
        case .intersect: .intersect(left, right)
        case .minus: .minus(left, right)
        }
    }
}

extension Parser {
    /// Operators of at least the given precedence, from left to right but for `**`. Only that one can nest
    /// without an end; the others nest as deep as there are precedences.
    mutating func operation(atLeast precedence: Int) throws(Failure) -> Node {
        let start = token
        var left = try prefixed()
        while let infix = infixOperator, infix.precedence >= precedence {
            let leftPart = try asExpression(left, at: start)
            advance()
            let right = try rightSide(of: infix)
            left = Node(
                infix.combine(leftPart.tree, and: right.tree),
                depth: try depth(above: leftPart.depth, right.depth)
            )
        }
        return left
    }

    private mutating func rightSide(of infix: InfixOperator) throws(Failure) -> Part<ExpressionTree> {
        let start = token
        guard infix.isRightAssociative else {
            return try asExpression(try operation(atLeast: infix.precedence + 1), at: start)
        }
        let node = try nested { (parser) throws(Failure) in try parser.operation(atLeast: infix.precedence) }
        return try asExpression(node, at: start)
    }

    private var infixOperator: InfixOperator? {
        if case .symbol(let symbol) = token.kind { return InfixOperator.bySymbol[symbol] }
        return keyword.flatMap { InfixOperator.byWord[$0] }
    }

    /// `-x` and `~x`. A minus before a literal belongs to it; before anything else it subtracts from zero.
    private mutating func prefixed() throws(Failure) -> Node {
        if isAt(.minus), case .number(let value) = peekKind(), let negated = value.negatedLiteral {
            advance()
            advance()
            return Node(.constant(negated))
        }
        if skip(.bitNot) { return try prefixed("onesComplement:", first: []) }
        if skip(.minus) { return try prefixed("from:subtract:", first: [.constant(.integer(0))]) }
        return try postfixed()
    }

    private mutating func prefixed(_ name: String, first: [ExpressionTree]) throws(Failure) -> Node {
        let start = token
        let node = try nested { (parser) throws(Failure) in try parser.prefixed() }
        let part = try asExpression(node, at: start)
        return Node(
            .function(operand: nil, name: name, arguments: first + [part.tree]),
            depth: try depth(above: part.depth))
    }

    /// An operand with the paths and indexes after it: `a.b`, `a[0].c`, `SUBQUERY(…).@count`.
    private mutating func postfixed() throws(Failure) -> Node {
        let start = token
        var node = try primary()
        while true {
            if isAt(.dot) {
                let operand = try asExpression(node, at: start)
                node = Node(
                    Self.path(try pathAfterDot(), on: operand.tree), depth: try depth(above: operand.depth))
            } else if isAt(.openBracket) {
                node = try indexed(try asExpression(node, at: start))
            } else {
                return node
            }
        }
    }

    /// All components after an operand at once, so that the path's length does not count as depth.
    private mutating func pathAfterDot() throws(Failure) -> String {
        var components: [String] = []
        while skip(.dot) {
            switch token.kind {
            case .identifier(let word) where !word.contains(":"): components.append(word)
            case .key(let key): components.append(key)
            case .argument("K"): components.append(try keyPathArgument())
            default: throw failure("Expected a key after “.”")
            }
            advance()
        }
        return components.joined(separator: ".")
    }

    private static func path(_ path: String, on operand: ExpressionTree) -> ExpressionTree {
        if case .keyPath(let base, let first) = operand { return .keyPath(base, first + "." + path) }
        return .keyPath(operand, path)
    }

    private mutating func indexed(_ operand: Part<ExpressionTree>) throws(Failure) -> Node {
        try expect(.openBracket)
        var index: Part<ExpressionTree>
        if peekKind() == .symbol(.closeBracket), let symbol = indexSymbol {
            advance()
            index = Part(tree: symbol, depth: 1)
        } else {
            index = try expression()
        }
        try expect(.closeBracket)
        return Node(
            .function(operand: nil, name: "objectFrom:withIndex:", arguments: [operand.tree, index.tree]),
            depth: try depth(above: operand.depth, index.depth))
    }

    private var indexSymbol: ExpressionTree? {
        switch keyword {
        case "FIRST": .firstIndex
        case "LAST": .lastIndex
        case "SIZE": .sizeIndex
        default: nil
        }
    }
}

extension Value {
    /// A literal with a minus before it; the smallest integer is read as a decimal first.
    fileprivate var negatedLiteral: Value? {
        switch self {
        case .integer(let value): .integer(0 &- value)
        case .double(let value): .double(-value)
        case .decimal(let value): (-value as Decimal).int64.map(Value.integer) ?? .decimal(-value)
        default: nil
        }
    }
}
