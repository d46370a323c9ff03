// From the model as a value to the model classes.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import Foundation

/// Fills a model with what a value says. References to entities or properties that don't exist stay open.
struct ModelBuilder {
    private let schema: ModelSchema
    let entities: [String: NSEntityDescription]
    private let parents: [String: String]

    /// `given` are entities to be filled in place of new ones.
    init(_ schema: ModelSchema, using given: [String: NSEntityDescription] = [:]) {
        self.schema = schema
        var entities: [String: NSEntityDescription] = [:]
        for entity in schema.entities { entities[entity.name] = given[entity.name] ?? NSEntityDescription() }
        self.entities = entities
        var parents: [String: String] = [:]
        for entity in schema.entities { parents[entity.name] = entity.superentityName }
        self.parents = parents
    }

    func fill(_ model: NSManagedObjectModel) {
        for entity in schema.entities { fillFields(of: entity) }
        linkInheritance()
        model.entities = schema.entities.compactMap { entities[$0.name] }
        for entity in schema.entities { linkProperties(of: entity) }
        for configuration in schema.configurations {
            model.setEntities(
                configuration.entityNames.compactMap { entities[$0] },
                forConfigurationName: configuration.name)
        }
        for template in schema.fetchTemplates {
            model.setFetchRequestTemplate(request(template.request), forName: template.name)
        }
        model.versionIdentifiers = Set(schema.versionIdentifiers)
        model.source = schema.source
    }

    private func fillFields(of schema: EntitySchema) {
        guard let entity = entities[schema.name] else { return }
        entity.name = schema.name
        entity.ownClassName = schema.className
        entity.classModule = schema.classModule
        entity.codeGeneration = schema.codeGeneration
        entity.isAbstract = schema.isAbstract
        entity.constraints = schema.uniquenessConstraints
        entity.compoundIndexes = schema.compoundIndexes
        entity.userInfo = schema.userInfo.userInfo
        entity.ownRenamingIdentifier = schema.renamingIdentifier
        entity.versionHashModifier = schema.versionHashModifier
        entity.coreSpotlightDisplayNameExpression =
            schema.coreSpotlightDisplayNameExpression.map { NSExpression.make($0) }
        entity.recordedVersionHash = schema.recordedVersionHash
        entity.properties = schema.properties.map(property)
    }

    private func linkInheritance() {
        var children: [String: [NSEntityDescription]] = [:]
        for schema in schema.entities {
            if let parent = schema.superentityName, let entity = entities[schema.name], hasRoot(schema) {
                children[parent, default: []].append(entity)
            }
        }
        for (name, children) in children { entities[name]?.subentities = children }
    }

    /// Returns whether the entity's ancestors end somewhere: no file may make the reader loop.
    private func hasRoot(_ entity: EntitySchema) -> Bool {
        var seen: Set<String> = []
        var next: String? = entity.name
        while let name = next {
            guard seen.insert(name).inserted else { return false }
            next = parents[name]
        }
        return true
    }

    private func linkProperties(of schema: EntitySchema) {
        guard let entity = entities[schema.name] else { return }
        for case let relationship as NSRelationshipDescription in entity.ownProperties {
            guard let traits = schema.properties.first(where: { $0.name == relationship.name })?.relationship,
                let inverse = traits.inverseName
            else { continue }
            if let inverse = relationship.destinationEntity?.relationshipsByName[inverse] {
                relationship.inverseRelationship = inverse
            }
        }
        entity.indexes = schema.indexes.map { index($0, of: entity) }
    }

    private func index(_ schema: FetchIndexSchema, of entity: NSEntityDescription) -> NSFetchIndexDescription
    {
        let elements = schema.elements.map { element in
            let description = NSFetchIndexElementDescription(
                property: subject(element.subject, of: entity),
                collationType: element.collation == .rTree ? .rTree : .binary)
            description.isAscending = element.isAscending
            return description
        }
        let index = NSFetchIndexDescription(name: schema.name, elements: elements)
        index.partialIndexPredicate = schema.partialPredicate.map { NSPredicate.make($0) }
        return index
    }

    private func subject(
        _ subject: FetchIndexElementSchema.Subject, of entity: NSEntityDescription
    ) -> NSPropertyDescription {
        switch subject {
        case .property(let name):
            if let property = entity.propertiesByName[name] ?? entity.element(at: name) { return property }
            let unknown = NSPropertyDescription()
            unknown.name = name
            return unknown
        case .expression(let name, let tree, let resultType):
            let description = NSExpressionDescription()
            description.name = name
            description.expression = NSExpression.make(tree)
            description.expressionResultType = NSAttributeType(resultType)
            return description
        }
    }
}
