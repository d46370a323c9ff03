// The forms in which stores keep values of Swift's types.

import CoreData
import Foundation

/// The form of a type's values in a store.
enum ValueKind: Hashable {
    case integer16, integer32, integer64, boolean, double, float, decimal, string, date, data, uuid, url
    /// The value as it encodes itself, in a property list.
    case codable

    /// The form of a type, optional or not. Cases of enumerations have the form of their raw values.
    init(_ type: any Any.Type) {
        let type = unwrapped(type)
        if let known = Self.known.first(where: { $0.type == type }) {
            self = known.kind
        } else if let raw = type as? any RawRepresentable.Type, let kind = Self.kind(ofRaw: raw) {
            self = kind
        } else {
            self = .codable
        }
    }

    /// The form of a name that `name` gave, `codable` for any other.
    init(name: String) {
        self = Self.known.first { "\($0.type)" == name }?.kind ?? .codable
    }

    private static func kind<Raw: RawRepresentable>(ofRaw type: Raw.Type) -> ValueKind? {
        let kind = ValueKind(Raw.RawValue.self)
        return kind == .codable ? nil : kind
    }

    private static let known: [(type: any Any.Type, kind: ValueKind)] = [
        (Int.self, .integer64), (Int64.self, .integer64), (Int32.self, .integer32), (Int16.self, .integer16),
        (Int8.self, .integer16), (UInt8.self, .integer16), (UInt16.self, .integer32),
        (UInt32.self, .integer64),
        (UInt.self, .integer64), (UInt64.self, .integer64), (Bool.self, .boolean), (Double.self, .double),
        (Float.self, .float), (Decimal.self, .decimal), (String.self, .string), (Date.self, .date),
        (Data.self, .data), (UUID.self, .uuid), (URL.self, .url),
    ]

    /// The name of a type in a schema's file.
    var name: String { "\(Self.known.first { $0.kind == self }?.type ?? Data.self)" }

    /// A type of this form.
    func type(isOptional: Bool) -> any Any.Type {
        let type = Self.known.first { $0.kind == self }?.type ?? EncodedValue.self
        func optional<Wrapped>(_ type: Wrapped.Type) -> any Any.Type { Wrapped?.self }
        return isOptional ? _openExistential(type, do: optional) : type
    }

    var attributeType: NSAttributeType {
        switch self {
        case .integer16: .integer16AttributeType
        case .integer32: .integer32AttributeType
        case .integer64: .integer64AttributeType
        case .boolean: .booleanAttributeType
        case .double: .doubleAttributeType
        case .float: .floatAttributeType
        case .decimal: .decimalAttributeType
        case .string: .stringAttributeType
        case .date: .dateAttributeType
        case .data, .codable: .binaryDataAttributeType
        case .uuid: .UUIDAttributeType
        case .url: .URIAttributeType
        }
    }
}

/// Stands for the types of values that encode themselves in schemas whose classes aren't known.
struct EncodedValue: Codable {}

/// Tells optional types.
protocol OptionalType {
    static var wrapped: any Any.Type { get }
    var content: Any? { get }
}

extension Optional: OptionalType {
    static var wrapped: any Any.Type { Wrapped.self }
    var content: Any? { self.flatMap { $0 } }
}

/// Returns the type within an optional one.
func unwrapped(_ type: any Any.Type) -> any Any.Type {
    (type as? any OptionalType.Type).map { unwrapped($0.wrapped) } ?? type
}

/// Returns the value without optionals around it.
func unwrappedValue(_ value: Any) -> Any? {
    guard let optional = value as? any OptionalType else { return value }
    return optional.content.flatMap(unwrappedValue)
}
