// Arithmetic over values. With nil the result is nil, and so it is where there is no number: a division by
// zero, the root of a negative number. An integer result that 64 bits don't hold becomes a double.

import CoreDataSupport
import Foundation

enum Arithmetic {
    static func binary(_ name: String, left: Value, right: Value) throws -> Value {
        if left == .null || right == .null { return .null }
        if let date = try dates(name, left: left, right: right) { return date }
        let (a, b) = (try number(left), try number(right))
        switch name {
        case "raise:toPower:": return Number.double(pow(a.double, b.double)).value
        case "modulus:by:", "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:",
            "rightshift:by:":
            guard let first = a.truncatedInteger, let second = b.truncatedInteger else { return .null }
            return integers(name, left: first, right: second)
        default: return exact(name, left: a, right: b)
        }
    }

    private static func exact(_ name: String, left: Number, right: Number) -> Value {
        switch (left, right) {
        case (.integer(let a), .integer(let b)):
            return integer(name, left: a, right: b).map(Value.integer)
                ?? double(name, left: Double(a), right: Double(b))
        case (.double, _), (_, .double): return double(name, left: left.double, right: right.double)
        default:
            guard let a = left.decimal, let b = right.decimal else {
                return double(name, left: left.double, right: right.double)
            }
            return decimal(name, left: a, right: b)
        }
    }

    /// nil where the result does not fit.
    private static func integer(_ name: String, left: Int64, right: Int64) -> Int64? {
        let result: (partialValue: Int64, overflow: Bool)
        switch name {
        case "add:to:": result = left.addingReportingOverflow(right)
        case "from:subtract:": result = left.subtractingReportingOverflow(right)
        case "multiply:by:": result = left.multipliedReportingOverflow(by: right)
        default: result = left.dividedReportingOverflow(by: right)
        }
        return result.overflow ? nil : result.partialValue
    }

    private static func double(_ name: String, left: Double, right: Double) -> Value {
        switch name {
        case "add:to:": Number.double(left + right).value
        case "from:subtract:": Number.double(left - right).value
        case "multiply:by:": Number.double(left * right).value
        default: right == 0 ? .null : Number.double(left / right).value
        }
    }

    private static func decimal(_ name: String, left: Decimal, right: Decimal) -> Value {
        let result: Decimal
        switch name {
        case "add:to:": result = left + right
        case "from:subtract:": result = left - right
        case "multiply:by:": result = left * right
        default:
            if right == 0 { return .null }
            result = left / right
        }
        return result.isNaN ? .null : .decimal(result)
    }

    private static func integers(_ name: String, left: Int64, right: Int64) -> Value {
        switch name {
        case "modulus:by:": right == 0 ? .null : .integer(right == -1 ? 0 : left % right)
        case "bitwiseAnd:with:": .integer(left & right)
        case "bitwiseOr:with:": .integer(left | right)
        case "bitwiseXor:with:": .integer(left ^ right)
        case "leftshift:by:": .integer(left << right)
        default: .integer(left >> right)
        }
    }

    /// A date shifted by seconds, or the seconds between two dates.
    private static func dates(_ name: String, left: Value, right: Value) throws -> Value? {
        switch (name, left, right) {
        case ("from:subtract:", .date(let a), .date(let b)): return .double(a.timeIntervalSince(b))
        case ("from:subtract:", .date(let date), _): return .date(date - (try number(right)).double)
        case ("add:to:", .date(let date), _): return .date(date + (try number(right)).double)
        case ("add:to:", _, .date(let date)): return .date(date + (try number(left)).double)
        default: return nil
        }
    }

    static func unary(_ name: String, value: Value) throws -> Value {
        if value == .null { return .null }
        let number = try number(value)
        switch name {
        case "abs:": return absolute(number)
        case "onesComplement:": return number.truncatedInteger.map { .integer(~$0) } ?? .null
        case "sqrt:": return Number.double(number.double.squareRoot()).value
        case "log:": return number.double > 0 ? .double(log10(number.double)) : .null
        case "ln:": return number.double > 0 ? .double(log(number.double)) : .null
        case "exp:": return .double(exp(number.double))
        case "floor:": return .double(number.double.rounded(.down))
        case "ceiling:": return .double(number.double.rounded(.up))
        default: return .double(number.double.rounded(.towardZero))
        }
    }

    private static func absolute(_ number: Number) -> Value {
        switch number {
        case .integer(let value): value == .min ? .double(-Double(value)) : .integer(abs(value))
        case .double(let value): .double(abs(value))
        case .decimal(let value): .decimal(abs(value))
        }
    }

    static func number(_ value: Value) throws -> Number {
        guard let number = value.number else {
            throw EvaluationFailure(reason: "Expected a number, not \(value.kindName)")
        }
        return number
    }
}
