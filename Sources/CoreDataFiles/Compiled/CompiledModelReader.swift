// Reads compiled models (.mom): keyed archives of the model's classes.

package import CoreDataSchema
import CoreDataSupport
package import Foundation

/// A reader of compiled models.
package struct CompiledModelReader {
    let file: String

    /// The model in a compiled model's bytes. `file` names them in errors. Throws `ModelFileError`.
    package static func read(_ data: Data, from file: String) throws -> ModelSchema {
        try ModelFileError.locating(file) {
            let reader = CompiledModelReader(file: file)
            guard let root = try KeyedArchive(data).root().object, root.isKind(of: "NSManagedObjectModel")
            else {
                throw ArchiveFailure("the archive holds no model")
            }
            return try reader.model(root)
        }
    }

    private func model(_ root: ArchiveObject) throws -> ModelSchema {
        let entities = try (root.node("NSEntities").object?.pairs() ?? []).map { key, node in
            try ModelFileError.locating(file, entity: key.text) {
                guard let object = node.object else { throw ArchiveFailure("the entity has no description") }
                return try entity(object, name: key.text)
            }
        }
        let templates = try (root.node("NSFetchRequestTemplates").object?.pairs() ?? []).map { key, node in
            try ModelFileError.locating(file, property: key.text) {
                guard let name = key.text, let object = node.object else {
                    throw ArchiveFailure("a fetch request template has no name or no request")
                }
                return try FetchTemplateSchema(name: name, request: fetchRequest(object))
            }
        }
        return try ModelSchema(
            entities: Self.withoutInheritedCopies(entities),
            configurations: configurations(root), fetchTemplates: templates,
            versionIdentifiers: (root.node("NSVersionIdentifiers").object?.elements() ?? []).compactMap(
                \.text))
    }

    private func configurations(_ root: ArchiveObject) throws -> [ConfigurationSchema] {
        try (root.node("NSConfigurations").object?.pairs() ?? []).map { key, node in
            guard let name = key.text else { throw ArchiveFailure("a configuration has no name") }
            let members = try (node.object?.elements() ?? []).map { member in
                guard let member = try member.object?.node("NSEntityName").text else {
                    throw ArchiveFailure("configuration \"\(name)\" has a member that is no entity")
                }
                return member
            }
            return ConfigurationSchema(name: name, entityNames: members)
        }
    }

    private func entity(_ object: ArchiveObject, name: String?) throws -> EntitySchema {
        guard let name = try name ?? object.node("NSEntityName").text else {
            throw ArchiveFailure("an entity has no name")
        }
        var entity = EntitySchema(name: name)
        let className = try object.node("NSClassNameForEntity").text
        entity.className = className == "NSManagedObject" ? nil : className
        entity.isAbstract = try object.bool("NSIsAbstract")
        entity.superentityName = try object.node("NSSuperentity").object?.node("NSEntityName").text
        entity.properties = try properties(object, of: name)
        entity.uniquenessConstraints = try names(object.node("NSUniqueTuples"))
        entity.compoundIndexes = try names(object.node("NSCompoundIndexes"))
        entity.indexes = try (object.node("NSFetchIndexDescriptions").object?.elements() ?? []).map(
            fetchIndex)
        entity.userInfo = try userInfo(object)
        entity.renamingIdentifier = try renamingIdentifier(object, name: name)
        entity.versionHashModifier = try object.node("NSVersionHashModifier").text
        if let expression = try object.node("NSCoreSpotlightDisplayNameExpression").object {
            entity.coreSpotlightDisplayNameExpression = try ArchivedPredicateReader.expression(expression)
        }
        return entity
    }

    private func properties(_ object: ArchiveObject, of entity: String) throws -> [PropertySchema] {
        try (object.node("NSProperties").object?.pairs() ?? []).map { key, node in
            try ModelFileError.locating(file, entity: entity, property: key.text) {
                guard var property = node.object else {
                    throw ArchiveFailure("the property has no description")
                }
                // A property that a subentity inherits may stand here as a reference to the superentity's.
                if property.isKind(of: "_NSPropertyDescriptionProxy"),
                    let underlying = try property.node("NSUnderlyingProperty").object
                {
                    property = underlying
                }
                return try self.property(property, name: key.text)
            }
        }
    }

    /// Caches of models repeat inherited properties in every subentity; the model states them once.
    private static func withoutInheritedCopies(_ entities: [EntitySchema]) -> [EntitySchema] {
        var declared: [String: Set<String>] = [:]
        var parents: [String: String] = [:]
        for entity in entities {
            declared[entity.name] = Set(entity.properties.map(\.name))
            parents[entity.name] = entity.superentityName
        }
        return entities.map { entity in
            var inherited: Set<String> = []
            var seen: Set<String> = [entity.name]
            var next = entity.superentityName
            while let name = next, seen.insert(name).inserted {
                inherited.formUnion(declared[name] ?? [])
                next = parents[name]
            }
            var entity = entity
            if !inherited.isEmpty { entity.properties.removeAll { inherited.contains($0.name) } }
            return entity
        }
    }

    // MARK: Parts

    /// Lists of property names; an element may be the property itself.
    private func names(_ node: ArchiveNode) throws -> [[String]] {
        try (node.object?.elements() ?? []).map { tuple in
            try (tuple.object?.elements() ?? []).map { element in
                guard let name = try element.text ?? element.object?.node("NSPropertyName").text else {
                    throw ArchiveFailure("a constraint or compound index names no property")
                }
                return name
            }
        }
    }

    func userInfo(_ object: ArchiveObject) throws -> [Value: Value] {
        guard case .dictionary(let pairs) = try object.node("NSUserInfo").value() else { return [:] }
        return pairs
    }

    /// The renaming identifier, unless it is the name itself, which archives write for "none".
    func renamingIdentifier(_ object: ArchiveObject, name: String) throws -> String? {
        let identifier = try object.node("NSRenamingIdentifier").text
        return identifier == name ? nil : identifier
    }

    private func fetchIndex(_ node: ArchiveNode) throws -> FetchIndexSchema {
        guard let object = node.object, let name = try object.node("NSIndexName").text else {
            throw ArchiveFailure("a fetch index has no name")
        }
        let elements = try (object.node("NSIndexElements").object?.elements() ?? []).map {
            guard let element = $0.object else {
                throw ArchiveFailure("fetch index \"\(name)\" has an empty element")
            }
            return try fetchIndexElement(element, index: name)
        }
        let predicate = try object.node("NSPartialIndexPredicate").object.map(
            ArchivedPredicateReader.predicate)
        return FetchIndexSchema(name: name, elements: elements, partialPredicate: predicate)
    }

    private func fetchIndexElement(_ object: ArchiveObject, index: String) throws -> FetchIndexElementSchema {
        guard
            let type = try FetchIndexElementSchema.Collation(
                rawValue: UInt(clamping: object.integer("NSFetchIndexElementType") ?? 0))
        else { throw ArchiveFailure("fetch index \"\(index)\" has an element of unknown type") }
        let property = try object.node("NSProperty").object
        let subject: FetchIndexElementSchema.Subject
        if let property, let expression = try property.node("NSExpression").object {
            subject = try .expression(
                name: property.node("NSPropertyName").text ?? "",
                ArchivedPredicateReader.expression(expression),
                resultType: attributeType(property, key: "NSExpressionResultType"))
        } else if let name = try object.node("NSPropertyName").text ?? property?.node("NSPropertyName").text {
            subject = .property(name)
        } else {
            throw ArchiveFailure("fetch index \"\(index)\" has an element that names no property")
        }
        return try FetchIndexElementSchema(subject, collation: type, isAscending: object.bool("NSAscending"))
    }

    func attributeType(_ object: ArchiveObject, key: String) throws -> AttributeType {
        let number = try object.integer(key) ?? 0
        guard number >= 0, let type = AttributeType(rawValue: UInt(number)) else {
            throw ArchiveFailure("unknown attribute type \(number)")
        }
        return type
    }
}
