// Structures that encode themselves field by field, as composite attributes.

import Foundation
@_spi(Reflection) import Swift
import Synchronization

/// The elements of which a structure's values consist in a store: one for each of its fields, under its coding key.
///
/// Unchecked because key paths never change.
final class CompositeForm: @unchecked Sendable {
    /// One field.
    struct Element {
        let name: String
        let isOptional: Bool
        let form: ElementForm
    }

    let elements: [Element]
    private let numbers: [String: Int]
    /// The key paths of the fields, and of those within structures, with the names of their elements joined with dots.
    let fields: [(keyPath: AnyKeyPath, name: String)]
    private let type: any Codable.Type

    private init(_ type: any Codable.Type, _ elements: [Element], _ keyPaths: [AnyKeyPath]) {
        self.type = type
        self.elements = elements
        fields = zip(keyPaths, elements).flatMap { keyPath, element in
            let inner = element.isOptional ? [] : element.form.composite?.fields ?? []
            return [(keyPath, element.name)]
                + inner.compactMap { field in
                    keyPath.appending(path: field.keyPath).map { ($0, element.name + "." + field.name) }
                }
        }
        numbers = Dictionary(
            elements.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Indicates whether there is a value without any element.
    var mayBeEmpty: Bool { elements.allSatisfy { $0.isOptional || $0.form.composite?.mayBeEmpty == true } }

    /// Returns true if a dictionary as a managed object holds it lacks an element that a value must have.
    func isIncomplete(_ stored: [String: Any]) -> Bool {
        elements.contains { element in
            guard let value = stored[element.name], !(value is NSNull) else {
                return !element.isOptional && element.form.composite?.mayBeEmpty != true
            }
            guard let inner = element.form.composite, let value = value as? [String: Any] else {
                return false
            }
            return inner.isIncomplete(value)
        }
    }

    subscript(name: String) -> Element? { numbers[name].map { elements[$0] } }

    // MARK: Finding

    private static let known = Mutex<[ObjectIdentifier: CompositeForm?]>([:])

    /// The elements of a type's values; nil for values that are stored as one: those that aren't structures, and those that encode
    /// themselves otherwise than field by field.
    static func of(_ type: any Any.Type) -> CompositeForm? {
        let type = unwrapped(type)
        guard ValueKind(type) == .codable, let codable = type as? any Codable.Type else { return nil }
        if let known = known.withLock({ $0[ObjectIdentifier(type)] }) { return known }
        let found = examine(codable)
        known.withLock { $0[ObjectIdentifier(type)] = .some(found) }
        return found
    }

    /// The elements of a property's values, unless it has an option that means one value.
    static func of(_ property: Schema.PropertyMetadata) -> CompositeForm? {
        let options = (property.metadata as? Schema.Attribute)?.options ?? []
        return options.allSatisfy(\.isOfComposites) ? of(Swift.type(of: property.keypath).valueType) : nil
    }

    private static func examine<Value: Codable>(_ type: Value.Type) -> CompositeForm? {
        guard MetadataKind.of(type) == .struct else { return nil }
        let probe = ElementProbe()
        guard (try? Value(from: ElementDecoder(source: probe))) != nil else { return nil }
        var types: [any Any.Type] = []
        _ = _forEachField(of: type) { _, _, field, _ in
            types.append(field)
            return true
        }
        var keyPaths: [AnyKeyPath] = []
        _ = _forEachFieldWithKeyPath(of: type) { _, keyPath in
            keyPaths.append(keyPath)
            return true
        }
        let found = probe.found
        guard !found.isEmpty, types.count == found.count, keyPaths.count == found.count,
            zip(types, found).allSatisfy({ unwrapped($0) == unwrapped($1.type) }),
            found.allSatisfy({ isName($0.name) }), Set(found.map(\.name)).count == found.count
        else { return nil }
        let elements = zip(types, found).map { field, found in
            Element(
                name: found.name, isOptional: field is any OptionalType.Type, form: ElementForm(found.type))
        }
        return CompositeForm(type, elements, keyPaths)
    }

    /// Names of attributes are those of properties.
    private static func isName(_ text: String) -> Bool {
        text.first?.isLetter == true && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    // MARK: Values

    /// The value of a dictionary as a managed object holds it; nil, with a warning, where it isn't one.
    func value(_ stored: [String: Any]) -> (any Codable)? {
        func decode<Value: Codable>(_ type: Value.Type) -> (any Codable)? {
            do {
                return try Value(from: ElementDecoder(source: ElementReader(form: self, stored: stored)))
            } catch {
                ValueLog.warn("stored elements are no \(type): \(error)")
                return nil
            }
        }
        let type = self.type
        return decode(type)
    }

    /// The dictionary that a managed object holds for a value; nil, with a warning, where it can't be encoded.
    func stored(_ value: any Encodable) -> [String: Any]? {
        do {
            let encoder = KeyedValueEncoder()
            try value.encode(to: encoder)
            var stored: [String: Any] = [:]
            for (name, value) in encoder.values {
                guard let element = self[name] else {
                    throw EncodingError.invalidValue(
                        value, .init(codingPath: [], debugDescription: "\(type) has no field \(name)"))
                }
                stored[name] = element.form.stored(value)
            }
            return stored
        } catch {
            ValueLog.warn("a \(type) can't be encoded and isn't kept: \(error)")
            return nil
        }
    }

    /// A value whose fields are zero, empty or nil.
    static func sample<Value: Decodable>(_ type: Value.Type) -> Value? {
        of(type) == nil ? nil : try? Value(from: ElementDecoder(source: ElementProbe()))
    }

    // MARK: Schema

    /// The elements as attributes, whose defaults are the fields of a value.
    func attributes(_ defaults: (any Encodable)?) -> [Schema.Attribute] {
        let encoder = KeyedValueEncoder()
        try? defaults?.encode(to: encoder)
        return elements.map { element in
            let value = encoder.values[element.name]
            guard let inner = element.form.composite else {
                return Schema.Attribute(
                    name: element.name, valueType: element.valueType, defaultValue: value)
            }
            let attribute = Schema.CompositeAttribute(name: element.name, valueType: element.valueType)
            attribute.properties = inner.attributes(value)
            return attribute
        }
    }

    /// The name of the element that a key path of a structure reads.
    static func name(of keyPath: AnyKeyPath) -> String? {
        of(Swift.type(of: keyPath).rootType)?.fields.first { $0.keyPath == keyPath }?.name
    }
}

extension CompositeForm.Element {
    fileprivate var valueType: any Any.Type {
        func optional<Wrapped>(_ type: Wrapped.Type) -> any Any.Type { Wrapped?.self }
        return isOptional ? _openExistential(form.type, do: optional) : form.type
    }
}

/// The form of one element's values.
struct ElementForm {
    /// The type without its optionality.
    let type: any Any.Type
    private let kind: ValueKind
    let composite: CompositeForm?

    init(_ type: any Any.Type) {
        self.type = unwrapped(type)
        kind = ValueKind(type)
        composite = CompositeForm.of(type)
    }

    /// The value that a managed object's dictionary holds, as one of the type.
    func value(_ stored: Any) -> Any? {
        if let composite { return (stored as? [String: Any]).flatMap(composite.value) }
        if kind == .codable {
            func decode<Value: Decodable>(_ type: Value.Type) -> Any? {
                (stored as? Data).flatMap { ValueCoding.decode(type, from: $0) }
            }
            return (type as? any Decodable.Type).flatMap { decode($0) }
        }
        func open<Raw: RawRepresentable>(_ type: Raw.Type) -> Any? {
            (number(stored, Raw.RawValue.self) as? Raw.RawValue).flatMap { Raw(rawValue: $0) }
        }
        if let raw = type as? any RawRepresentable.Type { return open(raw) }
        return number(stored, type)
    }

    private func number(_ stored: Any, _ type: any Any.Type) -> Any? {
        guard let integer = type as? any FixedWidthInteger.Type else { return kind.codable(stored) }
        func make<Number: FixedWidthInteger>(_ type: Number.Type) -> Any? {
            (stored as? NSNumber).map { Number(truncatingIfNeeded: $0.int64Value) }
                ?? (stored as? any FixedWidthInteger).map { Number(truncatingIfNeeded: $0) }
        }
        return make(integer)
    }

    /// The value that a managed object's dictionary holds for one of the type; nil for nil.
    func stored(_ value: any Encodable) -> Any? {
        guard let value = unwrappedValue(value) else { return nil }
        if let composite { return (value as? any Encodable).flatMap { composite.stored($0) } }
        if kind == .codable {
            return (value as? any Encodable).flatMap { ValueCoding.encode($0) }
        }
        let raw = (value as? any RawRepresentable)?.rawValue ?? value
        if raw is Bool { return raw }
        return (raw as? any FixedWidthInteger).map { NSNumber(value: Int64(truncatingIfNeeded: $0)) } ?? raw
    }
}

extension Schema.Attribute.Option {
    /// Indicates whether an attribute with it may consist of others.
    fileprivate var isOfComposites: Bool {
        switch kind {
        case .preserveValueOnDeletion, .spotlight, .allowsCloudEncryption: true
        case .unique, .externalStorage, .ephemeral, .codable, .transformable: false
        }
    }
}

/// The kinds of types.
enum MetadataKind {
    private struct Holder<Value> {
        let value: Value
    }

    /// The kind of a type, as the reflection of a structure with a field of it has it: an enumeration can't be asked for fields.
    static func of<Value>(_ type: Value.Type) -> _MetadataKind {
        var found = _MetadataKind.unknown
        _ = _forEachField(of: Holder<Value>.self) { _, _, _, kind in
            found = kind
            return false
        }
        return found
    }
}
