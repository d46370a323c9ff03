// Attributes, relationships and fetched properties of compiled models.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

extension CompiledModelReader {
    func property(_ object: ArchiveObject, name: String?) throws -> PropertySchema {
        guard let name = try name ?? object.node("NSPropertyName").text else {
            throw ArchiveFailure("a property has no name")
        }
        var property = try PropertySchema(name: name, kind: kind(object, depth: 0))
        property.isOptional = try object.bool("NSIsOptional")
        property.isTransient = try object.bool("NSIsTransient")
        property.isIndexed = try object.bool("NSIsIndexed")
        property.isIndexedBySpotlight = try object.bool("NSIndexedBySpotlight")
        property.isStoredInExternalRecord = try object.bool("NSStoredInExternalRecord")
        property.validation = try validation(object)
        property.userInfo = try userInfo(object)
        property.renamingIdentifier = try renamingIdentifier(object, name: name)
        property.versionHashModifier = try object.node("NSVersionHashModifier").text
        return property
    }

    private func kind(_ object: ArchiveObject, depth: Int) throws -> PropertySchema.Kind {
        if object.isKind(of: "NSAttributeDescription") {
            return try .attribute(attribute(object, depth: depth))
        }
        if object.isKind(of: "NSRelationshipDescription") { return try .relationship(relationship(object)) }
        if object.isKind(of: "NSFetchedPropertyDescription") {
            guard let request = try object.node("NSFetchRequest").object else {
                throw ArchiveFailure("the fetched property has no fetch request")
            }
            var schema = try fetchRequest(request)
            if schema.entityName.isEmpty {
                schema.entityName = try object.node("_NSFetchRequestEntityName").text ?? ""
            }
            return .fetched(schema)
        }
        throw ArchiveFailure("a property is of unknown class \(object.className)")
    }

    private func attribute(_ object: ArchiveObject, depth: Int) throws -> AttributeTraits {
        var traits = try AttributeTraits(attributeType(object, key: "NSAttributeType"))
        traits.defaultValue = try traits.type.coerced(object.node("NSDefaultValue").value())
        traits.valueTransformerName = try object.node("NSValueTransformerName").text
        let className = try object.node("NSAttributeValueClassName").text
        traits.valueClassName = className == traits.type.valueClassName ? nil : className
        let flags = try object.integer("NSFlagsKey") ?? 0
        traits.allowsExternalBinaryDataStorage = flags & CompiledModelKeys.externalStorageFlag != 0
        traits.preservesValueInHistoryOnDeletion = flags & CompiledModelKeys.preservesValueFlag != 0
        traits.allowsCloudEncryption = try object.bool(CompiledModelKeys.cloudEncryption)
        if let expression = try object.node("NSDerivationExpression").object {
            traits.derivation = try DerivationSchema(
                expression: ArchivedPredicateReader.expression(expression),
                filter: object.node("NSFilteringPredicate").object.map(ArchivedPredicateReader.predicate))
        }
        if traits.type == .composite { traits.elements = try elements(object, depth: depth) }
        return traits
    }

    private func elements(_ object: ArchiveObject, depth: Int) throws -> [PropertySchema] {
        guard depth < CompiledModelKeys.compositeDepthLimit else {
            throw ArchiveFailure("composite attributes are nested too deep, or in a circle")
        }
        return try (object.node(CompiledModelKeys.elements).object?.elements() ?? []).map {
            guard let element = $0.object, let name = try element.node("NSPropertyName").text else {
                throw ArchiveFailure("a composite attribute has an element without a name")
            }
            return try ModelFileError.locating(file, property: name) {
                var property = try PropertySchema(name: name, kind: kind(element, depth: depth + 1))
                property.isOptional = try element.bool("NSIsOptional")
                property.isTransient = try element.bool("NSIsTransient")
                property.validation = try validation(element)
                property.userInfo = try userInfo(element)
                property.renamingIdentifier = try renamingIdentifier(element, name: name)
                property.versionHashModifier = try element.node("NSVersionHashModifier").text
                return property
            }
        }
    }

    private func relationship(_ object: ArchiveObject) throws -> RelationshipTraits {
        let destination = try object.node("_NSDestinationEntityName").text
        var traits = try RelationshipTraits(
            destinationEntityName: destination
                ?? object.node("NSDestinationEntity").object?.node("NSEntityName").text ?? "",
            inverseName: object.node("_NSInverseRelationshipName").text
                ?? object.node("NSInverseRelationship").object?.node("NSPropertyName").text)
        traits.minCount = try count(object, key: "NSMinCount")
        traits.maxCount = try count(object, key: "NSMaxCount")
        traits.isOrdered = try object.bool("NSIsOrdered")
        guard let rule = try DeleteRule(rawValue: UInt(clamping: object.integer("NSDeleteRule") ?? 0)) else {
            throw ArchiveFailure("the relationship has an unknown delete rule")
        }
        traits.deleteRule = rule
        return traits
    }

    /// A bound on the number of destinations, which Core Data hashes as 32 bits.
    private func count(_ object: ArchiveObject, key: String) throws -> Int {
        let number = try object.integer(key) ?? 0
        guard let count = Int32(exactly: number) else { throw ArchiveFailure("\(key) is out of range") }
        return Int(count)
    }

    private func validation(_ object: ArchiveObject) throws -> [ValidationRule] {
        let predicates = try object.node("NSValidationPredicates").object?.elements() ?? []
        let warnings = try object.node("NSValidationWarnings").object?.elements() ?? []
        return try predicates.enumerated().map { index, node in
            guard let predicate = node.object else { throw ArchiveFailure("a validation predicate is empty") }
            return try ValidationRule(
                predicate: ArchivedPredicateReader.predicate(predicate),
                warning: index < warnings.count ? warnings[index].value() : .null)
        }
    }
}
