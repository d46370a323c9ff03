// Reads the `elements` of source models that Xcode 3 wrote: keyed archives of the modeller's own classes, in which
// the facts of an entity or a property lie in stereotypes.

package import CoreDataSchema
import CoreDataSupport
package import Foundation

/// A reader of source models in archived form.
package struct ArchivedSourceReader {
    let file: String
    let reading = SourceReading()
    let opener = ArchiveOpener()

    /// The model in an `elements` file's bytes. `file` names it in errors. Throws `ModelFileError`.
    package static func read(_ data: Data, from file: String) throws -> ModelSchema {
        try ModelFileError.locating(file) {
            guard let root = try KeyedArchive(data).root().object, root.isKind(of: "XDPMModel") else {
                throw ArchiveFailure("the archive holds no source model")
            }
            let reader = ArchivedSourceReader(file: file)
            var model = try reader.model(root)
            model.source = SourceDocument(remarks: reader.reading.remarks)
            return model
        }
    }

    private func model(_ root: ArchiveObject) throws -> ModelSchema {
        let package = try root.node("_xd_rootPackage").object
        let classes = try package?.node("XDBucketForClassesstorage").object?.pairs() ?? []
        var model = ModelSchema()
        var templates: [FetchTemplateSchema] = []
        for (key, node) in classes {
            guard let object = node.object, object.isKind(of: "XDPMEntity") else { continue }
            try ModelFileError.locating(file, entity: key.text) {
                let entity = try entity(object)
                model.entities.append(entity)
                templates += try self.templates(of: object, entity: entity.name)
            }
        }
        for holder in [root, package].compactMap(\.self) {
            templates += try self.templates(of: holder, entity: nil)
        }
        model.fetchTemplates = withoutNamesakes(templates)
        for (key, node) in try root.node("_configurationsByName").object?.pairs() ?? [] {
            let members = try (node.object?.elements() ?? []).map { member in
                guard let name = try member.text ?? member.object?.node("_name").text else {
                    throw ArchiveFailure("a configuration has a member that is no entity")
                }
                return name
            }
            model.configurations.append(.init(name: key.text ?? "", entityNames: members))
        }
        if let identifier = try root.node("_modelVersionIdentifier").text {
            model.versionIdentifiers = [identifier]
        }
        return model
    }

    private func entity(_ object: ArchiveObject) throws -> EntitySchema {
        let name = try self.name(of: object)
        var entity = EntitySchema(name: name)
        let facts = try Stereotypes(of: object)
        try entity.setClass(statedName: facts.text("XD_PSK_entityClassName"))
        entity.isAbstract = try facts.bool("XD_PSK_isAbstract") ?? false
        entity.renamingIdentifier = try identifier(facts.text("XD_PSK_elementID"), name: name)
        entity.versionHashModifier = try facts.text("XD_PSK_versionHashModifier")
        entity.userInfo = try userInfo(facts.node("XD_PSK_userInfo"))
        entity.uniquenessConstraints = try names(facts.node("XDPMUniquenessConstraints"))
        entity.compoundIndexes = try names(facts.node("XDPMCompoundIndexes"))
        let parents = try object.node("XDBucketForGeneralizationsstorage").object?.elements() ?? []
        if let parent = try parents.first?.object?.node("_general").object {
            entity.superentityName = try self.name(of: parent)
        }
        for (key, node) in try object.node("XDBucketForOwnedAttributesstorage").object?.pairs() ?? [] {
            guard let property = node.object else { throw ArchiveFailure("a property is empty") }
            try ModelFileError.locating(file, property: key.text) {
                if let property = try self.property(property, of: name) { entity.properties.append(property) }
            }
        }
        return entity
    }

    // MARK: Properties

    /// The property; `nil`, with a remark, for a fetched property that can't be read.
    private func property(_ object: ArchiveObject, of entity: String) throws -> PropertySchema? {
        let facts = try Stereotypes(of: object)
        let name = try self.name(of: object)
        func remark(_ subject: String, _ text: String, _ meaning: String) {
            let message = "\(subject) is \"\(text)\", \(meaning)"
            reading.add(ModelProblem(.warning, message: message, entity: entity, property: name))
        }
        var property: PropertySchema
        if object.isKind(of: "XDPMAttribute") {
            let traits = try attribute(facts, remark: remark)
            property = PropertySchema(name: name, kind: .attribute(traits))
            property.validation = try SourceValidation(
                minimum: facts.text("XD_PAttK_minValueString"),
                maximum: facts.text("XD_PAttK_maxValueString"),
                pattern: facts.text("XD_PAttK_regularExpressionString")
            ).rules(for: traits.type, remark: remark)
        } else if object.isKind(of: "XDPMRelationship") {
            property = try PropertySchema(
                name: name, kind: .relationship(relationship(facts, remark: remark)))
        } else if try isFetchedProperty(object) {
            guard let kind = fetchedKind(object, name: name, of: entity) else { return nil }
            property = PropertySchema(name: name, kind: kind)
        } else {
            throw ArchiveFailure(
                "properties of class \(object.className) can't be read; convert the model with a later Xcode")
        }
        property.isOptional = try facts.bool("XD_PPSK_isOptional") ?? false
        property.isTransient = try facts.bool("XD_PPSK_isTransient") ?? false
        // The compiler makes every fetched property transient.
        if case .fetched = property.kind { property.isTransient = true }
        property.isIndexed = try facts.bool("XD_PPSK_isIndexed") ?? false
        property.isIndexedBySpotlight = try facts.bool("XD_PPSK_isSpotlightIndexed") ?? false
        property.isStoredInExternalRecord = try facts.bool("XD_PPSK_isStoredInTruthFile") ?? false
        property.renamingIdentifier = try identifier(facts.text("XD_PPSK_elementID"), name: name)
        property.versionHashModifier = try facts.text("XD_PPSK_versionHashModifier")
        property.userInfo = try userInfo(facts.node("XD_PPSK_userInfo"))
        return property
    }

    private func attribute(
        _ facts: Stereotypes, remark: (String, String, String) -> Void
    ) throws -> AttributeTraits {
        let number = try facts.integer("XD_PAttK_attributeType") ?? 0
        let type = AttributeType(rawValue: UInt(clamping: number))
        if type == nil {
            remark("the attribute's type", "\(number)", "which isn't known: Undefined is assumed")
        }
        var traits = AttributeTraits(type ?? .undefined)
        if let text = try facts.text("XD_PAttK_defaultValueAsString") {
            let reading = SourceDefaultValue.reading(text, type: traits.type)
            if let taken = reading.remark { remark("the default value", text, taken) }
            traits.defaultValue = reading.value ?? .null
        }
        traits.valueTransformerName = try facts.text("XD_PAttK_valueTransformerName")
        traits.allowsExternalBinaryDataStorage =
            try facts.bool("XD_PAttK_allowsExternalBinaryDataStorage") ?? false
        return traits
    }

    private func relationship(
        _ facts: Stereotypes, remark: (String, String, String) -> Void
    ) throws -> RelationshipTraits {
        let destination = try facts.node("XD_PRK_destination").object.map(name)
        let inverse = try facts.node("XD_PRK_inverseRelationship").object.map(name)
        var traits = RelationshipTraits(destinationEntityName: destination ?? "", inverseName: inverse)
        let isToMany = try facts.bool("XD_PRK_isToMany") ?? false
        traits.minCount = try count(facts, key: "XD_PRK_minCount") ?? 0
        traits.maxCount = try count(facts, key: "XD_PRK_maxCount") ?? (isToMany ? 0 : 1)
        traits.isOrdered = try facts.bool("XD_PRK_ordered") ?? false
        let rule = try facts.integer("XD_PRK_deleteRule") ?? Int64(DeleteRule.nullify.rawValue)
        let known = DeleteRule(rawValue: UInt(clamping: rule))
        if known == nil { remark("the delete rule", "\(rule)", "which isn't known: Nullify is assumed") }
        traits.deleteRule = known ?? .nullify
        return traits
    }

    // MARK: Parts

    func name(of object: ArchiveObject) throws -> String {
        guard let name = try object.node("_name").text else { throw ArchiveFailure("an element has no name") }
        return name
    }

    private func count(_ facts: Stereotypes, key: String) throws -> Int? {
        guard let number = try facts.integer(key) else { return nil }
        guard let count = Int32(exactly: number) else { throw ArchiveFailure("\(key) is out of range") }
        return Int(count)
    }

    private func identifier(_ identifier: String?, name: String) -> String? {
        identifier == name || identifier == "" ? nil : identifier
    }

    /// User info without what Sync Services kept there: later sources state that apart, as `syncable`.
    private func userInfo(_ node: ArchiveNode) throws -> [Value: Value] {
        guard case .dictionary(let pairs) = try node.value() else { return [:] }
        return pairs.filter { key, _ in
            if case .string(let name) = key { !name.hasPrefix("com.apple.syncservices.") } else { true }
        }
    }

    private func names(_ node: ArchiveNode) throws -> [[String]] {
        try (node.object?.elements() ?? []).map { tuple in
            try (tuple.object?.elements() ?? []).map { element in
                guard let name = try element.text ?? element.object?.node("_name").text else {
                    throw ArchiveFailure("a constraint or compound index names no property")
                }
                return name
            }
        }
    }
}
