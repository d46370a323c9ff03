// From a source to a mapping model. The compilation generates what Apple's compiler
// generates for the same sources.

import CoreDataPredicate
package import CoreDataSchema
import CoreDataSupport
import Foundation

extension MappingSource {
    /// The mapping model. Throws `ModelFileError` (with an empty file name) for entities that the models don't have.
    package func compiled() throws -> MappingSchema {
        try MappingCompiler(self).mapping()
    }
}

/// Fills in what a source leaves out.
struct MappingCompiler {
    private let content: MappingSource
    let source: ModelIndex
    let destination: ModelIndex
    private let sourceHashes: [String: EntityHash]
    private let destinationHashes: [String: EntityHash]

    /// Throws `ModelFlaw` if one of the models doesn't hold together.
    init(_ content: MappingSource) throws {
        for model in [content.source, content.destination] {
            if let flaw = ModelSoundness.flaw(in: model) {
                throw ModelFileError(
                    file: "", entity: flaw.entity, property: flaw.property, reason: flaw.reason)
            }
        }
        self.content = content
        source = ModelIndex(content.source)
        destination = ModelIndex(content.destination)
        sourceHashes = VersionHash.hashes(of: source)
        destinationHashes = VersionHash.hashes(of: destination)
    }

    func mapping() throws -> MappingSchema {
        let ordered = content.entities.enumerated().sorted {
            ($0.element.number, $0.offset) < ($1.element.number, $1.offset)
        }
        var names: Set<String> = []
        let mappings = try ordered.map { try mapping($0.element) }
        for mapping in mappings where !names.insert(mapping.name).inserted {
            throw ModelFileError(
                file: "", entity: mapping.name, reason: "two entity mappings have this name")
        }
        return MappingSchema(entityMappings: mappings)
    }

    private func mapping(_ entity: MappingSource.Entity) throws -> EntityMappingSchema {
        let name =
            entity.name
            ?? EntityMappingSchema.name(source: entity.sourceName, destination: entity.destinationName)
        return try ModelFileError.locating("", entity: name) {
            var mapping = EntityMappingSchema(
                name: name, kind: kind(of: entity), source: entity.sourceName,
                destination: entity.destinationName)
            mapping.sourceVersionHash = try hash(entity.sourceName, hashes: sourceHashes, side: "source")
            mapping.destinationVersionHash = try hash(
                entity.destinationName, hashes: destinationHashes, side: "destination")
            mapping.policyClassName = entity.policyClassName
            mapping.userInfo = entity.userInfo
            mapping.sourceExpression = entity.expression ?? generatedExpression(of: entity)
            mapping.attributes = entity.attributes.map {
                property($0, generated: attributeValue($0, entity: entity.sourceName))
            }
            .sorted { $0.name < $1.name }
            mapping.relationships = entity.relationships.map {
                property($0, generated: relationshipValue($0, entity: entity.sourceName))
            }.sorted { $0.name < $1.name }
            return mapping
        }
    }

    func kind(of entity: MappingSource.Entity) -> EntityMappingSchema.Kind {
        guard entity.kind == .undefined else { return entity.kind }
        if entity.policyClassName != nil { return .custom }
        if entity.sourceName == nil { return .add }
        if entity.destinationName == nil { return .remove }
        let isChanged =
            entity.sourceName != entity.destinationName
            || entity.attributes.contains { $0.expression != nil || !$0.generatesExpression }
        return isChanged ? .transform : .copy
    }

    func generatedExpression(of entity: MappingSource.Entity) -> ExpressionTree? {
        guard entity.generatesExpression, let name = entity.sourceName else { return nil }
        let filter = entity.filter.flatMap { $0.isEmpty ? nil : $0 }
        return EntityMappingSchema.sourceExpression(of: name, where: filter ?? "TRUEPREDICATE")
    }

    private func hash(_ name: String?, hashes: [String: EntityHash], side: String) throws -> Data? {
        guard let name else { return nil }
        guard let hash = hashes[name] else {
            throw ArchiveFailure("the \(side) model has no entity \"\(name)\"")
        }
        return hash.data
    }

    // MARK: Properties

    private func property(
        _ property: MappingSource.Property, generated: ExpressionTree?
    ) -> PropertyMappingSchema {
        PropertyMappingSchema(
            name: property.name, value: property.expression ?? generated, userInfo: property.userInfo)
    }

    /// `$source.name`, if the source entity has an attribute of the name.
    func attributeValue(_ property: MappingSource.Property, entity: String?) -> ExpressionTree? {
        guard property.generatesExpression, let known = sourceProperty(property.name, of: entity),
            case .attribute = known.kind
        else { return nil }
        return PropertyMappingSchema.sourceValue(property.name)
    }

    /// Returns an expression for the objects that the mapping of the relationship's destination made of the
    /// related ones. If their entity has subentities, there may be several mappings, and all of them count.
    func relationshipValue(_ property: MappingSource.Property, entity: String?) -> ExpressionTree? {
        guard property.generatesExpression else { return nil }
        if let mapping = property.sourceMapping, let path = property.sourceKeyPath {
            let prefix = "$source."
            return PropertyMappingSchema.destinations(
                of: path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path, by: mapping)
        }
        guard let known = sourceProperty(property.name, of: entity),
            case .relationship(let traits) = known.kind
        else { return nil }
        let members = Set(source.subtree(of: traits.destinationEntityName))
        let mappings = content.entities.filter { $0.sourceName.map(members.contains) ?? false }
        if mappings.isEmpty { return nil }
        guard mappings.count == 1 else {
            return PropertyMappingSchema.destinations(ofRelationship: property.name)
        }
        let name =
            mappings[0].name
            ?? EntityMappingSchema.name(
                source: mappings[0].sourceName, destination: mappings[0].destinationName)
        return PropertyMappingSchema.destinations(of: property.name, by: name)
    }

    private func sourceProperty(_ name: String, of entity: String?) -> PropertySchema? {
        entity.flatMap { source.entity($0)?.propertiesByName[name] }
    }
}
