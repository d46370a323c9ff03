// Checks that a model holds together: every layer that works with a `ModelIndex` takes this for granted.

/// A fault of a model, and its place.
package struct ModelFlaw: Error, Sendable, Hashable, CustomStringConvertible {
    package let entity: String?
    package let property: String?
    package let reason: String
    /// The XML attribute by which a source model states it, if one does.
    package var attribute: String?

    /// The reason with that attribute.
    package var sourceReason: String { attribute.map { "\(reason) (\"\($0)\")" } ?? reason }

    package var description: String {
        let place = [entity, property].compactMap(\.self).joined(separator: ".")
        return place.isEmpty ? reason : "\(place): \(reason)"
    }
}

/// Checks a model before it is used.
package struct ModelSoundness {
    private let model: ModelSchema
    private let index: ModelIndex

    private init(_ model: ModelSchema) {
        self.model = model
        index = ModelIndex(model)
    }

    /// The first flaw of the model; `nil` for a sound one.
    package static func flaw(in model: ModelSchema) -> ModelFlaw? {
        do {
            try requireNames(model.entities)
            let validator = ModelSoundness(model)
            for entity in model.entities { try validator.check(entity) }
            for configuration in model.configurations { try validator.check(configuration) }
            return nil
        } catch {
            return error
        }
    }

    private static func requireNames(_ entities: [EntitySchema]) throws(ModelFlaw) {
        var names: Set<String> = []
        for entity in entities {
            if entity.name.isEmpty {
                throw ModelFlaw(entity: nil, property: nil, reason: "an entity has no name")
            }
            guard names.insert(entity.name).inserted else {
                throw ModelFlaw(entity: entity.name, property: nil, reason: "two entities have this name")
            }
        }
    }

    private func check(_ entity: EntitySchema) throws(ModelFlaw) {
        try checkInheritance(of: entity)
        var names: Set<String> = []
        for property in entity.properties {
            if property.name.isEmpty { throw flaw(entity, reason: "a property has no name") }
            guard names.insert(property.name).inserted else {
                throw flaw(entity, property: property, reason: "two properties have this name")
            }
            try check(property, of: entity)
        }
        let known = index.entity(entity.name)
        for name in entity.uniquenessConstraints.joined() where known?.property(at: name) == nil {
            throw flaw(
                entity, reason: "a uniqueness constraint names \"\(name)\", which is no property", in: "value"
            )
        }
        for element in entity.indexes.flatMap(\.elements) {
            guard case .property(let name) = element.subject, known?.property(at: name) == nil else {
                continue
            }
            throw flaw(entity, reason: "an index names \"\(name)\", which is no property", in: "property")
        }
    }

    private func checkInheritance(of entity: EntitySchema) throws(ModelFlaw) {
        guard let parent = entity.superentityName else { return }
        guard index.entity(parent) != nil else {
            throw flaw(entity, reason: "the superentity \"\(parent)\" isn't in the model", in: "parentEntity")
        }
        // A sound chain ends in a root; the index breaks off a circle before it closes.
        let ancestry = index.entity(entity.name)?.ancestry ?? []
        if let last = ancestry.last, index.entity(last)?.schema.superentityName != nil {
            throw flaw(entity, reason: "it inherits from itself", in: "parentEntity")
        }
    }

    private func check(_ property: PropertySchema, of entity: EntitySchema) throws(ModelFlaw) {
        switch property.kind {
        case .fetched: return
        case .attribute(let traits):
            if traits.type == .undefined, !property.isTransient {
                throw flaw(
                    entity, property: property, reason: "the attribute has no type", in: "attributeType")
            }
        case .relationship(let traits):
            guard let destination = index.entity(traits.destinationEntityName) else {
                throw flaw(
                    entity, property: property,
                    reason: "the destination entity \"\(traits.destinationEntityName)\" isn't in the model",
                    in: "destinationEntity")
            }
            guard let inverse = traits.inverseName else { return }
            guard destination.propertiesByName[inverse]?.relationship != nil else {
                throw flaw(
                    entity, property: property,
                    reason: "the inverse \"\(inverse)\" is no relationship of \(destination.name)",
                    in: "inverseName")
            }
        }
    }

    private func check(_ configuration: ConfigurationSchema) throws(ModelFlaw) {
        for name in configuration.entityNames where index.entity(name) == nil {
            throw ModelFlaw(
                entity: nil, property: nil,
                reason:
                    "the configuration \"\(configuration.name)\" names \"\(name)\", which isn't in the model",
                attribute: "name")
        }
    }

    private func flaw(
        _ entity: EntitySchema, property: PropertySchema, reason: String, in attribute: String? = nil
    ) -> ModelFlaw {
        ModelFlaw(entity: entity.name, property: property.name, reason: reason, attribute: attribute)
    }

    private func flaw(
        _ entity: EntitySchema, reason: String, in attribute: String? = nil
    ) -> ModelFlaw {
        ModelFlaw(entity: entity.name, property: nil, reason: reason, attribute: attribute)
    }
}
