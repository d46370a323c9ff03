// Attributes, relationships and fetched properties into compiled models.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

extension CompiledModelWriter {
    func write(_ property: PropertySchema, to place: PropertyList, of entity: EntitySchema) throws {
        let fields = try common(property, entity: self.place(of: entity.name))
        switch property.kind {
        case .attribute(let traits): try write(traits, common: fields, to: place)
        case .relationship(let traits):
            archive.define(
                place, classes: ["NSRelationshipDescription", "NSPropertyDescription", "NSObject"],
                fields: fields + relationship(traits))
        case .fetched(let request):
            archive.define(
                place, classes: ["NSFetchedPropertyDescription", "NSPropertyDescription", "NSObject"],
                fields: fields + [
                    .init("NSIsReadOnly", value: .bool(true)),
                    .init("_NSFetchRequestEntityName", value: archive.string(request.entityName)),
                    .init("NSFetchRequest", value: try fetchRequest(request)),
                ])
        }
    }

    private func common(_ property: PropertySchema, entity: PropertyList) throws -> [PropertyList.Entry] {
        var fields: [PropertyList.Entry] = [
            .init("NSPropertyName", value: archive.string(property.name)),
            .init("NSEntity", value: entity),
            .init(
                "NSRenamingIdentifier", value: archive.string(property.renamingIdentifier ?? property.name)),
            .init("_P", value: .integer(bits(of: property))),
        ]
        if property.isOptional { fields.append(.init("NSIsOptional", value: .bool(true))) }
        if property.isTransient { fields.append(.init("NSIsTransient", value: .bool(true))) }
        if property.isIndexed { fields.append(.init("NSIsIndexed", value: .bool(true))) }
        if property.isIndexedBySpotlight { fields.append(.init("NSIndexedBySpotlight", value: .bool(true))) }
        if property.isStoredInExternalRecord {
            fields.append(.init("NSStoredInExternalRecord", value: .bool(true)))
        }
        if let modifier = property.versionHashModifier {
            fields.append(.init("NSVersionHashModifier", value: archive.string(modifier)))
        }
        if !property.userInfo.isEmpty {
            fields.append(.init("NSUserInfo", value: try archive.value(.dictionary(property.userInfo))))
        }
        if !property.validation.isEmpty {
            let rules = try property.validation.map { try predicates.predicate($0.predicate) }
            let warnings = try property.validation.map { try archive.value($0.warning) }
            fields.append(.init("NSValidationPredicates", value: archive.array(rules, isMutable: true)))
            fields.append(.init("NSValidationWarnings", value: archive.array(warnings, isMutable: true)))
        }
        return fields
    }

    private func bits(of property: PropertySchema) -> Int64 {
        var bits = CompiledModelKeys.isPropertyBit
        if property.isOptional { bits |= CompiledModelKeys.optionalBit }
        if property.isTransient { bits |= CompiledModelKeys.transientBit }
        if property.validation.isEmpty { bits |= CompiledModelKeys.noValidationBits }
        if property.userInfo.isEmpty { bits |= CompiledModelKeys.noUserInfoBit }
        if property.versionHashModifier == nil { bits |= CompiledModelKeys.noModifierBit }
        if property.isIndexedBySpotlight { bits |= CompiledModelKeys.spotlightBit }
        switch property.kind {
        case .attribute(let traits) where traits.derivation != nil: bits |= CompiledModelKeys.readOnlyBit
        case .fetched: bits |= CompiledModelKeys.readOnlyBit
        case .relationship(let traits) where traits.isOrdered: bits |= CompiledModelKeys.orderedBit
        default: break
        }
        return bits
    }

    private func write(_ traits: AttributeTraits, common: [PropertyList.Entry], to place: PropertyList)
        throws
    {
        var flags: Int64 = 0
        if traits.allowsExternalBinaryDataStorage { flags |= CompiledModelKeys.externalStorageFlag }
        if traits.preservesValueInHistoryOnDeletion { flags |= CompiledModelKeys.preservesValueFlag }
        var classes = ["NSAttributeDescription", "NSPropertyDescription", "NSObject"]
        var fields =
            common + [
                .init("NSAttributeType", value: .integer(Int64(traits.type.rawValue))),
                .init("NSDefaultValue", value: try archive.value(traits.defaultValue)),
                .init("NSValueTransformerName", value: archive.string(traits.valueTransformerName)),
                .init("NSFlagsKey", value: .integer(flags)),
                .init(
                    "NSAttributeValueClassName",
                    value: archive.string(traits.valueClassName ?? traits.type.valueClassName)),
            ]
        if traits.allowsCloudEncryption {
            fields.append(.init(CompiledModelKeys.cloudEncryption, value: .bool(true)))
        }
        if let derivation = traits.derivation {
            classes.insert("NSDerivedAttributeDescription", at: 0)
            fields.append(.init("NSIsReadOnly", value: .bool(true)))
            fields.append(
                .init("NSDerivationExpression", value: try predicates.expression(derivation.expression)))
            fields.append(
                .init(
                    "NSFilteringPredicate",
                    value: try derivation.filter.map(predicates.predicate) ?? KeyedArchiveWriter.null))
        }
        if traits.type == .composite {
            classes.insert("NSCompositeAttributeDescription", at: 0)
            fields.append(.init(CompiledModelKeys.elements, value: try elements(traits.elements, depth: 0)))
        }
        archive.define(place, classes: classes, fields: fields)
    }

    private func elements(_ elements: [PropertySchema], depth: Int) throws -> PropertyList {
        guard depth < CompiledModelKeys.compositeDepthLimit else {
            throw ArchiveFailure("composite attributes are nested too deep")
        }
        return archive.array(
            try elements.map { element in
                guard let traits = element.attribute else {
                    throw ArchiveFailure("element \"\(element.name)\" is no attribute")
                }
                let place = archive.reserve()
                try write(traits, common: common(element, entity: KeyedArchiveWriter.null), to: place)
                return place
            })
    }

    private func relationship(_ traits: RelationshipTraits) -> [PropertyList.Entry] {
        let inverse = traits.inverseName.map { place(of: $0, in: traits.destinationEntityName) }
        var fields: [PropertyList.Entry] = [
            .init("_NSDestinationEntityName", value: archive.string(traits.destinationEntityName)),
            .init("NSDestinationEntity", value: place(of: traits.destinationEntityName)),
            .init("_NSInverseRelationshipName", value: archive.string(traits.inverseName)),
            .init("NSInverseRelationship", value: inverse ?? KeyedArchiveWriter.null),
            .init("NSMinCount", value: .integer(Int64(traits.minCount))),
            .init("NSMaxCount", value: .integer(Int64(traits.maxCount))),
            .init("NSDeleteRule", value: .integer(Int64(traits.deleteRule.rawValue))),
        ]
        if traits.isOrdered { fields.append(.init("NSIsOrdered", value: .bool(true))) }
        return fields
    }

    func expressionDescription(
        _ name: String, expression: ExpressionTree, type: AttributeType
    ) throws -> PropertyList {
        try archive.object(
            ["NSExpressionDescription", "NSPropertyDescription", "NSObject"],
            fields: [
                .init("NSPropertyName", value: archive.string(name)),
                .init("NSExpression", value: predicates.expression(expression)),
                .init("NSExpressionResultType", value: .integer(Int64(type.rawValue))),
            ])
    }
}
