// Copies descriptions that refer to one another: references inside what is copied lead to the copies.

import Foundation

/// One act of copying. Not to be used twice.
final class DescriptionCopier {
    private var entities: [ObjectIdentifier: NSEntityDescription] = [:]
    private var properties: [ObjectIdentifier: NSPropertyDescription] = [:]

    func copy(_ entity: NSEntityDescription) -> NSEntityDescription {
        let copy = duplicate(entity)
        link(copy, to: entity)
        return copy
    }

    func copy(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
        let copy = type(of: model).makeByMetatype()
        let duplicates = model.entities.map(duplicate)
        for (original, duplicate) in zip(model.entities, duplicates) {
            duplicate.subentities = original.subentities.compactMap { entities[ObjectIdentifier($0)] }
        }
        copy.entities = duplicates
        for (original, duplicate) in zip(model.entities, duplicates) { link(duplicate, to: original) }
        for name in model.configurations {
            let members = model.entities(forConfigurationName: name) ?? []
            copy.setEntities(
                members.compactMap { entities[ObjectIdentifier($0)] }, forConfigurationName: name)
        }
        for (name, template) in model.templates {
            copy.setFetchRequestTemplate(self.copy(template), forName: name)
        }
        copy.localizationDictionary = model.localizationDictionary
        copy.versionIdentifiers = model.versionIdentifiers
        copy.source = model.source
        return copy
    }

    /// The entity with copies of its own properties; references still lead to the originals.
    private func duplicate(_ entity: NSEntityDescription) -> NSEntityDescription {
        let copy = type(of: entity).makeByMetatype()
        copy.name = entity.name
        copy.isAbstract = entity.isAbstract
        copy.userInfo = entity.userInfo
        copy.versionHashModifier = entity.versionHashModifier
        copy.compoundIndexes = entity.compoundIndexes
        copy.coreSpotlightDisplayNameExpression = entity.coreSpotlightDisplayNameExpression
        copy.ownClassName = entity.ownClassName
        copy.ownRenamingIdentifier = entity.ownRenamingIdentifier
        copy.constraints = entity.constraints
        copy.classModule = entity.classModule
        copy.codeGeneration = entity.codeGeneration
        copy.recordedVersionHash = entity.recordedVersionHash
        copy.properties = entity.ownProperties.compactMap { original in
            let duplicate = original.copy() as? NSPropertyDescription
            properties[ObjectIdentifier(original)] = duplicate
            return duplicate
        }
        entities[ObjectIdentifier(entity)] = copy
        return copy
    }

    /// Leads the copy's references to other copies, where there are any.
    private func link(_ copy: NSEntityDescription, to original: NSEntityDescription) {
        for (property, source) in zip(copy.ownProperties, original.ownProperties) {
            switch (property, source) {
            case (let copy as NSRelationshipDescription, let source as NSRelationshipDescription):
                link(copy, to: source)
            case (let copy as NSFetchedPropertyDescription, let source as NSFetchedPropertyDescription):
                copy.fetchRequest = source.fetchRequest.map { self.copy($0) }
            default: break
            }
        }
        copy.indexes = original.indexes.compactMap { index in
            guard let duplicate = index.copy() as? NSFetchIndexDescription else { return nil }
            for element in duplicate.elements {
                element.property = element.property.map { property in
                    properties[ObjectIdentifier(property)]
                        ?? copy.element(at: original.path(of: property)) ?? property
                }
            }
            return duplicate
        }
    }

    private func link(_ copy: NSRelationshipDescription, to source: NSRelationshipDescription) {
        if let destination = source.destinationEntity, let duplicate = entities[ObjectIdentifier(destination)]
        {
            copy.destinationEntity = duplicate
        }
        if let inverse = source.inverseRelationship,
            let duplicate = properties[ObjectIdentifier(inverse)] as? NSRelationshipDescription
        {
            copy.inverseRelationship = duplicate
        }
    }

    private func copy(
        _ request: NSFetchRequest<any NSFetchRequestResult>
    ) -> NSFetchRequest<any NSFetchRequestResult> {
        let copy = NSFetchRequest<any NSFetchRequestResult>(fields: request.fields)
        if let entity = request.entity, let duplicate = entities[ObjectIdentifier(entity)] {
            copy.entity = duplicate
        }
        return copy
    }
}
