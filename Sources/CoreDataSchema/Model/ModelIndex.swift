// A model's entities by name, with inheritance resolved: what planners and layouts ask.

/// Look-ups over a model that is known to be sound (`ModelSoundness`). Built once per model.
package struct ModelIndex: Sendable {
    /// An entity with everything that inheritance adds.
    package struct Entity: Sendable {
        package let schema: EntitySchema
        /// Itself first, the root last.
        package let ancestry: [String]
        package let directSubentities: [String]
        /// Own and inherited properties; the root's come first, each entity's own in the order of the model.
        package let properties: [PropertySchema]
        package let propertiesByName: [String: PropertySchema]
        /// The entity, in the chain of ancestors, that declares each property.
        package let declaringEntity: [String: String]

        package var name: String { schema.name }
        package var rootName: String { ancestry[ancestry.count - 1] }

        /// A property by its name, or an element of a composite attribute by its path (`address.city`).
        package func property(at path: String) -> PropertySchema? {
            if let known = propertiesByName[path] { return known }
            var steps = path.split(separator: ".", omittingEmptySubsequences: false)[...]
            guard let first = steps.popFirst(), var found = propertiesByName[String(first)] else {
                return nil
            }
            for step in steps {
                guard let next = found.attribute?.elements.first(where: { $0.name == step }) else {
                    return nil
                }
                found = next
            }
            return found
        }
    }

    package let model: ModelSchema
    /// All entities' names, sorted: a number for each entity that no store decides.
    package let entityNames: [String]
    private let byName: [String: Entity]

    package init(_ model: ModelSchema) {
        self.model = model
        var schemas: [String: EntitySchema] = [:]
        for entity in model.entities { schemas[entity.name] = entity }
        var children: [String: [String]] = [:]
        for entity in model.entities {
            if let parent = entity.superentityName { children[parent, default: []].append(entity.name) }
        }
        var built: [String: Entity] = [:]
        for entity in model.entities {
            var ancestry: [String] = []
            var next: EntitySchema? = entity
            while let current = next, !ancestry.contains(current.name) {
                ancestry.append(current.name)
                next = current.superentityName.flatMap { schemas[$0] }
            }
            var properties: [PropertySchema] = []
            var declaring: [String: String] = [:]
            for ancestor in ancestry.reversed() {
                for property in schemas[ancestor]?.properties ?? [] where declaring[property.name] == nil {
                    properties.append(property)
                    declaring[property.name] = ancestor
                }
            }
            built[entity.name] = Entity(
                schema: entity, ancestry: ancestry, directSubentities: (children[entity.name] ?? []).sorted(),
                properties: properties,
                propertiesByName: Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0) }),
                declaringEntity: declaring)
        }
        byName = built
        entityNames = built.keys.sorted()
    }

    package func entity(_ name: String) -> Entity? { byName[name] }

    /// Returns whether `name` is `ancestor` or inherits from it.
    package func entity(_ name: String, isKindOf ancestor: String) -> Bool {
        byName[name]?.ancestry.contains(ancestor) ?? false
    }

    /// The entity and all that inherit from it, the entity first.
    package func subtree(of name: String) -> [String] {
        guard let entity = byName[name] else { return [] }
        return [name] + entity.directSubentities.flatMap(subtree)
    }
}
