// Arithmetic, casts and indexes into ordered relationships.

import CoreDataPredicate
import CoreDataSupport

extension Translator {
    private static let operators: [String: SQLOperator] = [
        "add:to:": .add, "from:subtract:": .subtract, "multiply:by:": .multiply, "divide:by:": .divide,
        "modulus:by:": .remainder, "bitwiseAnd:with:": .and, "bitwiseOr:with:": .or,
        "leftshift:by:": .shiftLeft, "rightshift:by:": .shiftRight,
    ]

    func binary(
        _ name: String, arguments: [Operand]
    ) throws(TranslationFailure) -> Scalar {
        let isOther = name == "raise:toPower:" || name == "bitwiseXor:with:"
        guard isOther || Self.operators[name] != nil else {
            throw TranslationFailure("the function \(name) has no SQL form")
        }
        guard arguments.count == 2 else {
            throw TranslationFailure("\(name) takes two arguments, not \(arguments.count)")
        }
        let left = try scalar(arguments[0], name: name)
        let right = try scalar(arguments[1], name: name)
        let kind = try resultKind(name, left: left, right: right)
        return Scalar(
            sql: dialect.computed(try compute(name, left: left, right: right), of: kind), kind: kind,
            name: name,
            isAggregate: left.isAggregate || right.isAggregate,
            columns: left.columns.union(right.columns))
    }

    private func compute(
        _ name: String, left: Scalar, right: Scalar
    ) throws(TranslationFailure) -> SQLFragment {
        let (first, second) = (number(left), number(right))
        if name == "raise:toPower:" {
            try requireStatement(name)
            return try dialect.call(.power, arguments: [first, second])
        }
        if name == "bitwiseXor:with:" {
            try requireStatement(name)
            return try dialect.call(.exclusiveOr, arguments: [first, second])
        }
        guard let op = Self.operators[name] else {
            throw TranslationFailure("the function \(name) has no SQL form")
        }
        if op == .divide, left.kind.dividesAsReal || right.kind.dividesAsReal {
            return dialect.arithmetic(op, left: dialect.cast(first, to: .real), right: second, of: .real)
        }
        if op.isBitwise {
            return dialect.arithmetic(op, left: try integer(left), right: try integer(right), of: .integer)
        }
        return dialect.arithmetic(op, left: first, right: second, of: Self.common(left.kind, right.kind))
    }

    /// The kind of what two numbers make. Dates are seconds.
    private static func common(_ left: ValueKind, _ right: ValueKind) -> ValueKind {
        let kinds = [left, right]
        if kinds.allSatisfy({ $0 == .integer || $0 == .boolean }) { return .integer }
        return kinds.contains(.real) || kinds.contains(.date) ? .real : .any
    }

    /// The value as a number, whatever the database keeps.
    func number(_ scalar: Scalar) -> SQLFragment { dialect.number(scalar.sql, of: scalar.kind) }

    /// The integer part; NULL where 64 bits don't hold it, which the database's own cast would clamp.
    func integer(_ scalar: Scalar) throws(TranslationFailure) -> SQLFragment {
        let isInteger = scalar.kind == .integer || scalar.kind == .boolean
        let isPlain = isInteger && (scalar.property != nil || scalar.isConstant)
        if isPlain || place == .index { return number(scalar) }
        return try dialect.call(.integer, arguments: [number(scalar)])
    }

    /// Numbers with numbers; of dates only a shift by seconds and the distance of two.
    private func resultKind(
        _ name: String, left: Scalar, right: Scalar
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
        let scalar = try scalar(arguments[0], name: name)
        switch (type, scalar.kind) {
        case ("NSDate", .date), ("NSDate", .any), ("NSNumber", .any):
            return .scalar(scalar.deriving(scalar.sql, kind: type == "NSDate" ? .date : .any, name: name))
        case ("NSDate", let kind) where kind.isNumeric:
            return .scalar(
                scalar.deriving(dialect.computed(number(scalar), of: .date), kind: .date, name: name))
        case ("NSNumber", .date):
            return .scalar(scalar.deriving(number(scalar), kind: .real, name: name))
        case ("NSNumber", let kind) where kind.isNumeric:
            return .scalar(scalar.deriving(scalar.sql, kind: kind, name: name))
        case ("NSNumber", .text):
            try requireStatement(name)
            return .scalar(
                scalar.deriving(
                    try dialect.call(.leadingNumber, arguments: [scalar.sql]), kind: .real, name: name))
        case ("NSDecimalNumber", let kind) where kind.isNumeric:
            return .scalar(scalar.deriving(number(scalar), kind: .decimal, name: name))
        case ("NSDecimalNumber", .text):
            return .scalar(
                scalar.deriving(dialect.cast(scalar.sql, to: .decimal), kind: .decimal, name: name))
        case ("NSString", .text):
            return .scalar(scalar)
        case ("NSString", .url):
            return .scalar(scalar.deriving(scalar.sql, kind: .text, name: name))
        case ("NSString", .integer), ("NSString", .boolean):
            return .scalar(scalar.deriving(dialect.cast(number(scalar), to: .text), kind: .text, name: name))
        default:
            throw TranslationFailure("\(name) of \(scalar.name) has no SQL form")
        }
    }

    /// `friends[FIRST]`, `friends[2]`, `friends[SIZE]` of an ordered relationship.
    func element(
        _ arguments: [ExpressionTree], environment: Environment
    ) throws(TranslationFailure) -> Operand {
        guard arguments.count == 2 else {
            throw TranslationFailure("an index takes a relationship and a position")
        }
        let operand = try operand(arguments[0], outer: environment)
        guard case .collection(let collection) = operand, case .row(let row) = collection.element else {
            throw TranslationFailure("an index has no SQL form but on an ordered relationship")
        }
        if arguments[1] == .sizeIndex {
            return .scalar(try aggregate(.count, of: operand, name: "[SIZE]", environment: environment))
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
