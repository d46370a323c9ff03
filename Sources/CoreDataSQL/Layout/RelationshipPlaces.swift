// Sorts a model's relationships by how a store holds them.

import CoreDataSchema

/// Which relationships are foreign keys, which are join tables, and who owns a join table.
struct RelationshipPlaces {
    /// A relationship with the entity that declares it.
    struct Side {
        var address: PropertyAddress
        var traits: RelationshipTraits
    }

    struct Join {
        var owner: Side
        var inverse: Side
    }

    private(set) var joins: [Join] = []
    /// To-many relationships without inverse, by the entity that they point to.
    private(set) var oneWay: [String: [Side]] = [:]
    private let index: ModelIndex

    init(_ index: ModelIndex, _ numbering: EntityNumbering) throws {
        self.index = index
        for entity in numbering.names {
            for side in relationships(of: entity) {
                guard numbering.contains(side.traits.destinationEntityName) else {
                    throw LayoutFailure(
                        entity: entity, property: side.address.property,
                        "its destination \"\(side.traits.destinationEntityName)\" isn't in the same store")
                }
                let inverse = try inverse(of: side)
                guard side.traits.isToMany else { continue }
                guard let inverse else {
                    oneWay[side.traits.destinationEntityName, default: []].append(side)
                    continue
                }
                if inverse.traits.isToMany, owns(side, over: inverse, numbering) {
                    joins.append(Join(owner: side, inverse: inverse))
                }
            }
        }
    }

    /// The relationships that an entity itself declares, by name; transient ones have no place.
    func relationships(of entity: String) -> [Side] {
        index.ownProperties(of: entity).compactMap { property in
            property.relationship.map { Side(address: PropertyAddress(entity, property.name), traits: $0) }
        }
    }

    func inverse(of side: Side) throws -> Side? {
        guard let name = side.traits.inverseName else { return nil }
        guard let destination = index.entity(side.traits.destinationEntityName),
            let traits = destination.propertiesByName[name]?.relationship,
            let declaring = destination.declaringEntity[name]
        else {
            throw LayoutFailure(
                entity: side.address.entity, property: side.address.property,
                "its inverse \"\(name)\" isn't a relationship of \"\(side.traits.destinationEntityName)\"")
        }
        return Side(address: PropertyAddress(declaring, name), traits: traits)
    }

    /// The entity with the lower number owns the table. Between two relationships of one entity Apple's choice
    /// doesn't follow from the model; here the first by name owns it.
    private func owns(_ side: Side, over inverse: Side, _ numbering: EntityNumbering) -> Bool {
        let own = numbering.names.firstIndex(of: side.address.entity) ?? 0
        let other = numbering.names.firstIndex(of: inverse.address.entity) ?? 0
        if own != other { return own < other }
        if side.address == inverse.address { return true }
        return precedesIgnoringCase(side.address.property, inverse.address.property)
    }
}

extension ModelIndex {
    /// What an entity declares itself and a store keeps, by name.
    func ownProperties(of entity: String) -> [PropertySchema] {
        guard let found = self.entity(entity) else { return [] }
        return found.properties.filter { found.declaringEntity[$0.name] == entity && !$0.isTransient }
            .sorted { precedesIgnoringCase($0.name, $1.name) }
    }
}
