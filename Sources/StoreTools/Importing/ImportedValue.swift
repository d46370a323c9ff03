// A cell as a value of an attribute's type.

import CoreData

enum ImportedValue {
    /// The value; nil for a cell that says nothing. Throws if the cell isn't of the attribute's type.
    static func value(_ cell: ImportRecord.Cell, for attribute: NSAttributeDescription) throws -> Any? {
        switch cell {
        case .text(let text): try TypedText.value(text, for: attribute)
        case .json(let value): try json(value, attribute)
        }
    }

    private static func json(_ value: Any, _ attribute: NSAttributeDescription) throws -> Any? {
        switch (attribute.attributeType, value) {
        case (_, is NSNull): return nil
        case (.transformableAttributeType, _): return value
        case (.stringAttributeType, let text as String): return text
        case (.stringAttributeType, _): throw mismatch(value, attribute)
        case (_, let text as String):
            guard let value = try TypedText.value(text, for: attribute) else {
                throw mismatch(text, attribute)
            }
            return value
        case (_, let number as NSNumber):
            // A number goes the way of its digits, so that bounds and fractions are looked at in one place.
            let isFlag = String(cString: number.objCType) == "c"
            if isFlag != (attribute.attributeType == .booleanAttributeType), isFlag {
                throw mismatch(value, attribute)
            }
            return try TypedText.value(number.stringValue, for: attribute)
        default: throw mismatch(value, attribute)
        }
    }

    private static func mismatch(_ value: Any, _ attribute: NSAttributeDescription) -> ToolFailure {
        ToolFailure("\(value) is no value for \"\(attribute.name)\".")
    }
}
