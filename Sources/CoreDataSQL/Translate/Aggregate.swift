// The computations over many values that predicates and fetches of dictionaries know.

/// A computation over many values.
package enum Aggregate: String, Sendable {
    case count, sum, average, min, max, median, mode, stddev

    init?(operator name: String) {
        switch name {
        case "@count": self = .count
        case "@sum": self = .sum
        case "@avg": self = .average
        case "@min": self = .min
        case "@max": self = .max
        default: return nil
        }
    }

    func kind(over kind: ValueKind) -> ValueKind {
        switch self {
        case .count: .integer
        case .sum: kind == .boolean ? .integer : kind.isNumeric || kind == .any ? kind : .real
        case .min, .max: kind
        case .average, .median, .mode, .stddev: .real
        }
    }

    /// Sums and averages take what isn't a number as the number that it begins with, as the database does and Apple's
    /// framework with it; bytes have an order of their own.
    func accepts(_ kind: ValueKind) -> Bool {
        switch self {
        case .count: true
        case .min, .max: kind.isOrdered || kind == .blob
        case .sum, .average: kind.isNumeric || [.any, .text, .date, .blob].contains(kind)
        case .median, .mode, .stddev: kind.isNumeric || kind == .any
        }
    }
}
