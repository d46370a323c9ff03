// Numbers of the three kinds, compared exactly and computed without traps.

package import CoreDataSupport
package import Foundation

/// A number in the form that holds it without loss.
package enum Number: Sendable {
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)

    package var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): Double(value.description) ?? .nan
        }
    }

    /// The integer part, where 64 bits hold it.
    package var truncatedInteger: Int64? {
        switch self {
        case .integer(let value): value
        case .double(let value): Int64(exactly: value.rounded(.towardZero))
        case .decimal(let value): value.rounded(value < 0 ? .up : .down).int64
        }
    }

    /// The number itself as an integer, when it is one.
    package var exactInteger: Int64? {
        switch self {
        case .integer(let value): value
        case .double(let value): Int64(exactly: value)
        case .decimal(let value): value.int64
        }
    }

    package var decimal: Decimal? {
        switch self {
        case .integer(let value): Decimal(value)
        case .double(let value): value.magnitude < 1e38 ? Decimal(shortest: value) : nil
        case .decimal(let value): value
        }
    }

    package var value: Value {
        switch self {
        case .integer(let value): .integer(value)
        case .double(let value): value.isNaN ? .null : .double(value)
        case .decimal(let value): .decimal(value)
        }
    }

    /// The order of two numbers; nothing when one is not a number. Integers and doubles compare exactly; a
    /// decimal compares with a double's shortest decimal form, so that 9.99 equals 9.99.
    package func compared(to other: Number) -> ComparisonResult? {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): order(left, and: right)
        case (.double(let left), .double(let right)):
            left.isNaN || right.isNaN ? nil : order(left, and: right)
        case (.integer(let left), .double(let right)): order(left, double: right)
        case (.double(let left), .integer(let right)): order(right, double: left)?.reversed
        default: comparedAsDecimal(to: other)
        }
    }

    private func comparedAsDecimal(to other: Number) -> ComparisonResult? {
        guard let left = decimal, let right = other.decimal else {
            return double.isNaN || other.double.isNaN ? nil : order(double, and: other.double)
        }
        return order(left, and: right)
    }
}

/// The order of two comparable values.
func order<T: Comparable>(_ left: T, and right: T) -> ComparisonResult {
    if left == right { return .orderedSame }
    return left < right ? .orderedAscending : .orderedDescending
}

/// The order of an integer and a double, without rounding either.
private func order(_ integer: Int64, double: Double) -> ComparisonResult? {
    if double.isNaN { return nil }
    if double >= 0x1p63 { return .orderedAscending }
    if double < -0x1p63 { return .orderedDescending }
    let whole = double.rounded(.towardZero)
    guard let truncated = Int64(exactly: whole) else { return nil }
    if integer != truncated { return order(integer, and: truncated) as ComparisonResult }
    return order(whole, and: double) as ComparisonResult
}

extension ComparisonResult {
    var reversed: ComparisonResult {
        switch self {
        case .orderedAscending: .orderedDescending
        case .orderedSame: .orderedSame
        case .orderedDescending: .orderedAscending
        }
    }
}

extension Decimal {
    /// The value as an integer, when it is one that 64 bits hold.
    package var int64: Int64? {
        rounded(.plain) == self ? Int64(description) : nil
    }

    func rounded(_ mode: NSDecimalNumber.RoundingMode, scale: Int = 0) -> Decimal {
        var (source, result) = (self, Decimal())
        NSDecimalRound(&result, &source, scale, mode)
        return result
    }
}

extension Value {
    /// The value as a number, when it is one; booleans are 0 and 1.
    package var number: Number? {
        switch self {
        case .bool(let value): .integer(value ? 1 : 0)
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        case .decimal(let value): .decimal(value)
        default: nil
        }
    }
}
