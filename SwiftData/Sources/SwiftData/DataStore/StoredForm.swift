// Between the values that managed objects hold and those that snapshots hold.

import CoreData
import Foundation

/// One property as snapshots see it.
struct StoredForm {
    let name: String
    /// The type without its optionality.
    private let type: any Any.Type
    private let kind: ValueKind
    private let transformer: String?
    private let composite: CompositeForm?
    let isRelationship: Bool
    let isToMany: Bool

    /// Nil for a property that no store keeps.
    init?(_ property: Schema.PropertyMetadata) {
        let attribute = property.metadata as? Schema.Attribute
        if attribute?.isTransient == true { return nil }
        name = property.name
        type = unwrapped(Swift.type(of: property.keypath).valueType)
        kind = attribute?.options.contains(.codable) == true ? .codable : ValueKind(type)
        isRelationship = SchemaBuilder.destination(of: type) != nil
        isToMany = type is any RelationshipCollection.Type
        transformer = attribute?.transformerName
        composite = CompositeForm.of(property)
    }

    // MARK: Out of objects

    /// The value that a snapshot holds of an object; nil for none.
    func value(of object: _ModelObject) -> (any Codable)? {
        let stored = object.value(forKey: name)
        if isToMany { return identifiers(stored) }
        if isRelationship {
            guard let other = stored as? _ModelObject else { return nil }
            return PersistentIdentifier(other)
        }
        guard let stored, !(stored is NSNull) else { return nil }
        return codable(stored)
    }

    /// The value of an attribute that a snapshot holds, for the one that a row holds.
    func codable(_ stored: Any) -> (any Codable)? {
        if let transformer { return Self.transformer(transformer)?.transformedValue(stored) as? Data }
        if let composite { return (stored as? [String: Any]).flatMap(composite.value) }
        guard kind == .codable else { return kind.codable(stored) }
        guard let data = stored as? Data, let type = type as? any Codable.Type else { return nil }
        func decode<Value: Codable>(_ type: Value.Type) -> (any Codable)? {
            ValueCoding.decode(type, from: data)
        }
        return decode(type)
    }

    /// The value of an attribute as the property has it, for the one that a row holds; nil for none.
    func modelValue(_ stored: Any) -> Any? {
        transformer == nil && kind != .codable ? ElementForm(type).value(stored) : codable(stored)
    }

    private func identifiers(_ stored: Any?) -> [PersistentIdentifier] {
        let members =
            (stored as? Set<NSManagedObject>)
            ?? Set((stored as? NSSet)?.compactMap { $0 as? NSManagedObject } ?? [])
        return members.compactMap { $0 as? _ModelObject }.map { PersistentIdentifier($0) }.sorted()
    }

    // MARK: Into rows

    /// The value of an attribute as a row holds it; nil for none, and for a value of another type.
    func stored(_ value: any Encodable) -> Any? {
        guard let value = unwrappedValue(value) else { return nil }
        if let transformer {
            return (value as? Data).flatMap { Self.transformer(transformer)?.reverseTransformedValue($0) }
        }
        if let composite { return (value as? any Encodable).flatMap { composite.stored($0) } }
        if kind == .codable {
            return (value as? any Encodable).flatMap { ValueCoding.encode($0) }.map { $0 as NSData }
        }
        if let raw = value as? any RawRepresentable { return raw.rawValue }
        return value
    }

    private static func transformer(_ name: String) -> ValueTransformer? {
        ValueTransformer(forName: NSValueTransformerName(name))
    }

    // MARK: Decoding

    /// Reads the value of a snapshot.
    func decode(
        _ container: KeyedDecodingContainer<DataStoreSnapshotCodingKey>
    ) throws -> (any Codable)? {
        let key = DataStoreSnapshotCodingKey.modeledProperty(name)
        if isToMany { return try container.decodeIfPresent([PersistentIdentifier].self, forKey: key) }
        if isRelationship { return try container.decodeIfPresent(PersistentIdentifier.self, forKey: key) }
        if transformer != nil { return try container.decodeIfPresent(Data.self, forKey: key) }
        let wanted = kind == .codable ? type : kind.type(isOptional: false)
        guard let type = wanted as? any Codable.Type else { return nil }
        func decode<Value: Codable>(_ type: Value.Type) throws -> (any Codable)? {
            try container.decodeIfPresent(type, forKey: key)
        }
        return try decode(type)
    }
}

extension ValueKind {
    /// A stored value as one of Swift's types that encodes itself.
    func codable(_ stored: Any) -> (any Codable)? {
        switch self {
        case .integer16: (stored as? NSNumber)?.int16Value ?? (stored as? Int16)
        case .integer32: (stored as? NSNumber)?.int32Value ?? (stored as? Int32)
        case .integer64: (stored as? NSNumber)?.intValue ?? (stored as? Int)
        case .boolean: (stored as? NSNumber)?.boolValue ?? (stored as? Bool)
        case .double: (stored as? NSNumber)?.doubleValue ?? (stored as? Double)
        case .float: (stored as? NSNumber)?.floatValue ?? (stored as? Float)
        case .decimal: (stored as? NSDecimalNumber)?.decimalValue ?? (stored as? Decimal)
        default: stored as? any Codable
        }
    }
}
