// Schemas that SwiftData's `Schema.save(to:)` wrote, as models.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// Reads the JSON of a schema:
///
///     {"swiftDataSchema": {…}, "version": {"major": 1, "minor": 0, "patch": 0}, "entities": [{
///         "name": …, "superentity": …, "attributes": […], "relationships": […], "uniquenessConstraints": [["a"]],
///         "indices": [["a", "b"]], "rectangleIndices": []}]}
enum SwiftDataSchemaReader {
    static func read(_ data: Data, from path: String) throws -> ModelSchema {
        do {
            return try JSONDecoder().decode(SchemaForm.self, from: data).model
        } catch let error as DecodingError {
            throw ModelFileError(file: path, reason: "it is no schema of SwiftData's: \(error.place)")
        }
    }
}

extension DecodingError {
    /// The place of the fault, in words.
    fileprivate var place: String {
        switch self {
        case .keyNotFound(let key, let context): "\(Self.path(context.codingPath + [key])) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            "\(Self.path(context.codingPath)): \(context.debugDescription)"
        @unknown default: "\(self)"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    }
}

private struct SchemaForm: Decodable {
    struct Version: Decodable {
        let major: Int
        let minor: Int
        let patch: Int
    }

    let swiftDataSchema: Version
    let version: Version
    let entities: [EntityForm]

    var model: ModelSchema {
        ModelSchema(
            entities: entities.map(\.entity),
            versionIdentifiers: ["\(version.major).\(version.minor).\(version.patch)"])
    }
}

private struct EntityForm: Decodable {
    let name: String
    let superentity: String?
    let attributes: [AttributeForm]
    let relationships: [RelationshipForm]
    let uniquenessConstraints: [[String]]
    let indices: [[String]]
    let rectangleIndices: [[String]]

    var entity: EntitySchema {
        var entity = EntitySchema(
            name: name, properties: attributes.map(\.property) + relationships.map(\.property))
        entity.superentityName = superentity
        entity.uniquenessConstraints = uniquenessConstraints
        entity.indexes = indices.enumerated().map { number, names in
            FetchIndexSchema(
                name: "index\(number)_\(names.joined(separator: "_"))",
                elements: names.map {
                    FetchIndexElementSchema(
                        .property($0), collation: rectangleIndices.contains(names) ? .rTree : .binary)
                })
        }
        return entity
    }
}

private struct AttributeForm: Decodable {
    let name: String
    let originalName: String
    let options: [OptionForm]
    let valueType: String
    let isOptional: Bool
    let defaultValue: ConstantForm?
    let hashModifier: String?
    /// Those of a composite attribute.
    let elements: [AttributeForm]?

    var property: PropertySchema {
        let transformer = options.compactMap(\.transformer).first
        let words = Set(options.flatMap(\.words))
        var traits = AttributeTraits(type(words, isTransformable: transformer != nil))
        traits.valueTransformerName = transformer
        traits.elements = elements?.map(\.property) ?? []
        traits.allowsExternalBinaryDataStorage = words.contains("externalStorage")
        traits.preservesValueInHistoryOnDeletion = words.contains("preserveValueOnDeletion")
        traits.allowsCloudEncryption = words.contains("allowsCloudEncryption")
        if ![.transformable, .binaryData, .composite].contains(traits.type) {
            traits.defaultValue = defaultValue?.value(of: traits.type) ?? .null
        }
        var property = PropertySchema(name: name, kind: .attribute(traits))
        property.isOptional = isOptional
        property.isTransient = words.contains("ephemeral")
        property.isIndexedBySpotlight = words.contains("spotlight")
        property.renamingIdentifier = originalName == name ? nil : originalName
        property.versionHashModifier = hashModifier
        return property
    }

    private func type(_ words: Set<String>, isTransformable: Bool) -> AttributeType {
        if isTransformable { return .transformable }
        if elements != nil { return .composite }
        return words.contains("codable") ? .binaryData : Self.types[valueType] ?? .binaryData
    }

    private static let types: [String: AttributeType] = [
        "Int": .integer64, "Int64": .integer64, "UInt": .integer64, "UInt64": .integer64,
        "UInt32": .integer64,
        "Int32": .integer32, "UInt16": .integer32, "Int16": .integer16, "Int8": .integer16,
        "UInt8": .integer16,
        "Bool": .boolean, "Double": .double, "Float": .float, "Decimal": .decimal, "String": .string,
        "Date": .date,
        "Data": .binaryData, "UUID": .uuid, "URL": .uri,
    ]
}

/// An option: `{"kind": {"unique": {}}}`, or `{"kind": {"transformable": {"_0": "Name"}}}`.
private struct OptionForm: Decodable {
    private let kind: [String: [String: String]]

    var words: [String] { Array(kind.keys) }
    var transformer: String? { kind["transformable"]?["_0"] }
}

/// A default value: `{"integer": {"_0": 5}}`.
private struct ConstantForm: Decodable {
    private enum Kind: String, CodingKey { case integer, double, boolean, string, decimal }
    private enum Content: String, CodingKey { case value = "_0" }

    private let stored: Value

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        guard let kind = container.allKeys.first else {
            // Kinds that only the class itself can state.
            stored = .null
            return
        }
        let content = try container.nestedContainer(keyedBy: Content.self, forKey: kind)
        stored =
            switch kind {
            case .integer: .integer(try content.decode(Int64.self, forKey: .value))
            case .double: .double(try content.decode(Double.self, forKey: .value))
            case .boolean: .bool(try content.decode(Bool.self, forKey: .value))
            case .string: .string(try content.decode(String.self, forKey: .value))
            case .decimal: .decimal(try content.decode(Decimal.self, forKey: .value))
            }
    }

    /// The value as an attribute of a type has it.
    func value(of type: AttributeType) -> Value {
        switch (stored, type) {
        case (.integer(let number), .double), (.integer(let number), .float): .double(Double(number))
        case (.integer(let number), .decimal): .decimal(Decimal(number))
        case (.integer, .integer16), (.integer, .integer32), (.integer, .integer64), (.double, .double),
            (.double, .float),
            (.bool, .boolean), (.string, .string), (.decimal, .decimal):
            stored
        default: .null
        }
    }
}

private struct RelationshipForm: Decodable {
    let name: String
    let originalName: String
    let destination: String
    let inverseName: String?
    let deleteRule: String
    let minimumModelCount: Int?
    let maximumModelCount: Int?
    let isToOne: Bool
    let isOptional: Bool
    let hashModifier: String?

    var property: PropertySchema {
        var traits = RelationshipTraits(
            destinationEntityName: destination, inverseName: inverseName,
            maxCount: isToOne ? 1 : maximumModelCount ?? 0)
        traits.minCount = minimumModelCount ?? 0
        traits.deleteRule = Self.rules[deleteRule] ?? .nullify
        var property = PropertySchema(name: name, kind: .relationship(traits))
        property.isOptional = isToOne ? isOptional : traits.minCount == 0
        property.renamingIdentifier = originalName == name ? nil : originalName
        property.versionHashModifier = hashModifier
        return property
    }

    private static let rules: [String: DeleteRule] = [
        "noAction": .noAction, "nullify": .nullify, "cascade": .cascade, "deny": .deny,
    ]
}
