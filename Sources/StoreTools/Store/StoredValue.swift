// An attribute's value as it is printed, by the attribute's type.

public import CoreData
import CoreDataSupport

/// Reads attributes for printing.
public enum StoredValue {
    /// The key of an archive's bytes where these are shown.
    static let archiveKey = "$archive"

    /// The bytes of a transformable attribute, in a form that an import knows from a value.
    static func archive(_ key: String, of object: NSManagedObject) -> PrintedValue {
        object.storedData(forKey: key).map { .record([.init(archiveKey, value: .bytes($0))]) } ?? .null
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

    /// Returns a number, date or text to be printed; nil for any other value.
    static func printed(_ value: Value, type: NSAttributeType) -> PrintedValue? {
        switch value {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .double(let number): type == .floatAttributeType ? .decimal("\(Float(number))") : .double(number)
        case .string(let text): .text(text)
        case .date(let date): .date(date)
        default: nil
        }
    }
}

extension NSAttributeType {
    /// The name that models use.
    public var name: String { sourceName }
}
