// Properties in source models.

import CoreDataSchema
import CoreDataSupport

extension ModelSourceReader {
    func property(_ element: SourceElement) throws -> PropertySchema {
        try property(element, enclosing: [])
    }

    /// `enclosing` are the composite types that the property is an element of, outermost first.
    private func property(_ unplaced: SourceElement, enclosing: [String]) throws -> PropertySchema {
        let name = try unplaced.required("name")
        var element = unplaced
        element.property = [unplaced.property, name].compactMap(\.self).joined(separator: ".")
        element.remarkUnknownAttributes()
        var property: PropertySchema
        switch element.name {
        case "relationship":
            property = PropertySchema(name: name, kind: .relationship(relationship(element)))
        case "fetchedProperty":
            let request = try element.children.first { $0.name == "fetchRequest" }.map(fetchRequest)
            guard let request else { throw ArchiveFailure("the fetched property has no <fetchRequest>") }
            property = PropertySchema(name: name, kind: .fetched(request))
        default:
            let traits = try attribute(element, enclosing: enclosing)
            property = PropertySchema(name: name, kind: .attribute(traits))
            property.validation = validation(element, of: traits.type)
        }
        property.isOptional = element.bool("optional")
        // The compiler makes every fetched property transient.
        property.isTransient = element.bool("transient") || element.name == "fetchedProperty"
        property.isIndexed = element.bool("indexed")
        property.isIndexedBySpotlight = element.bool("spotlightIndexingEnabled")
        property.isStoredInExternalRecord = element.bool("storedInTruthFile")
        property.renamingIdentifier = element.renamingIdentifier(of: name)
        property.versionHashModifier = element.text("versionHashModifier")
        for child in element.children where child.name != "fetchRequest" {
            if child.name == "userInfo" {
                property.userInfo = userInfo(child)
            } else {
                child.remarkUnknown()
            }
        }
        return property
    }

    private func attribute(_ element: SourceElement, enclosing: [String]) throws -> AttributeTraits {
        var traits = AttributeTraits(element.attributeType("attributeType"))
        traits.defaultValue = element.defaultValue(of: traits.type)
        traits.valueTransformerName = element.text("valueTransformerName")
        // A dot at the start stands for the module that the model is part of.
        let className = element.text("customClassName").map {
            $0.hasPrefix(".") ? String($0.dropFirst()) : $0
        }
        traits.valueClassName = className == traits.type.valueClassName || className == "" ? nil : className
        traits.allowsExternalBinaryDataStorage = element.bool("allowsExternalBinaryDataStorage")
        traits.preservesValueInHistoryOnDeletion = element.bool("preserveAfterDeletion")
        traits.allowsCloudEncryption = element.bool("allowsCloudEncryption")
        traits.usesScalarValueType = element.bool("usesScalarValueType")
        if element.bool("derived") {
            guard let expression = try element.expression("derivationExpression") else {
                throw ArchiveFailure("the derived attribute has no \"derivationExpression\"")
            }
            traits.derivation = try DerivationSchema(
                expression: expression, filter: element.predicate("filteringPredicate"))
        }
        if traits.type == .composite { try readElements(of: element, into: &traits, enclosing: enclosing) }
        return traits
    }

    private func readElements(
        of element: SourceElement, into traits: inout AttributeTraits, enclosing: [String]
    ) throws {
        let name = try element.required("composite")
        guard let composite = composites[name] else {
            throw ArchiveFailure("\"composite\" names the composite type \"\(name)\", which does not exist")
        }
        guard !enclosing.contains(name), enclosing.count < 8 else {
            throw ArchiveFailure("the composite type \"\(name)\" contains itself, or is nested too deep")
        }
        reading.elementBudget -= composite.tree.children.count
        guard reading.elementBudget > 0 else {
            throw ArchiveFailure("the composite types unfold to too many elements")
        }
        traits.compositeName = name
        traits.elements = try composite.children.compactMap { child in
            guard ["attribute", "relationship", "fetchedProperty"].contains(child.name) else {
                child.remarkUnknown()
                return nil
            }
            var child = child
            (child.entity, child.property) = (element.entity, element.property)
            return try ModelFileError.locating(file, property: child.text("name")) {
                try property(child, enclosing: enclosing + [name])
            }
        }
    }

    private func validation(_ element: SourceElement, of type: AttributeType) -> [ValidationRule] {
        SourceValidation(
            minimum: element.text("minDateTimeInterval") ?? element.text("minValueString"),
            maximum: element.text("maxDateTimeInterval") ?? element.text("maxValueString"),
            pattern: element.tree["regularExpressionString"]
        ).rules(for: type) { element.remark($0, text: $1, meaning: $2) }
    }

    private func relationship(_ element: SourceElement) -> RelationshipTraits {
        var traits = RelationshipTraits(
            destinationEntityName: element.text("destinationEntity") ?? "",
            inverseName: element.text("inverseName"))
        let isToMany = element.bool("toMany")
        traits.minCount = element.count("minCount") ?? 0
        traits.maxCount = element.count("maxCount") ?? (isToMany ? 0 : 1)
        traits.isOrdered = element.bool("ordered")
        let rules: [DeleteRule] = [.noAction, .nullify, .cascade, .deny]
        traits.deleteRule =
            element.word("deletionRule", words: rules.map { ($0.sourceName, $0) }, unknown: "Nullify")
            ?? .nullify
        return traits
    }
}

extension SourceElement {
    /// The type that an attribute names; undefined without one, as Xcode writes no text for that.
    func attributeType(_ attribute: String) -> AttributeType {
        let types = AttributeType.allCases.map { ($0.sourceName, $0) }
        return word(attribute, words: types, unknown: "Undefined") ?? .undefined
    }

    func defaultValue(of type: AttributeType) -> Value {
        let date = type == .date ? ["defaultDateTimeInterval"] : []
        for attribute in date + ["defaultValueString"] {
            // A string's default value may be empty or blank.
            guard let text = tree[attribute] else { continue }
            let reading = SourceDefaultValue.reading(text, type: type)
            if let taken = reading.remark { remark(attribute, text: text, meaning: taken) }
            if let value = reading.value { return value }
        }
        return .null
    }
}
