// A cell as a value of an attribute's type.

import CoreData

/// The bytes that a store holds for a transformable attribute.
struct ArchivedBytes {
    let data: Data
}

enum ImportedValue {
    /// The value; nil for a cell that says nothing. Throws if the cell isn't of the attribute's type.
    static func value(_ cell: ImportRecord.Cell, for attribute: NSAttributeDescription) throws -> Any? {
        switch (cell, attribute) {
        case (.json(is NSNull), _): nil
        case (.text(let text, isQuoted: false), _) where text.isEmpty: nil
        case (.text(let text, _), _) where attribute.attributeType == .stringAttributeType: text
        case (.text(let text, _), _)
        where attribute.attributeType == .binaryDataAttributeType && text.isEmpty: Data()
        case (.text(let text, _), let composite as NSCompositeAttributeDescription):
            try elements(TypedText.json(text), of: composite)
        case (.text(let text, _), _) where attribute.attributeType == .transformableAttributeType:
            try transformable(TypedText.json(text), text: text, attribute: attribute)
        case (.text(let text, _), _): try TypedText.value(text, for: attribute)
        case (.json(let value), let composite as NSCompositeAttributeDescription):
            try elements(value, of: composite)
        case (.json(let value), _): try json(value, attribute: attribute)
        }
    }

    /// The value to be found by; nil for none.
    static func hashable(_ value: Any?) -> AnyHashable? { value is NSNull ? nil : value as? AnyHashable }

    private static func json(_ value: Any, attribute: NSAttributeDescription) throws -> Any? {
        switch (attribute.attributeType, value) {
        case (.transformableAttributeType, _): return try transformable(value, text: "", attribute: attribute)
        case (.stringAttributeType, let text as String): return text
        case (.binaryDataAttributeType, let text as String) where text.isEmpty: return Data()
        case (.stringAttributeType, _): throw mismatch(value, attribute: attribute)
        case (_, let text as String):
            guard let value = try TypedText.value(text, for: attribute) else {
                throw mismatch(text, attribute: attribute)
            }
            return value
        case (_, let number as NSNumber):
            // A number goes the way of its digits, so that bounds and fractions are looked at in one place.
            if isFlag(number) != (attribute.attributeType == .booleanAttributeType), isFlag(number) {
                throw mismatch(value, attribute: attribute)
            }
            return try TypedText.value(digits(number), for: attribute)
        default: throw mismatch(value, attribute: attribute)
        }
    }

    private static func transformable(
        _ value: Any?, text: String, attribute: NSAttributeDescription
    ) throws -> Any {
        guard let value else { throw TypedText.failure(text, attribute: attribute) }
        if let fields = value as? [String: Any], fields.count == 1, let bytes = fields[StoredValue.archiveKey]
        {
            guard let text = bytes as? String, let data = Data(base64Encoded: text) else {
                throw ToolFailure("\(StoredValue.archiveKey) of \"\(attribute.name)\" isn't base64.")
            }
            return ArchivedBytes(data: data)
        }
        try TypedText.requireKnownTransformer(
            attribute, remedy: " What is exported with --archives can be imported.")
        return try TypedText.archivable(value, attribute: attribute)
    }

    /// A composite value of a JSON object.
    private static func elements(_ value: Any?, of composite: NSCompositeAttributeDescription) throws -> Any?
    {
        guard let fields = value as? [String: Any] else {
            throw ToolFailure(
                "\"\(composite.name)\" is composite: a JSON object with its elements is needed.")
        }
        var elements: [String: Any] = [:]
        for (name, field) in fields {
            elements[name] = try Self.value(.json(field), for: composite.element([name]))
        }
        return elements.isEmpty ? nil : elements
    }

    /// JSON knows no whole numbers: 1.0 is 1.
    private static func digits(_ number: NSNumber) -> String {
        let value = number.doubleValue
        guard ["d", "f"].contains(String(cString: number.objCType)), value == value.rounded(),
            abs(value) <= 9_007_199_254_740_992
        else { return number.stringValue }
        return "\(Int64(value))"
    }

    private static func isFlag(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

    private static func mismatch(_ value: Any, attribute: NSAttributeDescription) -> ToolFailure {
        let text = (value as? NSNumber).flatMap { isFlag($0) ? "\($0.boolValue)" : nil } ?? "\(value)"
        return TypedText.failure(text, attribute: attribute)
    }
}
