// Sums and statistics. Nil takes no part; over nothing the sum and the count are 0 and the rest is nil.

import CoreDataSupport
import Foundation

enum Aggregates {
    static func call(_ name: String, _ value: Value) throws -> Value {
        let values = (value.elements ?? [value]).filter { $0 != .null }
        switch name {
        case "sum:": return try sum(values)
        case "count:": return .integer(Int64(value.elements?.count ?? 1))
        case "min:": return try extreme(values, .orderedAscending)
        case "max:": return try extreme(values, .orderedDescending)
        case "average:": return try average(values)
        case "median:": return try median(values)
        case "mode:": return try mode(values)
        case "stddev:": return try standardDeviation(values)
        default: throw EvaluationFailure(reason: "Unknown function “\(name)”")
        }
    }

    /// Integers are summed with bits to spare, so that their order makes no difference.
    static func sum(_ values: [Value]) throws -> Value {
        if let integers = integers(values) {
            let total = integers.reduce(0 as Int128) { $0 + Int128($1) }
            return Int64(exactly: total).map(Value.integer) ?? .double(Double(total))
        }
        return try values.reduce(.integer(0)) { try Arithmetic.binary("add:to:", $0, $1) }
    }

    private static func integers(_ values: [Value]) -> [Int64]? {
        var result: [Int64] = []
        for value in values {
            guard case .integer(let integer)? = value.number else { return nil }
            result.append(integer)
        }
        return result
    }

    static func average(_ values: [Value]) throws -> Value {
        guard !values.isEmpty else { return .null }
        if values.allSatisfy(\.isDecimal) {
            return try Arithmetic.binary("divide:by:", sum(values), .integer(Int64(values.count)))
        }
        return .double(try doubles(values).reduce(0, +) / Double(values.count))
    }

    /// The first value in the given order.
    static func extreme(_ values: [Value], _ order: ComparisonResult) throws -> Value {
        try values.dropFirst().reduce(values.first ?? .null) { best, value in
            try value.order(best) == order ? value : best
        }
    }

    private static func median(_ values: [Value]) throws -> Value {
        let sorted = try doubles(values).sorted()
        guard !sorted.isEmpty else { return .null }
        let middle = sorted.count / 2
        return .double(
            sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle])
    }

    /// The most frequent number, of several the lowest.
    private static func mode(_ values: [Value]) throws -> Value {
        var counts: [Double: Int] = [:]
        for value in try doubles(values) { counts[value, default: 0] += 1 }
        let best = counts.max { ($0.value, -$0.key) < ($1.value, -$1.key) }
        return best.map { .double($0.key) } ?? .null
    }

    /// Of the whole population.
    private static func standardDeviation(_ values: [Value]) throws -> Value {
        let numbers = try doubles(values).sorted()
        guard !numbers.isEmpty else { return .null }
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return .double((squares / Double(numbers.count)).squareRoot())
    }

    private static func doubles(_ values: [Value]) throws -> [Double] {
        try values.map { value in
            guard let number = value.number else {
                throw EvaluationFailure(reason: "Expected numbers, not \(value.kindName)")
            }
            return number.double
        }
    }
}

extension Value {
    fileprivate var isDecimal: Bool {
        if case .decimal = self { true } else { false }
    }
}
