// The order that sort keys give to objects in memory; the same as SQL's.

package import CoreDataSupport
package import Foundation

/// Orders objects by sort keys. Nil comes before everything else, upwards.
package struct SortEvaluator {
    private let keys: [SortKey]

    package init(_ keys: [SortKey]) {
        self.keys = keys
    }

    package init(_ key: SortKey) {
        self.keys = [key]
    }

    /// The order of two objects.
    package func compare(_ left: Value, with right: Value) throws -> ComparisonResult {
        for key in keys {
            let order = try Self.compare(
                KeyPathReading.read(key.keyPath, from: left),
                right: KeyPathReading.read(key.keyPath, from: right),
                key: key)
            if order != .orderedSame { return order }
        }
        return .orderedSame
    }

    /// Returns whether the first object comes strictly before the second.
    package func areInIncreasingOrder(_ left: Value, and right: Value) throws -> Bool {
        try compare(left, with: right) == .orderedAscending
    }

    /// The objects in order; equal ones keep their places. Reads every key of every object once.
    package func sorted(_ objects: [Value]) throws -> [Value] {
        let rows = try objects.enumerated().map { offset, object in
            (
                offset: offset, object: object,
                values: try keys.map { try KeyPathReading.read($0.keyPath, from: object) }
            )
        }
        return try rows.sorted { left, right in
            for (index, key) in keys.enumerated() {
                let order = try Self.compare(left.values[index], right: right.values[index], key: key)
                if order != .orderedSame { return order == .orderedAscending }
            }
            return left.offset < right.offset
        }.map(\.object)
    }

    private static func compare(_ left: Value, right: Value, key: SortKey) throws -> ComparisonResult {
        let order = try upwards(left, right: right, comparison: key.comparison)
        return key.ascending ? order : order.reversed
    }

    private static func upwards(_ left: Value, right: Value, comparison: SortComparison) throws
        -> ComparisonResult
    {
        switch (left, right) {
        case (.null, .null): .orderedSame
        case (.null, _): .orderedAscending
        case (_, .null): .orderedDescending
        case (.integer(let left), .integer(let right)) where comparison == .unsignedCompare:
            unsigned(UInt64(bitPattern: left), and: UInt64(bitPattern: right))
        case (.string(let left), .string(let right)): comparison.compare(left, with: right)
        case (.uuid(let left), .uuid(let right)):
            StringComparison.bytes(left.uuidString, and: right.uuidString)
        case (.url(let left), .url(let right)):
            StringComparison.bytes(left.absoluteString, and: right.absoluteString)
        case (.data(let left), .data(let right)): bytes(left, and: right)
        default: try left.order(right) ?? .orderedSame
        }
    }

    private static func unsigned(_ left: UInt64, and right: UInt64) -> ComparisonResult {
        left == right ? .orderedSame : left < right ? .orderedAscending : .orderedDescending
    }

    private static func bytes(_ left: Data, and right: Data) -> ComparisonResult {
        if left == right { return .orderedSame }
        return left.lexicographicallyPrecedes(right) ? .orderedAscending : .orderedDescending
    }
}
