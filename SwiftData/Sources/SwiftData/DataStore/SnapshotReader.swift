// The values of any snapshot, read from its encoding without writing anything.

import Foundation

/// The values that a snapshot encodes, by the names of its properties.
struct SnapshotValues {
    let identifier: PersistentIdentifier
    /// Values of Swift's types: identifiers for relationships.
    private(set) var values: [String: any Encodable] = [:]

    /// Reads a snapshot.
    ///
    /// - Throws: what the snapshot's encoding throws; an `EncodingError` where it isn't keyed.
    init(_ snapshot: some DataStoreSnapshot) throws {
        identifier = snapshot.persistentIdentifier
        let reader = KeyedValueEncoder()
        try snapshot.encode(to: reader)
        for (key, value) in reader.values
        where key != DataStoreSnapshotCodingKey.persistentIdentifier.stringValue {
            values[key] = value
        }
    }

    subscript(name: String) -> (any Encodable)? { values[name] }

    /// Returns whether two snapshots have the same values. Those that can't be compared are, as they are encoded.
    func isSame(as other: SnapshotValues) -> Bool {
        values.count == other.values.count
            && values.allSatisfy { name, value in other.values[name].map { Self.areEqual(value, $0) } ?? false
            }
    }

    private static func areEqual(_ one: any Encodable, _ other: any Encodable) -> Bool {
        if let one = one as? any Hashable, let other = other as? any Hashable {
            return AnyHashable(one) == AnyHashable(other)
        }
        guard let one = ValueCoding.encode(one), let other = ValueCoding.encode(other) else { return false }
        return one == other
    }
}
