// Schemas as managed object models.

public import CoreData
import Foundation

extension NSManagedObjectModel {
    /// Returns the managed object model of a schema's models, by which Core Data's classes open the same stores.
    ///
    /// The objects are of classes with the entities' names, as far as the program has them, else plain managed objects.
    public static func makeManagedObjectModel(for types: [any PersistentModel.Type]) -> NSManagedObjectModel?
    {
        Schema(types).makeModel { $0 }
    }
}

extension Schema {
    /// Returns a new managed object model of the schema.
    ///
    /// - Parameter className: returns the name of an entity's class.
    func makeModel(_ className: (String) -> String) -> NSManagedObjectModel {
        var made: [String: NSEntityDescription] = [:]
        for entity in entities {
            let description = NSEntityDescription()
            description.name = entity.name
            description.managedObjectClassName = className(entity.name)
            made[entity.name] = description
        }
        for entity in entities {
            guard let description = made[entity.name] else { continue }
            description.properties = entity.storedProperties.map { Self.describe($0, made) }
            description.subentities = entity.subentities.map(\.name).sorted().compactMap { made[$0] }
        }
        for entity in entities { link(entity, made) }
        let model = NSManagedObjectModel()
        model.versionIdentifiers = [version.description]
        model.entities = entities.compactMap { made[$0.name] }
        return model
    }

    private static func describe(
        _ property: any SchemaProperty, _ entities: [String: NSEntityDescription]
    ) -> NSPropertyDescription {
        if let relationship = property as? Relationship { return describe(relationship, entities) }
        if let composite = property as? CompositeAttribute { return describe(composite, entities) }
        let attribute =
            property as? Attribute ?? Attribute(name: property.name, valueType: property.valueType)
        let description = NSAttributeDescription()
        fill(description, attribute)
        if attribute.transformerName != nil {
            description.attributeType = .transformableAttributeType
            description.valueTransformerName = attribute.transformerName
        } else {
            description.attributeType =
                attribute.options.contains(.codable)
                ? .binaryDataAttributeType : ValueKind(attribute.valueType).attributeType
            description.defaultValue = attribute.storedDefault
        }
        description.isTransient = attribute.isTransient
        description.allowsExternalBinaryDataStorage = attribute.options.contains(.externalStorage)
        setTraits(of: description, attribute)
        return description
    }

    private static func describe(
        _ composite: CompositeAttribute, _ entities: [String: NSEntityDescription]
    ) -> NSPropertyDescription {
        let description = NSCompositeAttributeDescription()
        fill(description, composite)
        description.elements = composite.properties.compactMap {
            describe($0, entities) as? NSAttributeDescription
        }
        setTraits(of: description, composite)
        return description
    }

    /// Sets what attributes have whatever their values are.
    private static func setTraits(of description: NSAttributeDescription, _ attribute: Attribute) {
        description.preservesValueInHistoryOnDeletion = attribute.options.contains(.preserveValueOnDeletion)
        description.isIndexedBySpotlight = attribute.options.contains(.spotlight)
        description.allowsCloudEncryption = attribute.options.contains(.allowsCloudEncryption)
        description.versionHashModifier = attribute.hashModifier
    }

    private static func fill(_ description: NSPropertyDescription, _ property: any SchemaProperty) {
        description.name = property.name
        description.isOptional = property.isOptional
        if property.originalName != property.name { description.renamingIdentifier = property.originalName }
    }

    private static func describe(
        _ relationship: Relationship, _ entities: [String: NSEntityDescription]
    ) -> NSRelationshipDescription {
        let description = NSRelationshipDescription()
        fill(description, relationship)
        description.destinationEntity = entities[relationship.destination]
        description.maxCount = relationship.isToOneRelationship ? 1 : relationship.maximumModelCount ?? 0
        description.minCount = relationship.minimumModelCount ?? 0
        // To-many relationships are empty, never nil; a required one would have to have members.
        if !relationship.isToOneRelationship { description.isOptional = description.minCount == 0 }
        description.deleteRule =
            switch relationship.deleteRule {
            case .noAction: .noActionDeleteRule
            case .nullify: .nullifyDeleteRule
            case .cascade: .cascadeDeleteRule
            case .deny: .denyDeleteRule
            }
        description.versionHashModifier = relationship.hashModifier
        return description
    }

    /// Inverses, constraints and indexes, which need all properties.
    private func link(_ entity: Entity, _ made: [String: NSEntityDescription]) {
        guard let description = made[entity.name] else { return }
        for relationship in entity.storedProperties.compactMap({ $0 as? Relationship }) {
            guard let inverse = relationship.inverseName,
                let back = made[relationship.destination]?.relationshipsByName[inverse]
            else { continue }
            description.relationshipsByName[relationship.name]?.inverseRelationship = back
        }
        description.uniquenessConstraints = entity.uniquenessConstraints
        description.indexes = entity.indices.enumerated().map { number, names in
            let elements = names.compactMap { name in
                description.propertiesByName[name].map {
                    NSFetchIndexElementDescription(
                        property: $0,
                        collationType: entity.rectangleIndices.contains(names) ? .rTree : .binary)
                }
            }
            return NSFetchIndexDescription(
                name: "index\(number)_\(names.joined(separator: "_"))", elements: elements)
        }
    }
}

extension Schema.Attribute {
    /// The initial value as an attribute's default, if it has one: a migration that adds the property fills rows with it. That of an
    /// expression such as `Date()` is the value of the moment, the same for all rows.
    fileprivate var storedDefault: Any? {
        guard let value = defaultValue.flatMap(unwrappedValue) else { return nil }
        if isCodable {
            guard let encodable = value as? any Encodable else { return nil }
            return ValueCoding.encode(encodable).map { $0 as NSData }
        }
        if let raw = (value as? any RawRepresentable)?.rawValue, ValueKind(valueType) != .codable {
            return (raw as? any BinaryInteger).map { NSNumber(value: Int64(clamping: $0)) } ?? raw
        }
        switch value {
        case let value as Bool: return NSNumber(value: value)
        case let value as any BinaryInteger: return NSNumber(value: Int64(clamping: value))
        case let value as Double: return NSNumber(value: value)
        case let value as Float: return NSNumber(value: value)
        case let value as Decimal: return NSDecimalNumber(decimal: value)
        case is String, is Date, is UUID, is URL, is Data: return value
        default: return nil
        }
    }
}
