// Decoding structures from elements that stand under the keys of their fields.

import Foundation
@_spi(Reflection) import Swift

/// What a structure is decoded from.
protocol ElementSource {
    /// The value of a key.
    ///
    /// - Throws: a `DecodingError` if there is none.
    func value<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value
    /// The value of a key, or nil.
    func valueIfPresent<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value?
    func isNil(_ name: String) -> Bool
}

/// Notes which keys a structure decodes, of which types.
final class ElementProbe: ElementSource {
    private(set) var found: [(name: String, type: any Any.Type)] = []

    func value<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
        found.append((name, type))
        if let value = Self.sample(type) { return value }
        throw DecodingError.valueNotFound(
            type, .init(codingPath: [], debugDescription: "\(name) has no sample"))
    }

    func valueIfPresent<Value: Decodable>(_ type: Value.Type, _ name: String) -> Value? {
        found.append((name, type))
        return nil
    }

    func isNil(_ name: String) -> Bool { false }

    /// A value of a type: zero, empty or the first case.
    private static func sample<Value: Decodable>(_ type: Value.Type) -> Value? {
        if let value = emptyValue(of: type) { return value }
        let texts = [
            "null", "0", "\"\"", "false", "\"00000000-0000-0000-0000-000000000000\"", "\"file:///dev/null\"",
        ]
        for text in texts {
            if let value = try? JSONDecoder().decode([Value].self, from: Data("[\(text)]".utf8)).first {
                return value
            }
        }
        // The first case of an enumeration whose cases carry nothing: its tag is zero.
        guard MetadataKind.of(type) == .enum, _isPOD(type), type is any RawRepresentable.Type else {
            return nil
        }
        return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { place in
            let bytes = UnsafeMutableRawBufferPointer(place)
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            return place.first
        }
    }
}

/// The elements of a dictionary that a managed object holds.
struct ElementReader: ElementSource {
    let form: CompositeForm
    let stored: [String: Any]

    func value<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
        if let value = valueIfPresent(type, name) { return value }
        // SQLite keeps what is no number as nothing.
        let isNullable = type is any OptionalType.Type || type is any BinaryFloatingPoint.Type
        if isNullable, let nothing = emptyValue(of: type) { return nothing }
        if let inner = form[name]?.form.composite, inner.mayBeEmpty, let value = inner.value([:]) as? Value {
            return value
        }
        throw DecodingError.valueNotFound(
            type, .init(codingPath: [], debugDescription: "\(name) has no value"))
    }

    func valueIfPresent<Value: Decodable>(_ type: Value.Type, _ name: String) -> Value? {
        guard let element = form[name], let value = stored[name], !(value is NSNull) else { return nil }
        return element.form.value(value) as? Value
    }

    func isNil(_ name: String) -> Bool { stored[name].map { $0 is NSNull } ?? true }
}

/// Decodes from a source with keys; has no other containers.
struct ElementDecoder<Source: ElementSource>: Decoder {
    let source: Source
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    static func refusal(_ type: any Any.Type) -> DecodingError {
        DecodingError.typeMismatch(
            type, .init(codingPath: [], debugDescription: "elements stand under keys of their own"))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ElementContainer(source: source))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.refusal([Any].self) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Self.refusal(Any.self) }
}

private struct ElementContainer<Key: CodingKey, Source: ElementSource>: KeyedDecodingContainerProtocol {
    let source: Source
    let codingPath: [any CodingKey] = []
    /// Whoever asks which keys there are isn't a structure of fields.
    let allKeys: [Key] = []

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool { source.isNil(key.stringValue) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try source.value(type, key.stringValue)
    }

    // Not called for numbers and strings, whose own forms of it ask for nil and then decode.
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try source.valueIfPresent(type, key.stringValue)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        throw ElementDecoder<Source>.refusal(type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw ElementDecoder<Source>.refusal([Any].self)
    }

    func superDecoder() throws -> any Decoder { throw ElementDecoder<Source>.refusal(Any.self) }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        throw ElementDecoder<Source>.refusal(Any.self)
    }
}
