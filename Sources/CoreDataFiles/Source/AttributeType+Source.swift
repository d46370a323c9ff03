// The spelling of attribute types and delete rules in source models.

package import CoreDataSchema

extension AttributeType {
    /// The value of `attributeType` in a source model.
    package var sourceName: String {
        switch self {
        case .undefined: "Undefined"
        case .integer16: "Integer 16"
        case .integer32: "Integer 32"
        case .integer64: "Integer 64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Boolean"
        case .date: "Date"
        case .binaryData: "Binary"
        case .uuid: "UUID"
        case .uri: "URI"
        case .transformable: "Transformable"
        case .objectID: "ObjectID"
        case .composite: "Composite"
        }
    }
}

extension AttributeType {
    /// The type that a source model calls so; `nil` for a name that no type has.
    package init?(sourceName: String) {
        guard let type = Self.allCases.first(where: { $0.sourceName == sourceName }) else { return nil }
        self = type
    }
}

extension DeleteRule {
    /// The value of `deletionRule` in a source model.
    var sourceName: String {
        switch self {
        case .noAction: "No Action"
        case .nullify: "Nullify"
        case .cascade: "Cascade"
        case .deny: "Deny"
        }
    }
}
