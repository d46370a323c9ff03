// Descriptions of properties and of the requests that stand in models.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import Foundation

extension ModelBuilder {
    func request(_ schema: FetchRequestSchema) -> NSFetchRequest<any NSFetchRequestResult> {
        var fields = FetchRequestFields()
        fields.entity = entities[schema.entityName]
        fields.name = schema.entityName
        fields.predicate = schema.predicate.map { NSPredicate.make($0) }
        fields.sortDescriptors =
            schema.sortKeys.isEmpty ? nil : schema.sortKeys.map { NSSortDescriptor.make($0) }
        fields.fetchLimit = schema.fetchLimit
        fields.fetchOffset = schema.fetchOffset
        fields.fetchBatchSize = schema.fetchBatchSize
        fields.resultType = NSFetchRequestResultType(rawValue: schema.resultType)
        fields.includesSubentities = schema.includesSubentities
        fields.includesPropertyValues = schema.includesPropertyValues
        fields.includesPendingChanges = schema.includesPendingChanges
        fields.returnsObjectsAsFaults = schema.returnsObjectsAsFaults
        fields.returnsDistinctResults = schema.returnsDistinctResults
        fields.propertiesToFetch = schema.propertiesToFetch.isEmpty ? nil : schema.propertiesToFetch
        fields.propertiesToGroupBy = schema.propertiesToGroupBy.isEmpty ? nil : schema.propertiesToGroupBy
        fields.havingPredicate = schema.havingPredicate.map { NSPredicate.make($0) }
        fields.relationshipKeyPathsForPrefetching =
            schema.relationshipKeyPathsForPrefetching.isEmpty
            ? nil : schema.relationshipKeyPathsForPrefetching
        return NSFetchRequest(fields: fields)
    }

    func property(_ schema: PropertySchema) -> NSPropertyDescription {
        let property: NSPropertyDescription =
            switch schema.kind {
            case .attribute(let traits): attribute(traits)
            case .relationship(let traits): relationship(traits)
            case .fetched(let request): fetched(request)
            }
        property.name = schema.name
        property.isOptional = schema.isOptional
        property.isTransient = schema.isTransient
        property.isIndexed = schema.isIndexed
        property.isIndexedBySpotlight = schema.isIndexedBySpotlight
        property.isStoredInExternalRecord = schema.isStoredInExternalRecord
        property.validation = schema.validation.map {
            (predicate: NSPredicate.make($0.predicate), warning: $0.warning.any ?? NSNull())
        }
        property.userInfo = schema.userInfo.userInfo
        property.ownRenamingIdentifier = schema.renamingIdentifier
        property.versionHashModifier = schema.versionHashModifier
        return property
    }

    private func attribute(_ traits: AttributeTraits) -> NSAttributeDescription {
        let attribute = makeAttribute(traits)
        attribute.attributeType = NSAttributeType(traits.type)
        attribute.defaultValue = traits.defaultValue.any
        attribute.valueTransformerName = traits.valueTransformerName
        attribute.ownValueClassName = traits.valueClassName
        attribute.allowsExternalBinaryDataStorage = traits.allowsExternalBinaryDataStorage
        attribute.preservesValueInHistoryOnDeletion = traits.preservesValueInHistoryOnDeletion
        attribute.allowsCloudEncryption = traits.allowsCloudEncryption
        attribute.usesScalarValueType = traits.usesScalarValueType
        attribute.compositeName = traits.compositeName
        return attribute
    }

    private func makeAttribute(_ traits: AttributeTraits) -> NSAttributeDescription {
        if let derivation = traits.derivation {
            let derived = NSDerivedAttributeDescription()
            derived.derivationExpression = NSExpression.make(derivation.expression)
            derived.filterPredicate = derivation.filter.map { NSPredicate.make($0) }
            return derived
        }
        guard traits.type == .composite else { return NSAttributeDescription() }
        let composite = NSCompositeAttributeDescription()
        composite.elements = traits.elements.compactMap { property($0) as? NSAttributeDescription }
        return composite
    }

    private func relationship(_ traits: RelationshipTraits) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        if let destination = entities[traits.destinationEntityName] {
            relationship.destinationEntity = destination
        }
        relationship.setNames(destination: traits.destinationEntityName, inverse: traits.inverseName)
        relationship.minCount = traits.minCount
        relationship.maxCount = traits.maxCount
        relationship.isOrdered = traits.isOrdered
        relationship.deleteRule = NSDeleteRule(rawValue: traits.deleteRule.rawValue) ?? .nullifyDeleteRule
        return relationship
    }

    private func fetched(_ request: FetchRequestSchema) -> NSFetchedPropertyDescription {
        let fetched = NSFetchedPropertyDescription()
        fetched.fetchRequest = self.request(request)
        return fetched
    }
}
