// The mapping model that the difference of two versions amounts to.

import CoreDataPredicate
import CoreDataSupport

extension MappingSchema {
    /// The mapping model that leads from one version of a model to another, by the rules of lightweight migration.
    package init(inferring source: ModelIndex, to destination: ModelIndex) throws(InferenceRefusal) {
        self.init(
            try MappingInference.difference(from: source, to: destination), from: source, to: destination)
    }

    /// The mapping model that a difference which was inferred amounts to. Its mappings have the `userInfo` of what they lead to,
    /// those that remove an entity have that entity's.
    package init(
        _ difference: SchemaDifference, from source: ModelIndex, to destination: ModelIndex
    ) {
        let (old, new) = (VersionHash.hashes(of: source), VersionHash.hashes(of: destination))
        var mappings = difference.added.map {
            EntityMappingSchema(name: "IEM_Add_\($0)", kind: .add, destination: $0)
        }
        mappings += difference.removed.map {
            EntityMappingSchema(name: "IEM_Remove_\($0)", kind: .remove, source: $0)
        }
        for pair in difference.pairs {
            mappings.append(
                EntityMappingSchema(
                    pair, source: source, destination: destination,
                    isSame: old[pair.source] == new[pair.destination]))
        }
        for index in mappings.indices {
            let entity =
                mappings[index].destinationEntityName.flatMap(destination.entity)
                ?? mappings[index].sourceEntityName.flatMap(source.entity)
            mappings[index].userInfo = entity?.schema.userInfo
            mappings[index].sourceVersionHash = mappings[index].sourceEntityName.flatMap { old[$0]?.data }
            mappings[index].destinationVersionHash = mappings[index].destinationEntityName.flatMap {
                new[$0]?.data
            }
        }
        self.init(entityMappings: mappings)
    }
}

extension EntityMappingSchema {
    fileprivate init(_ pair: EntityPair, source: ModelIndex, destination: ModelIndex, isSame: Bool) {
        self.init(
            name: "IEM_\(isSame ? "Copy" : "Transform")_\(pair.destination)",
            kind: isSame ? .copy : .transform,
            source: pair.source, destination: pair.destination)
        sourceExpression = Self.sourceExpression(of: pair.source)
        let older = source.entity(pair.source)?.propertiesByName ?? [:]
        let newer = destination.entity(pair.destination)?.propertiesByName ?? [:]
        for property in pair.properties {
            guard let old = older[property.source], let new = newer[property.destination],
                !old.isTransient, !new.isTransient
            else { continue }
            switch property.kind {
            case .attribute where new.attribute?.derivation == nil:
                attributes.append(
                    .init(
                        name: new.name, value: PropertyMappingSchema.inferredValue(old, new: new),
                        userInfo: new.userInfo))
            case .relationship:
                relationships.append(
                    .init(
                        name: new.name, value: PropertyMappingSchema.destinations(ofRelationship: old.name),
                        userInfo: new.userInfo))
            case .attribute, .fetched: break
            }
        }
    }
}

extension PropertyMappingSchema {
    /// The old value; in place of a missing one that isn't optional any more, the default.
    fileprivate static func inferredValue(_ old: PropertySchema, new: PropertySchema) -> ExpressionTree {
        let value = sourceValue(old.name)
        guard old.isOptional, !new.isOptional, let fallback = new.attribute?.defaultValue, fallback != .null
        else { return value }
        return .conditional(
            .comparison(.init(value, op: .equalTo, right: .constant(.null))), .constant(fallback), value)
    }
}
