// A mapping model while it is edited, with the two models that it leads from and to.

import CoreDataFiles
import CoreDataPredicate
package import CoreDataSchema
import CoreDataSupport
package import Foundation

/// The state that undo goes back to.
package struct MappingDraft: Sendable, Hashable {
    package var mapping: MappingSchema
    /// Nil for compiled mapping models, which hold none.
    package var source: ModelSchema?
    package var destination: ModelSchema?
    package var sourcePath: String?
    package var destinationPath: String?

    /// The contents of a file. Throws `ModelFileError`.
    package init(contentsOf url: URL) throws {
        guard url.pathExtension == "xcmappingmodel" else {
            mapping = try MappingFile.read(url)
            return
        }
        let content = try MappingFile.source(url)
        mapping = try ModelFileError.locating(url.path) { try content.compiled() }
        (source, destination) = (content.source, content.destination)
        (sourcePath, destinationPath) = (content.sourcePath, content.destinationPath)
    }

    /// A mapping model with all that follows from names and renaming identifiers.
    package init(from source: ModelSchema, to destination: ModelSchema) {
        (self.source, self.destination) = (source, destination)
        mapping = MappingSchema()
        let (older, newer) = (ModelIndex(source), ModelIndex(destination))
        let (old, new) = (VersionHash.hashes(of: older), VersionHash.hashes(of: newer))
        for name in newer.entityNames {
            let former = newer.entity(name).flatMap { Self.former($0.schema, in: older) }
            var entity = EntityMappingSchema(
                name: EntityMappingSchema.name(source: former, destination: name),
                kind: former == nil ? .add : old[former ?? ""] == new[name] ? .copy : .transform,
                source: former, destination: name)
            entity.sourceExpression = former.map { EntityMappingSchema.sourceExpression(of: $0) }
            mapping.entityMappings.append(entity)
        }
        let kept = Set(mapping.entityMappings.compactMap(\.sourceEntityName))
        mapping.entityMappings += older.entityNames.filter { !kept.contains($0) }.map {
            EntityMappingSchema(name: $0, kind: .remove, source: $0)
        }
        for place in mapping.entityMappings.indices { fill(place) }
    }

    private static func former(_ entity: EntitySchema, in older: ModelIndex) -> String? {
        [entity.renamingIdentifier, entity.name].compactMap(\.self).first { older.entity($0) != nil }
    }

    // MARK: Properties

    /// The properties that a mapping can give values: those of the destination that are stored.
    package func properties(of mapping: EntityMappingSchema) -> [PropertySchema] {
        guard let name = mapping.destinationEntityName, let destination else { return [] }
        return (ModelIndex(destination).entity(name)?.properties ?? []).filter { property in
            switch property.kind {
            case .attribute(let traits): !property.isTransient && traits.derivation == nil
            case .relationship: !property.isTransient
            case .fetched: false
            }
        }.sorted { $0.name < $1.name }
    }

    /// Gives the mapping at a place what its entities' properties have in common, and drops what the
    /// destination doesn't have.
    mutating func fill(_ place: Int) {
        let entity = mapping.entityMappings[place]
        let properties = properties(of: entity)
        func filled(_ isRelationship: Bool, _ known: [PropertyMappingSchema]) -> [PropertyMappingSchema] {
            properties.filter { ($0.relationship != nil) == isRelationship }.map { property in
                known.first { $0.name == property.name }
                    ?? PropertyMappingSchema(
                        name: property.name, value: standardValue(of: property, in: entity))
            }
        }
        mapping.entityMappings[place].attributes = filled(false, entity.attributes)
        mapping.entityMappings[place].relationships = filled(true, entity.relationships)
    }

    /// The value that a property has in the source under its name or its former one.
    func standardValue(of property: PropertySchema, in entity: EntityMappingSchema) -> ExpressionTree? {
        guard let source, let name = entity.sourceEntityName else { return nil }
        let index = ModelIndex(source)
        let known = index.entity(name)?.propertiesByName ?? [:]
        let names = [property.renamingIdentifier, property.name].compactMap(\.self)
        guard let old = names.lazy.compactMap({ known[$0] }).first else { return nil }
        switch (old.kind, property.kind) {
        case (.attribute, .attribute): return PropertyMappingSchema.sourceValue(old.name)
        case (.relationship(let traits), .relationship):
            let members = Set(index.subtree(of: traits.destinationEntityName))
            let concerned = mapping.entityMappings.filter { members.contains($0.sourceEntityName ?? "") }
            return concerned.count == 1
                ? PropertyMappingSchema.destinations(of: old.name, by: concerned[0].name)
                : PropertyMappingSchema.destinations(ofRelationship: old.name)
        default: return nil
        }
    }

    // MARK: Files

    /// The mapping as it is written: for the entities as the two models have them. Throws `ModelEditFailure`.
    func written() throws -> (mapping: MappingSchema, source: ModelSchema, destination: ModelSchema) {
        guard let source, let destination else {
            throw ModelEditFailure("A compiled mapping model can't be edited.")
        }
        let old = VersionHash.hashes(of: ModelIndex(source))
        let new = VersionHash.hashes(of: ModelIndex(destination))
        var result = mapping
        for place in result.entityMappings.indices {
            let entity = result.entityMappings[place]
            for (name, hashes, words) in [
                (entity.sourceEntityName, old, "older"), (entity.destinationEntityName, new, "newer"),
            ] where name != nil && hashes[name ?? ""] == nil {
                throw ModelEditFailure("\(entity.name): the \(words) model has no entity \"\(name ?? "")\".")
            }
            result.entityMappings[place].sourceVersionHash = entity.sourceEntityName.flatMap { old[$0]?.data }
            result.entityMappings[place].destinationVersionHash =
                entity.destinationEntityName.flatMap { new[$0]?.data }
            result.entityMappings[place].attributes.sort { $0.name < $1.name }
            result.entityMappings[place].relationships.sort { $0.name < $1.name }
        }
        return (result, source, destination)
    }
}

extension EntityMappingSchema {
    /// The predicate of a source expression that fetches objects of the entity; nil for an expression of
    /// another form, empty for all objects.
    package var filter: String? {
        guard let sourceExpression else { return "" }
        guard let name = sourceEntityName,
            case .fetchRequest(.function(_, MappingFunction.fetchRequest, let arguments), _, false) =
                sourceExpression,
            arguments.count == 2, arguments[0] == .constant(.string(name)),
            case .constant(.string(let text)) = arguments[1]
        else { return nil }
        return text == "TRUEPREDICATE" ? "" : text
    }
}
