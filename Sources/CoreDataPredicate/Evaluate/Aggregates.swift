// Sums and statistics. Nil takes no part; over nothing the sum and the count are 0 and the rest is nil.

import CoreDataSupport
import Foundation

enum Aggregates {
    static func call(_ name: String, value: Value) throws -> Value {
        let values = (value.elements ?? [value]).filter { $0 != .null }
        switch name {
        case "sum:": return try sum(values)
        case "count:": return .integer(Int64(value.elements?.count ?? 1))
        case "min:": return try extreme(values, order: .orderedAscending)
        case "max:": return try extreme(values, order: .orderedDescending)
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
        if values.contains(where: { $0.number == nil }) {
            return .double(try leadingNumbers(values).reduce(0, +))
        }
        return try values.reduce(.integer(0)) { try Arithmetic.binary("add:to:", left: $0, right: $1) }
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
            return try Arithmetic.binary(
                "divide:by:", left: sum(values), right: .integer(Int64(values.count)))
        }
        return .double(try leadingNumbers(values).reduce(0, +) / Double(values.count))
    }

    /// The first value in the given order.
    static func extreme(_ values: [Value], order: ComparisonResult) throws -> Value {
        try values.dropFirst().reduce(values.first ?? .null) { best, value in
            if case .data(let bytes) = value, case .data(let others) = best {
                let isFirst = bytes.lexicographicallyPrecedes(others)
                return isFirst == (order == .orderedAscending) && bytes != others ? value : best
            }
            return try value.order(best) == order ? value : best
        }
    }

    /// Numbers as they are, and of texts, bytes and dates what SQLite computes sums and averages with: the number that a text
    /// begins with, else 0, and a date's seconds.
    private static func leadingNumbers(_ values: [Value]) throws -> [Double] {
        try values.map { value in
            switch value {
            case .string(let text): leadingNumber(Array(text.utf8))
            case .data(let bytes): leadingNumber(Array(bytes))
            case .date(let date): date.timeIntervalSinceReferenceDate
            default: try doubles([value])[0]
            }
        }
    }

    /// `12.5e3 m` is 12500.
    private static func leadingNumber(_ bytes: [UInt8]) -> Double {
        var rest = bytes.drop { [0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D].contains($0) }[...]
        let start = rest.startIndex
        func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }
        func takeDigits() { rest = rest.drop { isDigit($0) } }
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            rest = rest.dropFirst()
        }
        takeDigits()
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            takeDigits()
        }
        let whole = rest.startIndex
        if let mark = rest.first, mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") {
            var exponent = rest.dropFirst()
            if let sign = exponent.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
                exponent = exponent.dropFirst()
            }
            if isDigit(exponent.first) {
                rest = exponent
                takeDigits()
            }
        }
        let end = max(rest.startIndex, whole)
        return Double(String(decoding: bytes[start..<end], as: UTF8.self)) ?? 0
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
