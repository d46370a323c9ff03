// An attribute's value as it is printed, by the attribute's type.

public import CoreData

/// Reads attributes for printing.
public enum StoredValue {
    /// The value of an attribute, or of an element of a composite one. A binary attribute's bytes are shown as what they
    /// encode, unless they are to be kept for an import.
    static func printed(
        _ attribute: NSAttributeDescription, elements: [String], of object: NSManagedObject,
        keepsBytes: Bool
    ) -> PrintedValue {
        if attribute.attributeType == .transformableAttributeType {
            return object.storedData(forKey: attribute.name).map { PrintedValue(stored: $0) } ?? .null
        }
        let value = object.value(forKey: attribute.name)
        if !keepsBytes, attribute.attributeType == .binaryDataAttributeType, let data = value as? Data {
            return PrintedValue(binary: data) ?? .bytes(data)
        }
        guard let composite = attribute as? NSCompositeAttributeDescription else {
            return printed(value, type: attribute.attributeType)
        }
        return element(elements[...], of: composite, values: value as? [String: Any])
    }

    /// The key of an archive's bytes where these are shown.
    static let archiveKey = "$archive"

    /// The bytes of a transformable attribute, in a form that an import knows from a value.
    static func archive(_ key: String, of object: NSManagedObject) -> PrintedValue {
        object.storedData(forKey: key).map { .record([.init(archiveKey, value: .bytes($0))]) } ?? .null
    }

    private static func element(
        _ path: ArraySlice<String>, of composite: NSCompositeAttributeDescription, values: [String: Any]?
    ) -> PrintedValue {
        guard let name = path.first else {
            guard let values else { return .null }
            return .record(
                composite.elements.map {
                    .init($0.name, value: element([$0.name], of: composite, values: values))
                })
        }
        guard let attribute = composite.elements.first(where: { $0.name == name }) else { return .null }
        if let inner = attribute as? NSCompositeAttributeDescription {
            return element(path.dropFirst(), of: inner, values: values?[name] as? [String: Any])
        }
        return printed(values?[name], type: attribute.attributeType)
    }

    /// Returns a value of a type that is no transformable or composite one, to be printed.
    ///
    /// - Parameters:
    ///   - value: the value, or nil.
    ///   - type: its attribute's type.
    public static func printed(_ value: Any?, type: NSAttributeType) -> PrintedValue {
        switch (type, value) {
        case (_, nil): .null
        case (.stringAttributeType, let text as String): .text(text)
        case (.booleanAttributeType, let number as NSNumber): .bool(number.boolValue)
        case (.integer16AttributeType, let number as NSNumber),
            (.integer32AttributeType, let number as NSNumber),
            (.integer64AttributeType, let number as NSNumber):
            .integer(number.int64Value)
        case (.doubleAttributeType, let number as NSNumber): .double(number.doubleValue)
        case (.floatAttributeType, let number as NSNumber): .decimal("\(number.floatValue)")
        default: PrintedValue(any: value)
        }
    }
}

extension NSAttributeType {
    /// The name that models use.
    public var name: String { sourceName }
}
