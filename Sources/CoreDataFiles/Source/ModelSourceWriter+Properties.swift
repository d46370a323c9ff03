// Properties into source models.

import CoreDataSchema
import CoreDataSupport

extension ModelSourceWriter {
    /// The property's element. `path` names a composite type that has no name of its own.
    mutating func property(_ property: PropertySchema, path: String) throws -> XMLTree {
        switch property.kind {
        case .attribute(let traits): return try attribute(property, traits, path: path)
        case .relationship(let traits): return try Self.relationship(property, traits)
        case .fetched(let request):
            guard property.validation.isEmpty else {
                throw ArchiveFailure("a source model can't state validation predicates of a fetched property")
            }
            var element = XMLTree("fetchedProperty", [.init("name", property.name)])
            element.add("optional", property.isOptional)
            try Self.addCommon(property, to: &element)
            element.children.insert(
                try fetchRequest(request, name: "fetchedPropertyFetchRequest"), at: 0)
            return element
        }
    }

    private mutating func attribute(
        _ property: PropertySchema, _ traits: AttributeTraits, path: String
    ) throws -> XMLTree {
        let bounds = try SourceValidation(property.validation, type: traits.type)
        let isDate = traits.type == .date
        var element = XMLTree("attribute", [.init("name", property.name)])
        element.add("optional", property.isOptional)
        element.add("transient", property.isTransient)
        element.add("attributeType", traits.type.sourceName)
        if traits.type == .composite {
            element.add("composite", try composite(traits, path: path + "_" + property.name))
        }
        element.add(isDate ? "minDateTimeInterval" : "minValueString", bounds.minimum)
        element.add(isDate ? "maxDateTimeInterval" : "maxValueString", bounds.maximum)
        element.add("regularExpressionString", bounds.pattern)
        element.add(
            isDate ? "defaultDateTimeInterval" : "defaultValueString",
            try SourceDefaultValue.text(traits.defaultValue, type: traits.type))
        if let derivation = traits.derivation {
            element.add("derived", true)
            element.add("derivationExpression", try text(derivation.expression))
            element.add("filteringPredicate", try derivation.filter.map { try text($0) })
        }
        Self.addStorage(traits, to: &element)
        try Self.addCommon(property, to: &element)
        return element
    }

    private static func addStorage(_ traits: AttributeTraits, to element: inout XMLTree) {
        if traits.usesScalarValueType {
            element.add("usesScalarValueType", true)
        } else if traits.type.hasScalar {
            element.add("usesScalarValueType", "NO")
        }
        element.add("valueTransformerName", traits.valueTransformerName)
        element.add("customClassName", traits.valueClassName)
        element.add("allowsExternalBinaryDataStorage", traits.allowsExternalBinaryDataStorage)
        element.add("preserveAfterDeletion", traits.preservesValueInHistoryOnDeletion)
        element.add("allowsCloudEncryption", traits.allowsCloudEncryption)
    }

    private static func relationship(_ property: PropertySchema, _ traits: RelationshipTraits) throws
        -> XMLTree
    {
        guard property.validation.isEmpty else {
            throw ArchiveFailure("a source model can't state validation predicates of a relationship")
        }
        guard traits.minCount >= 0, traits.maxCount >= -1 else {
            throw ArchiveFailure("a relationship's bounds are negative")
        }
        var element = XMLTree("relationship", [.init("name", property.name)])
        element.add("optional", property.isOptional)
        element.add("transient", property.isTransient)
        element.add("toMany", traits.isToMany)
        if traits.minCount != 0 { element.add("minCount", "\(traits.minCount)") }
        if traits.maxCount > 0 { element.add("maxCount", "\(traits.maxCount)") }
        element.add("deletionRule", traits.deleteRule.sourceName)
        element.add("ordered", traits.isOrdered)
        element.add("destinationEntity", traits.destinationEntityName)
        element.add("inverseName", traits.inverseName)
        if traits.inverseName != nil { element.add("inverseEntity", traits.destinationEntityName) }
        try addCommon(property, to: &element)
        return element
    }

    private static func addCommon(_ property: PropertySchema, to element: inout XMLTree) throws {
        element.add("indexed", property.isIndexed)
        element.add("spotlightIndexingEnabled", property.isIndexedBySpotlight)
        element.add("storedInTruthFile", property.isStoredInExternalRecord)
        element.add("versionHashModifier", property.versionHashModifier)
        element.add("elementID", property.renamingIdentifier)
        try element.add(userInfo: property.userInfo)
    }
}

extension AttributeType {
    /// Indicates whether generated code has the choice of a scalar.
    fileprivate var hasScalar: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .double, .float, .boolean, .date, .uuid, .uri: true
        default: false
        }
    }
}
