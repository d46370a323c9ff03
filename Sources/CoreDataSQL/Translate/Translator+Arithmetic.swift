// Arithmetic, casts and indexes into ordered relationships.

import CoreDataPredicate
import CoreDataSupport

extension Translator {
    private static let operators: [String: (SQLFragment, isBitwise: Bool)] = [
        "add:to:": ("+", false), "from:subtract:": ("-", false), "multiply:by:": ("*", false),
        "divide:by:": ("/", false), "modulus:by:": ("%", true), "bitwiseAnd:with:": ("&", true),
        "bitwiseOr:with:": ("|", true), "leftshift:by:": ("<<", true), "rightshift:by:": (">>", true),
    ]

    func binary(
        _ name: String, _ arguments: [Operand]
    ) throws(TranslationFailure) -> Scalar {
        let isOther = name == "raise:toPower:" || name == "bitwiseXor:with:"
        guard isOther || Self.operators[name] != nil else {
            throw TranslationFailure("the function \(name) has no SQL form")
        }
        guard arguments.count == 2 else {
            throw TranslationFailure("\(name) takes two arguments, not \(arguments.count)")
        }
        let left = try scalar(arguments[0], name)
        let right = try scalar(arguments[1], name)
        let kind = try resultKind(name, left, right)
        let sql: SQLFragment
        if name == "raise:toPower:" {
            try requireStatement(name)
            sql = "\(function: .power)(\(left.sql), \(right.sql))"
        } else if name == "bitwiseXor:with:" {
            try requireStatement(name)
            sql = "\(function: .exclusiveOr)(\(left.sql), \(right.sql))"
        } else if name == "divide:by:", left.kind.dividesAsReal || right.kind.dividesAsReal {
            sql = "(CAST(\(left.sql) AS REAL) / \(right.sql))"
        } else if let (symbol, isBitwise) = Self.operators[name] {
            let (first, second) = isBitwise ? (integer(left), integer(right)) : (left.sql, right.sql)
            sql = "(\(first) \(symbol) \(second))"
        } else {
            throw TranslationFailure("the function \(name) has no SQL form")
        }
        return Scalar(
            sql: sql, kind: kind, name: name, isAggregate: left.isAggregate || right.isAggregate,
            columns: left.columns.union(right.columns))
    }

    /// The integer part; NULL where 64 bits don't hold it, which the database's own cast would clamp.
    func integer(_ scalar: Scalar) -> SQLFragment {
        let isInteger = scalar.kind == .integer || scalar.kind == .boolean
        let isPlain = isInteger && (scalar.property != nil || scalar.isConstant)
        return isPlain || place == .index ? scalar.sql : "\(function: .integer)(\(scalar.sql))"
    }

    /// Numbers with numbers; of dates only a shift by seconds and the distance of two.
    private func resultKind(
        _ name: String, _ left: Scalar, _ right: Scalar
    ) throws(TranslationFailure) -> ValueKind {
        let isNumeric = [left, right].allSatisfy { $0.kind.isNumeric || $0.kind == .any }
        if isNumeric {
            if Self.operators[name]?.isBitwise ?? (name == "bitwiseXor:with:") { return .integer }
            let kinds = [left.kind, right.kind]
            if name == "raise:toPower:" || kinds.contains(.real) { return .real }
            if kinds.contains(.any) { return .any }
            return kinds.contains(.decimal) ? .decimal : .integer
        }
        switch (name, left.kind, right.kind) {
        case ("from:subtract:", .date, .date): return .real
        case ("from:subtract:", .date, let other) where other.isNumeric: return .date
        case ("add:to:", .date, let other) where other.isNumeric: return .date
        case ("add:to:", let other, .date) where other.isNumeric: return .date
        default: throw TranslationFailure("\(name) needs numbers: \(left.name), \(right.name)")
        }
    }
}

// MARK: - Casts, indexes

extension Translator {
    /// CAST(x, "NSDate"): dates are numbers already; texts become numbers as far as they are.
    func cast(
        _ arguments: [Operand]
    ) throws(TranslationFailure) -> Operand {
        guard arguments.count == 2, case .constant(.string(let type)) = arguments[1] else {
            throw TranslationFailure("CAST takes a value and the name of a class")
        }
        let name = "CAST(…, \"\(type)\")"
        let scalar = try scalar(arguments[0], name)
        switch (type, scalar.kind) {
        case ("NSDate", .date), ("NSDate", .any), ("NSNumber", .any):
            return .scalar(scalar.deriving(scalar.sql, type == "NSDate" ? .date : .any, name: name))
        case ("NSDate", let kind) where kind.isNumeric:
            return .scalar(scalar.deriving(scalar.sql, .date, name: name))
        case ("NSNumber", .date):
            return .scalar(scalar.deriving(scalar.sql, .real, name: name))
        case ("NSNumber", let kind) where kind.isNumeric:
            return .scalar(scalar.deriving(scalar.sql, kind, name: name))
        case ("NSNumber", .text):
            try requireStatement(name)
            return .scalar(scalar.deriving("\(function: .leadingNumber)(\(scalar.sql))", .real, name: name))
        case ("NSDecimalNumber", let kind) where kind.isNumeric:
            return .scalar(scalar.deriving(scalar.sql, .decimal, name: name))
        case ("NSDecimalNumber", .text):
            return .scalar(scalar.deriving("CAST(\(scalar.sql) AS NUMERIC)", .decimal, name: name))
        case ("NSString", .text):
            return .scalar(scalar)
        case ("NSString", .url):
            return .scalar(scalar.deriving(scalar.sql, .text, name: name))
        case ("NSString", .integer), ("NSString", .boolean):
            return .scalar(scalar.deriving("CAST(\(scalar.sql) AS TEXT)", .text, name: name))
        default:
            throw TranslationFailure("\(name) of \(scalar.name) has no SQL form")
        }
    }

    /// `friends[FIRST]`, `friends[2]`, `friends[SIZE]` of an ordered relationship.
    func element(
        _ arguments: [ExpressionTree], _ environment: Environment
    ) throws(TranslationFailure) -> Operand {
        guard arguments.count == 2 else {
            throw TranslationFailure("an index takes a relationship and a position")
        }
        let operand = try operand(arguments[0], environment)
        guard case .collection(let collection) = operand, case .row(let row) = collection.element else {
            throw TranslationFailure("an index has no SQL form but on an ordered relationship")
        }
        if arguments[1] == .sizeIndex {
            return .scalar(try aggregate(.count, of: operand, name: "[SIZE]", environment))
        }
        guard let order = collection.order else {
            throw TranslationFailure(
                "an index into \(collection.name), which is not ordered, has no SQL form")
        }
        let key = collection.select(row.key) + " ORDER BY \(order)" + (try position(arguments[1]))
        return .object(
            RowOperand(
                scope: environment.current.scope, key: "(\(key))", entity: row.entity, entityNumber: nil,
                alias: nil, name: collection.name + "[…]"))
    }

    private func position(_ index: ExpressionTree) throws(TranslationFailure) -> SQLFragment {
        switch index {
        case .firstIndex: return " LIMIT 1"
        case .lastIndex: return " DESC LIMIT 1"
        case .constant(.integer(let number)) where number >= 0:
            return " LIMIT 1 OFFSET \(binding: .integer(number))"
        default: throw TranslationFailure("an index must be a number from 0, FIRST, LAST or SIZE")
        }
    }
}
