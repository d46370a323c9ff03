// From the model classes to the model as a value.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import Foundation

extension ModelSchema {
    /// Reads the model as it is so far, sound or not.
    init(_ model: NSManagedObjectModel) {
        model.nameKeyPaths()
        self.init(
            entities: model.allEntities.map { EntitySchema($0) },
            configurations: model.configurationList.map { configuration in
                ConfigurationSchema(
                    name: configuration.name, entityNames: configuration.entities.compactMap(\.name))
            },
            fetchTemplates: model.templates.sorted { $0.key < $1.key }.map { name, request in
                FetchTemplateSchema(name: name, request: FetchRequestSchema(request.fields))
            },
            versionIdentifiers: model.versionIdentifiers.map { "\($0)" }.sorted())
        source = model.source
    }

    /// The same model with everything whose order means nothing sorted, and without recorded hashes: what two
    /// models that say the same have in common.
    var normalized: ModelSchema {
        var schema = self
        schema.entities = entities.map(\.normalized).sorted { $0.name < $1.name }
        schema.configurations = configurations.map {
            ConfigurationSchema(name: $0.name, entityNames: $0.entityNames.sorted())
        }.sorted { $0.name < $1.name }
        schema.fetchTemplates.sort { $0.name < $1.name }
        schema.versionIdentifiers.sort()
        return schema
    }
}

extension EntitySchema {
    init(_ entity: NSEntityDescription) {
        self.init(name: entity.name ?? "", properties: entity.ownProperties.map { PropertySchema($0) })
        className = entity.ownClassName
        classModule = entity.classModule
        codeGeneration = entity.codeGeneration
        isAbstract = entity.isAbstract
        superentityName = entity.superentity?.name
        uniquenessConstraints = entity.constraints.map { constraint in
            constraint.map { NSEntityDescription.propertyName($0, purpose: "uniqueness constraint") }
        }
        indexes = entity.indexes.map { FetchIndexSchema($0) }
        compoundIndexes = entity.compoundIndexes.map { index in
            index.map { NSEntityDescription.propertyName($0, purpose: "compound index") }
        }
        userInfo = [Value: Value](userInfo: entity.userInfo)
        renamingIdentifier = entity.ownRenamingIdentifier
        versionHashModifier = entity.versionHashModifier
        coreSpotlightDisplayNameExpression = entity.coreSpotlightDisplayNameExpression?.tree
        recordedVersionHash = entity.recordedVersionHash
    }

    /// The same entity with everything whose order means nothing sorted, and without its recorded hash and
    /// what only source models state.
    var normalized: EntitySchema {
        var schema = ModelSchema(entities: [self]).compiled.entities.first ?? self
        schema.properties.sort { $0.name < $1.name }
        schema.indexes.sort { $0.name < $1.name }
        schema.recordedVersionHash = nil
        return schema
    }
}

extension FetchIndexSchema {
    init(_ index: NSFetchIndexDescription) {
        self.init(
            name: index.name, elements: index.elements.map { FetchIndexElementSchema($0) },
            partialPredicate: index.partialIndexPredicate?.tree)
    }
}

extension FetchIndexElementSchema {
    init(_ element: NSFetchIndexElementDescription) {
        let collation = Collation(rawValue: element.collationType.rawValue) ?? .binary
        guard let expression = element.property as? NSExpressionDescription else {
            let entity = element.indexDescription?.entity
            let name = element.property.map { entity?.path(of: $0) ?? $0.name } ?? ""
            self.init(.property(name), collation: collation, isAscending: element.isAscending)
            return
        }
        guard let tree = expression.expression?.tree else {
            raise(.internalInconsistency, "The index element \"\(expression.name)\" has no expression.")
        }
        self.init(
            .expression(
                name: expression.name, tree, resultType: expression.expressionResultType.schemaType),
            collation: collation, isAscending: element.isAscending)
    }
}

extension FetchRequestSchema {
    /// Reads the part of a request that a model can keep: of computed columns only the name.
    init(_ fields: FetchRequestFields) {
        self.init(entityName: fields.entityName ?? "", predicate: fields.predicate?.tree)
        sortKeys = (fields.sortDescriptors ?? []).map { descriptor in
            guard let key = descriptor.sortKey else {
                raise(.invalidArgument, "A model can't keep the sort descriptor \(descriptor).")
            }
            return key
        }
        fetchLimit = fields.fetchLimit
        fetchOffset = fields.fetchOffset
        fetchBatchSize = fields.fetchBatchSize
        resultType = fields.resultType.rawValue
        includesSubentities = fields.includesSubentities
        includesPropertyValues = fields.includesPropertyValues
        includesPendingChanges = fields.includesPendingChanges
        returnsObjectsAsFaults = fields.returnsObjectsAsFaults
        returnsDistinctResults = fields.returnsDistinctResults
        propertiesToFetch = (fields.propertiesToFetch ?? []).map {
            NSEntityDescription.propertyName($0, purpose: "list of properties to fetch")
        }
        propertiesToGroupBy = (fields.propertiesToGroupBy ?? []).map {
            NSEntityDescription.propertyName($0, purpose: "list of properties to group by")
        }
        havingPredicate = fields.havingPredicate?.tree
        relationshipKeyPathsForPrefetching = fields.relationshipKeyPathsForPrefetching ?? []
    }
}
