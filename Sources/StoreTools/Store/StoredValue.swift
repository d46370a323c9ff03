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
        guard let value else { return .null }
        switch type {
        case .stringAttributeType:
            if let text = value as? String { return .text(text) }
        case .booleanAttributeType, .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
            .doubleAttributeType, .floatAttributeType:
            if let number = value as? NSNumber { return printed(number, type: type) }
        default: break
        }
        return PrintedValue(any: value)
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

    private static func printed(_ number: NSNumber, type: NSAttributeType) -> PrintedValue {
        switch type {
        case .booleanAttributeType: .bool(number.boolValue)
        case .doubleAttributeType: .double(number.doubleValue)
        case .floatAttributeType: .decimal("\(number.floatValue)")
        default: .integer(number.int64Value)
        }
    }
}

extension NSAttributeType {
    /// The name that models use.
    public var name: String { sourceName }
}
