// IN, and CONTAINS of a collection.

import CoreDataPredicate
import CoreDataSupport
import Foundation

extension Translator {
    /// Lists longer than this are bound as one JSON text: databases bound the number of parameters.
    static let longestInlineList = 100

    func membership(
        of element: Operand, in collection: Operand, _ options: ComparisonOptions
    ) throws(TranslationFailure) -> SQLFragment {
        switch collection {
        case .constant(.null):
            return .never
        case .constant(.array(let items)):
            return try membership(of: element, inList: items, options)
        case .constant(.set(let items)):
            return try membership(of: element, inList: Array(items), options)
        case .list(let items):
            var values: [Value] = []
            for case .constant(let value) in items { values.append(value) }
            if values.count == items.count { return try membership(of: element, inList: values, options) }
            var tests: [SQLFragment] = []
            for item in items { tests.append(try compare(element, .equalTo, item, options)) }
            return Self.chain(tests, " OR ", empty: .never)
        case .collection(let collection):
            return try membership(of: element, in: collection, options)
        case .scalar, .constant(.string):
            return try compare(collection, .contains, element, options)
        case .object(let row):
            throw TranslationFailure("\(row.name) is one object: IN needs a collection")
        case .constant:
            throw TranslationFailure("the right side of IN must be a collection")
        }
    }

    private func membership(
        of element: Operand, in collection: CollectionOperand, _ options: ComparisonOptions
    ) throws(TranslationFailure) -> SQLFragment {
        if case .collection(let other) = element {
            throw TranslationFailure("to-many key not allowed here: \(other.name)")
        }
        let test = try compare(collection.operand, .equalTo, element, options)
        return collection.contains(test, isSelective: element.isKnown)
    }

    private func membership(
        of element: Operand, inList items: [Value], _ options: ComparisonOptions
    ) throws(TranslationFailure) -> SQLFragment {
        let hasNull = items.contains(.null)
        let values = items.filter { $0 != .null }
        let sql: SQLFragment
        var bindings: [SQLBinding] = []
        if case .object(let row) = element {
            sql = row.key
            bindings = values.compactMap { key(of: $0, in: row.entity) }.map(SQLBinding.integer)
        } else {
            let scalar = try scalar(element, "IN")
            sql = scalar.sql
            for value in values {
                let value = scalar.kind == .text ? Value.string("").spelling(value) : value
                if let binding = try binding(value, for: scalar) { bindings.append(binding) }
            }
            if scalar.kind == .text, !options.subtracting(.normalized).isEmpty, !bindings.isEmpty {
                let found = try self.search(sql, bindings, options)
                return hasNull ? "(\(found) OR \(sql) IS NULL)" : found
            }
        }
        let found = try Self.list(sql, bindings, self)
        guard hasNull else { return found ?? .never }
        guard let found else { return "\(sql) IS NULL" }
        return "(\(found) OR \(sql) IS NULL)"
    }

    /// column IN (?, ?) or, for many values, column IN (SELECT value FROM json_each(?))
    private static func list(
        _ sql: SQLFragment, _ bindings: [SQLBinding], _ translator: Translator
    ) throws(TranslationFailure) -> SQLFragment? {
        if bindings.isEmpty { return nil }
        if bindings.count == 1 { return "\(sql) = \(binding: bindings[0])" }
        if bindings.count <= longestInlineList || translator.place == .index {
            let items = bindings.map(SQLFragment.init(binding:)).joined(separator: ", ")
            return "\(sql) IN (\(items))"
        }
        return "\(sql) IN (\(ElementList(bindings).select))"
    }

    /// EXISTS (SELECT 1 FROM json_each(?) WHERE NSCoreDataStringSearch(column, value, options, ==))
    private func search(
        _ sql: SQLFragment, _ bindings: [SQLBinding], _ options: ComparisonOptions
    ) throws(TranslationFailure) -> SQLFragment {
        try requireStatement("IN")
        let list = ElementList(bindings)
        let op = ComparisonOperator.equalTo.rawValue
        return """
            EXISTS (SELECT 1 FROM json_each(\(binding: list.json)) WHERE \
            \(function: .stringSearch)(\(sql), \(list.value), \(number: options.rawValue), \(number: op)))
            """
    }
}

/// Many values as one JSON text. Integers and plain texts stand for themselves; other values, which JSON
/// can't hold without loss, are spelled as texts that `NSCoreDataElement` reads.
struct ElementList {
    let json: SQLBinding
    /// What a row of `json_each` is as a value.
    let value: SQLFragment

    var select: SQLFragment { "SELECT \(value) FROM json_each(\(binding: json))" }

    init(_ bindings: [SQLBinding]) {
        var integers: [Int64] = []
        var texts: [String] = []
        for binding in bindings {
            switch binding {
            case .integer(let number): integers.append(number)
            case .text(let text) where !text.utf8.contains(0): texts.append(text)
            default: break
            }
        }
        if integers.count == bindings.count {
            json = .text("[" + integers.map(String.init).joined(separator: ",") + "]")
            value = "value"
        } else if texts.count == bindings.count {
            json = .text(Self.array(of: texts))
            value = "value"
        } else {
            json = .text(Self.array(of: bindings.map(SpelledElement.spell)))
            value = "\(function: .element)(value)"
        }
    }

    private static func array(of texts: [String]) -> String {
        var result = "["
        for (index, text) in texts.enumerated() {
            if index > 0 { result += "," }
            result += "\""
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"": result += "\\\""
                case "\\": result += "\\\\"
                case _ where scalar.value < 0x20:
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                default: result.unicodeScalars.append(scalar)
                }
            }
            result += "\""
        }
        return result + "]"
    }
}
