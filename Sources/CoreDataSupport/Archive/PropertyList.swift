// A property list as a value, with the UIDs that keyed archives need and Foundation's reader hides.

package import Foundation

/// A property list node.
package indirect enum PropertyList: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case date(Date)
    case data(Data)
    case string(String)
    case uid(UInt32)
    case array([PropertyList])
    case set([PropertyList])
    case dictionary([Entry])

    /// A pair of a dictionary; the file's order is kept.
    package struct Entry: Sendable, Hashable {
        package let key: String
        package let value: PropertyList

        package init(_ key: String, value: PropertyList) {
            self.key = key
            self.value = value
        }
    }
}

extension PropertyList {
    /// The value under a key of a dictionary; `nil` for any other node.
    package subscript(key: String) -> PropertyList? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries.first { $0.key == key }?.value
    }

    package var string: String? {
        if case .string(let text) = self { return text }
        return nil
    }

    /// The same with the entries of all dictionaries in the order of their keys.
    package var sortedByKey: PropertyList {
        switch self {
        case .dictionary(let entries):
            .dictionary(
                entries.sorted { $0.key < $1.key }.map { Entry($0.key, value: $0.value.sortedByKey) })
        case .array(let elements): .array(elements.map(\.sortedByKey))
        case .set(let elements): .set(elements.map(\.sortedByKey))
        default: self
        }
    }

    /// The elements of an array or a set.
    package var elements: [PropertyList]? {
        switch self {
        case .array(let elements), .set(let elements): elements
        default: nil
        }
    }
}

/// A fault of a property list, an archive or compressed bytes.
package struct ArchiveFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }

    package var description: String { reason }
}
