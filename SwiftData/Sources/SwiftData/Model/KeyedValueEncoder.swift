// The values of anything that encodes itself with keys, as they are.

/// An encoder that keeps the values of its keys as they are.
final class KeyedValueEncoder: Encoder {
    fileprivate(set) var values: [String: any Encodable] = [:]
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedValueContainer<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { NoContainer() }

    func singleValueContainer() -> any SingleValueEncodingContainer { NoContainer() }
}

private struct KeyedValueContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: KeyedValueEncoder
    let codingPath: [any CodingKey] = []

    mutating func encodeNil(forKey key: Key) { encoder.values[key.stringValue] = nil }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) {
        encoder.values[key.stringValue] = value
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

/// Refuses everything: the values stand under keys of their own.
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
                debugDescription: "the values must be encoded one by one, each with a key of its own"))
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
