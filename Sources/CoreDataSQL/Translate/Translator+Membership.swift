// IN, and CONTAINS of a collection.

import CoreDataPredicate
import CoreDataSupport
import Foundation

extension Translator {
    /// Lists that are written out value by value have bounds, as databases bound the number of parameters.
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
            for item in items {
                tests.append(try compare(element, op: .equalTo, right: item, options: options))
            }
            return Self.chain(tests, word: " OR ", empty: .never)
        case .collection(let collection):
            return try membership(of: element, in: collection, options)
        case .scalar, .constant(.string):
            return try compare(collection, op: .contains, right: element, options: options)
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
        let test = try compare(collection.operand, op: .equalTo, right: element, options: options)
        return collection.contains(test, isSelective: element.isKnown)
    }

    private func membership(
        of element: Operand, inList items: [Value], _ options: ComparisonOptions
    ) throws(TranslationFailure) -> SQLFragment {
        let hasNull = items.contains(.null)
        let values = items.filter { $0 != .null }
        let sql: SQLFragment
        var list: [SQLConstant] = []
        var kind = ValueKind.integer
        if case .object(let row) = element {
            sql = row.key
            list = values.compactMap { key(of: $0, in: row.entity) }.map {
                SQLConstant(.integer($0), binding: .integer($0))
            }
        } else {
            let scalar = try scalar(element, name: "IN")
            (sql, kind) = (scalar.sql, scalar.kind)
            for value in values {
                let value = scalar.kind == .text ? Value.string("").spelling(value) : value
                if let constant = try constant(value, for: scalar) { list.append(constant) }
            }
            if scalar.kind == .text, !options.subtracting(.normalized).isEmpty, !list.isEmpty {
                try requireStatement("IN")
                let found = try dialect.membership(sql, list: list, options: options)
                return hasNull ? "(\(found) OR \(sql) IS NULL)" : found
            }
        }
        let found: SQLFragment?
        switch list.count {
        case 0: found = nil
        case 1: found = try compare(sql, kind: kind, with: list[0])
        default: found = dialect.membership(sql, of: kind, list: list, isInline: place == .index)
        }
        guard hasNull else { return found ?? .never }
        guard let found else { return "\(sql) IS NULL" }
        return "(\(found) OR \(sql) IS NULL)"
    }

    private func compare(
        _ sql: SQLFragment, kind: ValueKind, with constant: SQLConstant
    ) throws(TranslationFailure) -> SQLFragment {
        guard let other = ValueKind(of: constant.value), other != kind, other.isNumeric, kind.isNumeric else {
            return "\(sql) = \(constant.sql)"
        }
        return "\(dialect.number(sql, of: kind)) = \(dialect.number(constant.sql, of: other))"
    }
}
