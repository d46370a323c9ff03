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
        let reader = SnapshotReader()
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

/// An encoder that keeps the values of its keys as they are.
private final class SnapshotReader: Encoder {
    var values: [String: any Encodable] = [:]
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedReader<Key>(reader: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { NoContainer() }

    func singleValueContainer() -> any SingleValueEncodingContainer { NoContainer() }
}

private struct KeyedReader<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let reader: SnapshotReader
    let codingPath: [any CodingKey] = []

    mutating func encodeNil(forKey key: Key) { reader.values[key.stringValue] = nil }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) {
        reader.values[key.stringValue] = value
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        KeyedEncodingContainer(NoKeyedContainer<Nested>())
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { NoContainer() }

    func superEncoder() -> any Encoder { NoEncoder() }

    func superEncoder(forKey key: Key) -> any Encoder { NoEncoder() }
}

/// Refuses everything: a snapshot's values stand under its own keys.
private struct NoKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let codingPath: [any CodingKey] = []

    func encodeNil(forKey key: Key) throws { throw NoContainer.refusal(nil) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { throw NoContainer.refusal(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        KeyedEncodingContainer(NoKeyedContainer<Nested>())
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { NoContainer() }

    func superEncoder() -> any Encoder { NoEncoder() }

    func superEncoder(forKey key: Key) -> any Encoder { NoEncoder() }
}

private struct NoContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    let codingPath: [any CodingKey] = []
    let count = 0

    static func refusal(_ value: Any?) -> EncodingError {
        EncodingError.invalidValue(
            value as Any,
            .init(
                codingPath: [],
                debugDescription: "a snapshot encodes its values with keys of DataStoreSnapshotCodingKey"))
    }

    func encodeNil() throws { throw Self.refusal(nil) }

    func encode<Value: Encodable>(_ value: Value) throws { throw Self.refusal(value) }

    func nestedContainer<Key: CodingKey>(keyedBy keyType: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(NoKeyedContainer<Key>())
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { NoContainer() }

    func superEncoder() -> any Encoder { NoEncoder() }
}

private struct NoEncoder: Encoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(NoKeyedContainer<Key>())
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { NoContainer() }

    func singleValueContainer() -> any SingleValueEncodingContainer { NoContainer() }
}
