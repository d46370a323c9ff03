// Properties into source models.

import CoreDataSchema
import CoreDataSupport

extension ModelSourceWriter {
    /// The property's element. `path` names a composite type that has no name of its own.
    mutating func property(_ property: PropertySchema, path: String) throws -> XMLTree {
        switch property.kind {
        case .attribute(let traits): return try attribute(property, traits: traits, path: path)
        case .relationship(let traits): return try Self.relationship(property, traits: traits)
        case .fetched(let request):
            guard property.validation.isEmpty else {
                throw ArchiveFailure("a source model can't state validation predicates of a fetched property")
            }
            var element = XMLTree("fetchedProperty", attributes: [.init("name", value: property.name)])
            element.add("optional", flag: property.isOptional)
            try Self.addCommon(property, to: &element)
            element.children.insert(
                try fetchRequest(request, name: "fetchedPropertyFetchRequest"), at: 0)
            return element
        }
    }

    private mutating func attribute(
        _ property: PropertySchema, traits: AttributeTraits, path: String
    ) throws -> XMLTree {
        let bounds = try SourceValidation(property.validation, type: traits.type)
        let isDate = traits.type == .date
        var element = XMLTree("attribute", attributes: [.init("name", value: property.name)])
        element.add("optional", flag: property.isOptional)
        element.add("transient", flag: property.isTransient)
        element.add("attributeType", value: traits.type.sourceName)
        if traits.type == .composite {
            element.add("composite", value: try composite(traits, path: path + "_" + property.name))
        }
        element.add(isDate ? "minDateTimeInterval" : "minValueString", value: bounds.minimum)
        element.add(isDate ? "maxDateTimeInterval" : "maxValueString", value: bounds.maximum)
        element.add("regularExpressionString", value: bounds.pattern)
        element.add(
            isDate ? "defaultDateTimeInterval" : "defaultValueString",
            value: try SourceDefaultValue.text(traits.defaultValue, type: traits.type))
        if let derivation = traits.derivation {
            element.add("derived", flag: true)
            element.add("derivationExpression", value: try text(derivation.expression))
            element.add("filteringPredicate", value: try derivation.filter.map { try text($0) })
        }
        Self.addStorage(traits, to: &element)
        try Self.addCommon(property, to: &element)
        return element
    }

    private static func addStorage(_ traits: AttributeTraits, to element: inout XMLTree) {
        if traits.usesScalarValueType {
            element.add("usesScalarValueType", flag: true)
        } else if traits.type.hasScalar {
            element.add("usesScalarValueType", value: "NO")
        }
        element.add("valueTransformerName", value: traits.valueTransformerName)
        element.add("customClassName", value: traits.valueClassName)
        element.add("allowsExternalBinaryDataStorage", flag: traits.allowsExternalBinaryDataStorage)
        element.add("preserveAfterDeletion", flag: traits.preservesValueInHistoryOnDeletion)
        element.add("allowsCloudEncryption", flag: traits.allowsCloudEncryption)
    }

    private static func relationship(_ property: PropertySchema, traits: RelationshipTraits) throws
        -> XMLTree
    {
        guard property.validation.isEmpty else {
            throw ArchiveFailure("a source model can't state validation predicates of a relationship")
        }
        guard traits.minCount >= 0, traits.maxCount >= -1 else {
            throw ArchiveFailure("a relationship's bounds are negative")
        }
        var element = XMLTree("relationship", attributes: [.init("name", value: property.name)])
        element.add("optional", flag: property.isOptional)
        element.add("transient", flag: property.isTransient)
        element.add("toMany", flag: traits.isToMany)
        if traits.minCount != 0 { element.add("minCount", value: "\(traits.minCount)") }
        if traits.maxCount > 0 { element.add("maxCount", value: "\(traits.maxCount)") }
        element.add("deletionRule", value: traits.deleteRule.sourceName)
        element.add("ordered", flag: traits.isOrdered)
        element.add("destinationEntity", value: traits.destinationEntityName)
        element.add("inverseName", value: traits.inverseName)
        if traits.inverseName != nil { element.add("inverseEntity", value: traits.destinationEntityName) }
        try addCommon(property, to: &element)
        return element
    }

    private static func addCommon(_ property: PropertySchema, to element: inout XMLTree) throws {
        element.add("indexed", flag: property.isIndexed)
        element.add("spotlightIndexingEnabled", flag: property.isIndexedBySpotlight)
        element.add("storedInTruthFile", flag: property.isStoredInExternalRecord)
        element.add("versionHashModifier", value: property.versionHashModifier)
        element.add("elementID", value: property.renamingIdentifier)
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
