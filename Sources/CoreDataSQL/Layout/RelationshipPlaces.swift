// Sorts a model's relationships by how a store holds them.

import CoreDataSchema

/// The relationships that are foreign keys, those that are join tables, and the owners of join tables.
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

    /// In the order in which they and their columns get their names.
    private(set) var joins: [Join] = []
    /// To-many relationships without inverse, by the entity that they point to.
    private(set) var oneWay: [String: [Side]] = [:]
    private let index: ModelIndex

    /// `owners` are the relationships that name the join table of a pair inside one entity, where that is known.
    init(_ index: ModelIndex, numbering: EntityNumbering, owners: Set<PropertyAddress> = []) throws {
        self.index = index
        for entity in numbering.names {
            for side in relationships(of: entity) {
                guard numbering.contains(side.traits.destinationEntityName) else {
                    throw LayoutFailure(
                        entity: entity, property: side.address.property,
                        "its destination \"\(side.traits.destinationEntityName)\" isn't in the same store")
                }
                if try inverse(of: side) == nil, side.traits.isToMany {
                    oneWay[side.traits.destinationEntityName, default: []].append(side)
                }
            }
        }
        joins = try pairs(numbering, owners: owners)
    }

    // MARK: Join tables

    /// The pairs of to-many relationships, each where the traversal first meets it.
    private func pairs(_ numbering: EntityNumbering, owners: Set<PropertyAddress>) throws -> [Join] {
        var met: Set<PropertyAddress> = []
        var found: [Join] = []
        for entity in traversal(numbering) {
            let sides = relationships(of: entity).filter(\.traits.isToMany)
            for side in sides.sorted(by: {
                precedesInCodeUnits($0.address.property, than: $1.address.property)
            }) {
                guard !met.contains(side.address), let inverse = try inverse(of: side),
                    inverse.traits.isToMany, isStored(inverse.address)
                else { continue }
                met.formUnion([side.address, inverse.address])
                found.append(join(side, second: inverse, owners: owners))
            }
        }
        return found
    }

    private func isStored(_ address: PropertyAddress) -> Bool {
        index.entity(address.entity)?.propertiesByName[address.property]?.isTransient == false
    }

    /// The entities by name in code units, each after its superentity: the order in which Apple's framework names join
    /// tables and their columns. It isn't that of entity numbers.
    private func traversal(_ numbering: EntityNumbering) -> [String] {
        var met: Set<String> = []
        return numbering.names.sorted(by: precedesInCodeUnits).flatMap { name in
            (index.entity(name)?.ancestry ?? []).reversed().filter { met.insert($0).inserted }
        }
    }

    /// Between two entities the relationship that is met first names the table. Inside one Apple's choice follows from no
    /// rule that is known wholly: nearly always it is the last by name.
    private func join(_ first: Side, second: Side, owners: Set<PropertyAddress>) -> Join {
        let isDetermined = first.address.entity != second.address.entity || first.address == second.address
        if isDetermined { return Join(owner: first, inverse: second) }
        let known = owners.intersection([first.address, second.address])
        let owner = known.count == 1 ? known.first : second.address
        return owner == first.address
            ? Join(owner: first, inverse: second) : Join(owner: second, inverse: first)
    }

    /// The relationships that an entity itself declares, by name; transient ones have no place.
    func relationships(of entity: String) -> [Side] {
        index.ownProperties(of: entity).compactMap { property in
            property.relationship.map {
                Side(address: PropertyAddress(entity, property: property.name), traits: $0)
            }
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
        return Side(address: PropertyAddress(declaring, property: name), traits: traits)
    }
}

extension ModelIndex {
    /// Returns the properties that an entity declares itself and a store keeps, by name.
    func ownProperties(of entity: String) -> [PropertySchema] {
        guard let found = self.entity(entity) else { return [] }
        return found.properties.filter { found.declaringEntity[$0.name] == entity && !$0.isTransient }
            .sorted { precedesIgnoringCase($0.name, than: $1.name) }
    }
}
