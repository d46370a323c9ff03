// Words in postfix order as a tree.

import CoreDataPredicate
import CoreDataSupport
import Foundation

/// Rebuilds a tree with a stack of its own. Words that make no tree give nil.
struct TreeReader {
    enum Item {
        case value(Value)
        case expression(ExpressionTree)
        case predicate(PredicateTree)
    }

    /// The words are no archive of ours.
    struct Broken: Error {}

    private var words: ArraySlice<String>
    private var stack: [(item: Item, depth: Int)] = []
    /// The deepest of the parts that the current word has taken.
    private var depth = 0

    private init(_ words: [String]) {
        self.words = words[...]
    }

    static func read(_ words: [String]) -> Item? {
        var reader = TreeReader(words)
        do throws(Broken) {
            while let name = reader.words.popFirst() { try reader.step(name) }
        } catch {
            return nil
        }
        return reader.stack.count == 1 ? reader.stack[0].item : nil
    }

    private mutating func step(_ name: String) throws(Broken) {
        depth = 0
        let item: Item
        if let value = try value(name) {
            item = .value(value)
        } else if let predicate = try predicate(name) {
            item = .predicate(predicate)
        } else {
            item = .expression(try expression(name))
        }
        guard depth < TreeArchive.depthLimit else { throw Broken() }
        stack.append((item, depth + 1))
    }
}

extension TreeReader {
    private mutating func predicate(_ name: String) throws(Broken) -> PredicateTree? {
        switch name {
        case "truth": return .constant(try flag())
        case "not": return .not(try popPredicate())
        case "and": return .and(try pop(try count()) { (reader) throws(Broken) in try reader.popPredicate() })
        case "or": return .or(try pop(try count()) { (reader) throws(Broken) in try reader.popPredicate() })
        case "compare": return .comparison(try comparison())
        default: return nil
        }
    }

    private mutating func comparison() throws(Broken) -> PredicateTree.Comparison {
        let right = try popExpression()
        let left = try popExpression()
        guard let op = ComparisonOperator(rawValue: try number()),
            let modifier = ComparisonModifier(rawValue: try number())
        else { throw Broken() }
        let options = ComparisonOptions(rawValue: try number())
        let selector = try word()
        return PredicateTree.Comparison(
            left, op: op, right: right, modifier: modifier, options: options,
            customSelector: selector.isEmpty ? nil : selector)
    }

    private mutating func expression(_ name: String) throws(Broken) -> ExpressionTree {
        switch name {
        case "constant": return .constant(try popValue())
        case "self": return .evaluatedObject
        case "anyKey": return .anyKey
        case "variable": return .variable(try word())
        case "keyPath": return .keyPath(try popExpression(), try word())
        case "aggregate": return .aggregate(try expressions(try count()))
        case "function": return try function()
        case "union", "intersect", "minus": return try setExpression(name)
        default: return try rareExpression(name)
        }
    }

    private mutating func function() throws(Broken) -> ExpressionTree {
        let name = try word()
        let hasOperand = try flag()
        let arguments = try expressions(try count())
        return .function(operand: hasOperand ? try popExpression() : nil, name: name, arguments: arguments)
    }

    private mutating func setExpression(_ name: String) throws(Broken) -> ExpressionTree {
        let right = try popExpression()
        let left = try popExpression()
        switch name {
        case "union": return .union(left, right)
        case "intersect": return .intersect(left, right)
        default: return .minus(left, right)
        }
    }

    private mutating func rareExpression(_ name: String) throws(Broken) -> ExpressionTree {
        switch name {
        case "subquery":
            let predicate = try popPredicate()
            return .subquery(collection: try popExpression(), variable: try word(), predicate: predicate)
        case "conditional":
            let second = try popExpression()
            let first = try popExpression()
            return .conditional(try popPredicate(), first, second)
        case "fetchRequest":
            let context = try popExpression()
            return .fetchRequest(request: try popExpression(), context: context, countOnly: try flag())
        default: throw Broken()
        }
    }

    private mutating func value(_ name: String) throws(Broken) -> Value? {
        switch name {
        case "null": return .null
        case "nsNull": return .object(ObjectReference(NSNull()))
        case "array": return .array(try values(try count()))
        case "set": return .set(Set(try values(try count())))
        case "dictionary": return try dictionary()
        case "bool", "integer", "double", "decimal", "string", "date", "data", "uuid", "url":
            guard let value = Self.scalar(name, word: try word()) else { throw Broken() }
            return value
        default: return nil
        }
    }

    private static func scalar(_ name: String, word: String) -> Value? {
        switch name {
        case "bool": return .bool(word == "1")
        case "integer": return Int64(word).map(Value.integer)
        case "double": return UInt64(word).map { .double(Double(bitPattern: $0)) }
        case "decimal": return word == "NaN" ? .decimal(.nan) : Decimal(string: word).map(Value.decimal)
        case "string": return .string(word)
        case "date":
            return UInt64(word).map { .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0))) }
        case "data": return Data(base64Encoded: word).map(Value.data)
        case "uuid": return UUID(uuidString: word).map(Value.uuid)
        default: return URL(string: word).map(Value.url)
        }
    }

    private mutating func dictionary() throws(Broken) -> Value {
        let flat = try values(try count())
        guard flat.count.isMultiple(of: 2) else { throw Broken() }
        var pairs: [Value: Value] = [:]
        for index in stride(from: 0, to: flat.count, by: 2) { pairs[flat[index]] = flat[index + 1] }
        return .dictionary(pairs)
    }
}

extension TreeReader {
    private mutating func word() throws(Broken) -> String {
        guard let word = words.popFirst() else { throw Broken() }
        return word
    }

    private mutating func number() throws(Broken) -> UInt {
        guard let number = UInt(try word()) else { throw Broken() }
        return number
    }

    private mutating func flag() throws(Broken) -> Bool { try number() == 1 }

    /// A number of parts: as many as the stack has at most.
    private mutating func count() throws(Broken) -> Int {
        guard let count = Int(exactly: try number()), count <= stack.count else { throw Broken() }
        return count
    }

    private mutating func pop() throws(Broken) -> Item {
        guard let top = stack.popLast() else { throw Broken() }
        depth = max(depth, top.depth)
        return top.item
    }

    private mutating func popValue() throws(Broken) -> Value {
        guard case .value(let value) = try pop() else { throw Broken() }
        return value
    }

    private mutating func popExpression() throws(Broken) -> ExpressionTree {
        guard case .expression(let tree) = try pop() else { throw Broken() }
        return tree
    }

    private mutating func popPredicate() throws(Broken) -> PredicateTree {
        guard case .predicate(let tree) = try pop() else { throw Broken() }
        return tree
    }

    private mutating func pop<Part>(
        _ count: Int, one: (inout TreeReader) throws(Broken) -> Part
    ) throws(Broken) -> [Part] {
        var parts: [Part] = []
        for _ in 0..<count { parts.append(try one(&self)) }
        return parts.reversed()
    }

    private mutating func expressions(_ count: Int) throws(Broken) -> [ExpressionTree] {
        try pop(count) { (reader) throws(Broken) in try reader.popExpression() }
    }

    private mutating func values(_ count: Int) throws(Broken) -> [Value] {
        try pop(count) { (reader) throws(Broken) in try reader.popValue() }
    }
}
