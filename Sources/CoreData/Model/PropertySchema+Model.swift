// From the property classes to properties as values.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import Foundation

extension PropertySchema {
    /// Reads the property as it is so far: a name that isn't set yet is empty.
    init(_ property: NSPropertyDescription) {
        self.init(name: property.name, kind: Kind(property))
        isOptional = property.isOptional
        isTransient = property.isTransient
        isIndexed = property.isIndexed
        isIndexedBySpotlight = property.isIndexedBySpotlight
        isStoredInExternalRecord = property.isStoredInExternalRecord
        validation = property.validation.map {
            ValidationRule(predicate: $0.predicate.tree, warning: Value($0.warning))
        }
        userInfo = [Value: Value](userInfo: property.userInfo)
        renamingIdentifier = property.ownRenamingIdentifier
        versionHashModifier = property.versionHashModifier
    }
}

extension NSPropertyDescription {
    /// Indicates whether an entity can have a property of this class.
    var isKindOfEntityProperty: Bool {
        self is NSAttributeDescription || self is NSRelationshipDescription
            || self is NSFetchedPropertyDescription
    }
}

extension PropertySchema.Kind {
    init(_ property: NSPropertyDescription) {
        switch property {
        case let attribute as NSAttributeDescription: self = .attribute(AttributeTraits(attribute))
        case let relationship as NSRelationshipDescription:
            self = .relationship(RelationshipTraits(relationship))
        case let fetched as NSFetchedPropertyDescription:
            self = .fetched(FetchRequestSchema(fetched.fetchRequest?.fields ?? FetchRequestFields()))
        default:
            raise(.internalInconsistency, "\(type(of: property)) \"\(property.name)\" can't be a property.")
        }
    }
}

extension AttributeTraits {
    init(_ attribute: NSAttributeDescription) {
        self.init(attribute.attributeType.schemaType)
        defaultValue = type.coerced(Value(attribute.defaultValue))
        valueTransformerName = attribute.valueTransformerName
        valueClassName = attribute.ownValueClassName
        allowsExternalBinaryDataStorage = attribute.allowsExternalBinaryDataStorage
        preservesValueInHistoryOnDeletion = attribute.preservesValueInHistoryOnDeletion
        allowsCloudEncryption = attribute.allowsCloudEncryption
        usesScalarValueType = attribute.usesScalarValueType
        compositeName = attribute.compositeName
        if let derived = attribute as? NSDerivedAttributeDescription {
            derivation = derived.derivationExpression.map {
                DerivationSchema(expression: $0.tree, filter: derived.filterPredicate?.tree)
            }
        }
        if let composite = attribute as? NSCompositeAttributeDescription {
            elements = composite.elements.map { PropertySchema($0) }
        }
    }
}

extension RelationshipTraits {
    init(_ relationship: NSRelationshipDescription) {
        self.init(
            destinationEntityName: relationship.destinationName ?? "", inverseName: relationship.inverseName,
            maxCount: relationship.maxCount)
        minCount = relationship.minCount
        isOrdered = relationship.isOrdered
        deleteRule = DeleteRule(rawValue: relationship.deleteRule.rawValue) ?? .nullify
    }
}
