// The form of schemas in files.

import Foundation

/// An attribute in a file.
struct AttributeForm: Codable {
    var name: String
    var originalName: String
    var options: [Schema.Attribute.Option]
    var valueType: String
    var isOptional: Bool
    var defaultValue: ConstantForm?
    var hashModifier: String?
    /// Those of a composite attribute; indirect by being an array.
    var elements: [AttributeForm]?

    /// The attribute, a composite one if there are elements.
    var attribute: Schema.Attribute {
        let type = ValueKind(name: valueType).type(isOptional: isOptional)
        guard let elements else {
            return Schema.Attribute(
                name: name, originalName: originalName, options: options, valueType: type,
                defaultValue: defaultValue?.value, hashModifier: hashModifier)
        }
        let composite = Schema.CompositeAttribute(
            name: name, originalName: originalName, options: options, valueType: type,
            hashModifier: hashModifier)
        composite.properties = elements.map(\.attribute)
        return composite
    }

    init(_ attribute: Schema.Attribute) {
        name = attribute.name
        originalName = attribute.originalName
        options = attribute.options
        valueType =
            ValueKind(attribute.valueType) == .codable ? "Codable" : ValueKind(attribute.valueType).name
        isOptional = attribute.isOptional
        defaultValue = attribute.defaultValue.flatMap(ConstantForm.init)
        hashModifier = attribute.hashModifier
        elements = (attribute as? Schema.CompositeAttribute)?.properties.map(AttributeForm.init)
    }
}

/// A relationship in a file.
struct RelationshipForm: Codable {
    var name: String
    var originalName: String
    var options: [Schema.Relationship.Option]
    var destination: String
    var inverseName: String?
    var deleteRule: Schema.Relationship.DeleteRule
    var minimumModelCount: Int?
    var maximumModelCount: Int?
    var isToOne: Bool
    var isOptional: Bool
    var hashModifier: String?

    init(_ relationship: Schema.Relationship) {
        name = relationship.name
        originalName = relationship.originalName
        options = relationship.options
        destination = relationship.destination
        inverseName = relationship.inverseName
        deleteRule = relationship.deleteRule
        minimumModelCount = relationship.minimumModelCount
        maximumModelCount = relationship.maximumModelCount
        isToOne = relationship.isToOneRelationship
        isOptional = relationship.isOptional
        hashModifier = relationship.hashModifier
    }
}

/// A default value in a file.
enum ConstantForm: Codable {
    case integer(Int64), double(Double), boolean(Bool), string(String), date(Date), data(Data), decimal(
        Decimal)
    case uuid(UUID), url(URL)

    init?(_ any: Any) {
        switch any {
        case let value as Bool: self = .boolean(value)
        case let value as any BinaryInteger: self = .integer(Int64(clamping: value))
        case let value as Double: self = .double(value)
        case let value as Float: self = .double(Double(value))
        case let value as Decimal: self = .decimal(value)
        case let value as String: self = .string(value)
        case let value as Date: self = .date(value)
        case let value as Data: self = .data(value)
        case let value as UUID: self = .uuid(value)
        case let value as URL: self = .url(value)
        case let value as any RawRepresentable: self.init(value.rawValue)
        default: return nil
        }
    }

    var value: Any {
        switch self {
        case .integer(let value): value
        case .double(let value): value
        case .boolean(let value): value
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .decimal(let value): value
        case .uuid(let value): value
        case .url(let value): value
        }
    }
}
