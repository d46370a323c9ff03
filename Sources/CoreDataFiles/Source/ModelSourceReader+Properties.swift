// Properties in source models.

import CoreDataSchema
import CoreDataSupport

extension ModelSourceReader {
    func property(_ element: XMLTree) throws -> PropertySchema {
        try property(element, enclosing: [])
    }

    /// `enclosing` are the composite types that the property is an element of, outermost first.
    private func property(_ element: XMLTree, enclosing: [String]) throws -> PropertySchema {
        let name = try element.required("name")
        var property: PropertySchema
        switch element.name {
        case "attribute":
            let traits = try attribute(element, enclosing: enclosing)
            property = PropertySchema(name: name, kind: .attribute(traits))
            property.validation = try validation(element).rules(for: traits.type)
        case "relationship":
            property = try PropertySchema(name: name, kind: .relationship(relationship(element)))
        case "fetchedProperty":
            let request = try element.children.first { $0.name == "fetchRequest" }.map(fetchRequest)
            guard let request else { throw ArchiveFailure("the fetched property has no fetch request") }
            property = PropertySchema(name: name, kind: .fetched(request))
        default: throw element.unknown
        }
        property.isOptional = try element.bool("optional")
        // The compiler makes every fetched property transient.
        property.isTransient = try element.bool("transient") || element.name == "fetchedProperty"
        property.isIndexed = try element.bool("indexed")
        property.isIndexedBySpotlight = try element.bool("spotlightIndexingEnabled")
        property.isStoredInExternalRecord = try element.bool("storedInTruthFile")
        property.renamingIdentifier = element.renamingIdentifier(of: name)
        property.versionHashModifier = element["versionHashModifier"]
        for child in element.children where child.name != "fetchRequest" {
            guard child.name == "userInfo" else { throw child.unknown }
            property.userInfo = try userInfo(child)
        }
        return property
    }

    private func attribute(_ element: XMLTree, enclosing: [String]) throws -> AttributeTraits {
        let typeName = try element.required("attributeType")
        guard let type = AttributeType(sourceName: typeName) else {
            throw ArchiveFailure("unknown attribute type \"\(typeName)\"")
        }
        var traits = AttributeTraits(type)
        if let text = element["defaultDateTimeInterval"] ?? element["defaultValueString"] {
            traits.defaultValue = try SourceDefaultValue.value(text, type: type)
        }
        traits.valueTransformerName = element["valueTransformerName"]
        // A dot at the start stands for the module that the model is part of.
        let className = element["customClassName"].map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
        traits.valueClassName = className == type.valueClassName ? nil : className
        traits.allowsExternalBinaryDataStorage = try element.bool("allowsExternalBinaryDataStorage")
        traits.preservesValueInHistoryOnDeletion = try element.bool("preserveAfterDeletion")
        traits.allowsCloudEncryption = try element.bool("allowsCloudEncryption")
        traits.usesScalarValueType = try element.bool("usesScalarValueType")
        if try element.bool("derived") {
            guard let text = element["derivationExpression"], !text.isEmpty else {
                throw ArchiveFailure("the derived attribute has no derivation expression")
            }
            traits.derivation = try DerivationSchema(
                expression: expression(text), filter: element["filteringPredicate"].map(predicate))
        }
        if type == .composite { try readElements(of: element, into: &traits, enclosing: enclosing) }
        return traits
    }

    private func readElements(
        of element: XMLTree, into traits: inout AttributeTraits, enclosing: [String]
    ) throws {
        let name = try element.required("composite")
        guard let composite = composites[name] else {
            throw ArchiveFailure("the composite type \"\(name)\" does not exist")
        }
        guard !enclosing.contains(name), enclosing.count < 8 else {
            throw ArchiveFailure("the composite type \"\(name)\" contains itself, or is nested too deep")
        }
        budget.elements -= composite.children.count
        guard budget.elements > 0 else {
            throw ArchiveFailure("the composite types unfold to too many elements")
        }
        traits.compositeName = name
        traits.elements = try composite.children.map { child in
            try ModelFileError.locating(file, property: child["name"]) {
                try property(child, enclosing: enclosing + [name])
            }
        }
    }

    private func validation(_ element: XMLTree) -> SourceValidation {
        SourceValidation(
            minimum: element["minDateTimeInterval"] ?? element["minValueString"],
            maximum: element["maxDateTimeInterval"] ?? element["maxValueString"],
            pattern: element["regularExpressionString"])
    }

    private func relationship(_ element: XMLTree) throws -> RelationshipTraits {
        var traits = RelationshipTraits(
            destinationEntityName: element["destinationEntity"] ?? "", inverseName: element["inverseName"])
        let isToMany = try element.bool("toMany")
        traits.minCount = try element.count("minCount") ?? 0
        traits.maxCount = try element.count("maxCount") ?? (isToMany ? 0 : 1)
        traits.isOrdered = try element.bool("ordered")
        if let text = element["deletionRule"] {
            guard let rule = DeleteRule(sourceName: text) else {
                throw ArchiveFailure("unknown deletion rule \"\(text)\"")
            }
            traits.deleteRule = rule
        }
        return traits
    }
}
