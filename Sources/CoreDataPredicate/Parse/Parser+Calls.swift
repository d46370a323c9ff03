// Everything that is spelled like a call: SUBQUERY, TERNARY, CAST, FUNCTION, FETCH, predefined functions.

import CoreDataSupport
import Foundation

extension Parser {
    mutating func call(_ word: String, upper: String) throws(Failure) -> Node {
        let name = token
        advance()
        advance()
        switch upper {
        case "SUBQUERY": return try subquery()
        case "TERNARY": return try ternary()
        case "CAST": return try cast()
        case "FETCH": return try fetch()
        case "FUNCTION": return try method()
        default: return try function(word, at: name)
        }
    }

    /// `SUBQUERY(collection, $variable, predicate)`
    private mutating func subquery() throws(Failure) -> Node {
        let collection = try expression()
        try expect(.comma)
        guard case .variable(let variable) = token.kind else {
            throw failure("SUBQUERY needs a variable such as $x as its second argument")
        }
        advance()
        try expect(.comma)
        let predicate = try predicate()
        try expect(.close)
        return Node(
            .subquery(collection: collection.tree, variable: variable, predicate: predicate.tree),
            depth: try depth(above: collection.depth, predicate.depth))
    }

    /// `TERNARY(predicate, expression, expression)`
    private mutating func ternary() throws(Failure) -> Node {
        let predicate = try predicate()
        try expect(.comma)
        let first = try expression()
        try expect(.comma)
        let second = try expression()
        try expect(.close)
        return Node(
            .conditional(predicate.tree, first.tree, second.tree),
            depth: try depth(above: predicate.depth, first.depth, second.depth))
    }

    /// `CAST(expression, "type")`. A literal that a format spells this way, such as a date, is a constant.
    private mutating func cast() throws(Failure) -> Node {
        let operand = try expression()
        try expect(.comma)
        let typeToken = token
        let type = try expression()
        try expect(.close)
        if case .constant(.string(let name)) = type.tree {
            guard FunctionTable.castTypes.contains(name) else {
                throw failure("CAST knows no type “\(name)”", at: typeToken)
            }
            if case .constant(let value) = operand.tree, let constant = value.castLiteral(to: name) {
                return Node(.constant(constant))
            }
        }
        return Node(
            .function(operand: nil, name: "castObject:toType:", arguments: [operand.tree, type.tree]),
            depth: try depth(above: operand.depth, type.depth))
    }

    /// `FETCH(request, context, countOnly)`
    private mutating func fetch() throws(Failure) -> Node {
        let request = try expression()
        try expect(.comma)
        let context = try expression()
        try expect(.comma)
        let countToken = token
        let count = try expression()
        try expect(.close)
        let countOnly: Bool
        switch count.tree {
        case .constant(.bool(let flag)): countOnly = flag
        case .constant(.integer(let number)) where number == 0 || number == 1: countOnly = number == 1
        default: throw failure("FETCH needs YES or NO as its third argument", at: countToken)
        }
        return Node(
            .fetchRequest(request: request.tree, context: context.tree, countOnly: countOnly),
            depth: try depth(above: request.depth, context.depth))
    }

    /// `FUNCTION(operand, "name", arguments…)`
    private mutating func method() throws(Failure) -> Node {
        let operand = try expression()
        try expect(.comma)
        let nameToken = token
        guard case .constant(.string(let name)) = try expression().tree else {
            throw failure("FUNCTION needs the function's name as a string", at: nameToken)
        }
        guard FunctionTable.methods.contains(name) || operand.tree.isVariable else {
            throw failure("Unknown function “\(name)”", at: nameToken)
        }
        var arguments: [Part<ExpressionTree>] = []
        if skip(.comma) { arguments = try list(until: .close) } else { try expect(.close) }
        let count = FunctionTable.arguments(of: name)
        guard arguments.count == count else {
            throw failure("The function “\(name)” takes \(count) arguments", at: nameToken)
        }
        return Node(
            .function(operand: operand.tree, name: name, arguments: arguments.map(\.tree)),
            depth: try depth(above: [operand.depth] + arguments.map(\.depth)))
    }

    /// `sum({1, 2})`, `modulus:by:(5, 2)`, `now()`
    private mutating func function(_ word: String, at name: Token) throws(Failure) -> Node {
        guard FunctionTable.isKnown(word) else { throw failure("Unknown function “\(word)”", at: name) }
        let arguments = try list(until: .close)
        guard let selector = FunctionTable.selector(word, arguments: arguments.count) else {
            throw failure("The function “\(word)” does not take \(arguments.count) arguments", at: name)
        }
        var trees = arguments.map(\.tree)
        if FunctionTable.aggregates.contains(selector), trees.count != 1 { trees = [.aggregate(trees)] }
        let level = try depth(above: arguments.map(\.depth))
        return Node(.function(operand: nil, name: selector, arguments: trees), depth: level)
    }
}

extension Value {
    /// The constant that the printer spells as a cast of a literal.
    fileprivate func castLiteral(to type: String) -> Value? {
        switch (type, self) {
        case ("NSDate", .integer), ("NSDate", .double), ("NSDate", .decimal):
            number.map { .date(Date(timeIntervalSinceReferenceDate: $0.double)) }
        case ("NSDecimalNumber", .string(let text)):
            Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map(Value.decimal)
        case ("NSUUID", .string(let text)): UUID(uuidString: text).map(Value.uuid)
        case ("NSURL", .string(let text)): URL(string: text).map(Value.url)
        case ("NSData", .string(let text)): Data(base64Encoded: text).map(Value.data)
        default: nil
        }
    }
}

extension ExpressionTree {
    /// A variable may stand for an object with functions of its own, as those of mapping models do.
    fileprivate var isVariable: Bool {
        if case .variable = self { true } else { false }
    }
}
