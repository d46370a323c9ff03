// The bodies of our SQL functions.

import CoreDataPredicate
import Foundation

extension SQLFunction {
    /// Every function, for the driver to register.
    package static let all: [SQLFunction] = [
        SQLFunction(.stringSearch, argumentCount: 4, body: .scalar(stringSearch)),
        text(.canonical) { .text(StringComparison.canonical($0)) },
        text(.uppercase) { .text($0.uppercased()) },
        text(.lowercase) { .text($0.lowercased()) },
        text(.length) { .integer(Int64($0.utf16.count)) },
        text(.characters) { .integer(Int64($0.count)) },
        SQLFunction(.power, argumentCount: 2, body: .scalar(power)),
        number(.squareRoot) { $0.squareRoot() },
        number(.log) { $0 > 0 ? log10($0) : .nan },
        number(.ln) { $0 > 0 ? Foundation.log($0) : .nan },
        number(.exp, body: Foundation.exp),
        number(.ceiling) { $0.rounded(.up) },
        number(.floor) { $0.rounded(.down) },
        number(.trunc) { $0.rounded(.towardZero) },
        SQLFunction(.absolute, argumentCount: 1, body: .scalar(absolute)),
        SQLFunction(
            .integer, argumentCount: 1, body: .scalar { $0.first?.truncated.map(SQLBinding.integer) ?? .null }
        ),
        text(.leadingNumber) { .double(Casting.leadingNumber($0)) },
        SQLFunction(
            .exclusiveOr, argumentCount: 2,
            body: .scalar { arguments in
                guard let left = arguments.first?.truncated, let right = arguments.last?.truncated else {
                    return .null
                }
                return .integer(left ^ right)
            }),
        SQLFunction(.sum, argumentCount: 1, body: .aggregate(sum)),
        SQLFunction(
            .element, argumentCount: 1,
            body: .scalar { arguments in
                guard case .text(let spelling)? = arguments.first else { return .null }
                return SpelledElement.read(spelling)
            }),
        aggregate(.median, body: median),
        aggregate(.mode, body: mode),
        aggregate(.standardDeviation, body: standardDeviation),
    ]

    private static func text(
        _ name: Name, body: @escaping @Sendable (String) -> SQLBinding
    ) -> SQLFunction {
        SQLFunction(
            name, argumentCount: 1,
            body: .scalar { arguments in
                guard case .text(let text)? = arguments.first else { return .null }
                return body(text)
            })
    }

    private static func number(
        _ name: Name, body: @escaping @Sendable (Double) -> Double
    ) -> SQLFunction {
        SQLFunction(
            name, argumentCount: 1,
            body: .scalar { arguments in
                guard let number = arguments.first?.number else { return .null }
                return .finite(body(number))
            })
    }

    private static func aggregate(
        _ name: Name, body: @escaping @Sendable ([Double]) -> Double?
    ) -> SQLFunction {
        SQLFunction(
            name, argumentCount: 1,
            body: .aggregate { values in body(values.compactMap(\.number)).map(SQLBinding.finite) ?? .null })
    }

    @Sendable private static func absolute(_ arguments: [SQLBinding]) -> SQLBinding {
        guard case .integer(let number)? = arguments.first else {
            return arguments.first?.number.map { .finite($0.magnitude) } ?? .null
        }
        return number == .min ? .double(-Double(number)) : .integer(abs(number))
    }

    @Sendable private static func sum(_ values: [SQLBinding]) -> SQLBinding {
        var total = 0 as Int128
        var real: Double?
        for value in values {
            switch value {
            case .integer(let number): total += Int128(number)
            case .double(let number): real = (real ?? 0) + number
            case .null, .text, .blob: break
            }
        }
        if let real { return .finite(real + Double(total)) }
        return Int64(exactly: total).map(SQLBinding.integer) ?? .double(Double(total))
    }

    @Sendable private static func power(_ arguments: [SQLBinding]) -> SQLBinding {
        guard arguments.count == 2, let base = arguments[0].number, let exponent = arguments[1].number else {
            return .null
        }
        return .finite(pow(base, exponent))
    }

    @Sendable private static func stringSearch(_ arguments: [SQLBinding]) throws -> SQLBinding {
        guard arguments.count == 4, case .text(let text) = arguments[0],
            case .text(let pattern) = arguments[1],
            case .integer(let options) = arguments[2], case .integer(let operation) = arguments[3],
            let op = ComparisonOperator(rawValue: UInt(clamping: operation))
        else { return .null }
        let found = try StringComparison.matches(
            text, op: op, pattern: pattern, options: ComparisonOptions(rawValue: UInt(clamping: options)))
        return .integer(found ? 1 : 0)
    }

    private static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// The most frequent value, the lowest of several.
    private static func mode(_ values: [Double]) -> Double? {
        var counts: [Double: Int] = [:]
        for value in values { counts[value, default: 0] += 1 }
        return counts.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key
    }

    /// Of the whole population.
    private static func standardDeviation(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let values = values.sorted()
        let mean = values.reduce(0, +) / Double(values.count)
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(values.count)).squareRoot()
    }
}

extension SQLBinding {
    /// The value as a double; nil for what is no number.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        case .null, .text, .blob: nil
        }
    }

    /// The integer part, also of the number that a text begins with; nil where 64 bits don't hold it.
    var truncated: Int64? {
        switch self {
        case .integer(let number): number
        case .double(let number): Int64(exactly: number.rounded(.towardZero))
        case .text(let text): Int64(exactly: Casting.leadingNumber(text).rounded(.towardZero))
        case .null, .blob: nil
        }
    }

    /// A double, NULL for "not a number".
    static func finite(_ number: Double) -> SQLBinding {
        number.isNaN ? .null : .double(number)
    }
}
