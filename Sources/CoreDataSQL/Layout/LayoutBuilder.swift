// Computes where a model's properties go, in the layout of Apple's framework 1344.

package import CoreDataSchema

/// The layout of a new store.
package enum LayoutBuilder {
    /// The layout alone. `entities` restricts it to a configuration's entities.
    package static func layout(for index: ModelIndex, entities: Set<String>? = nil) throws -> StoreLayout {
        try blueprint(for: index, entities: entities).layout()
    }

    /// The layout with all that DDL needs beside it.
    package static func blueprint(
        for index: ModelIndex, entities: Set<String>? = nil
    ) throws -> StoreBlueprint {
        try blueprint(for: index, numbering: EntityNumbering(index, entities: entities))
    }

    /// The names that follow from given entity numbers.
    static func blueprint(for index: ModelIndex, numbering: EntityNumbering) throws -> StoreBlueprint {
        var blueprint = StoreBlueprint(
            index: index, numbering: numbering, tables: [], joins: [], slots: [:])
        try checkNames(index, numbering)
        let relationships = try RelationshipPlaces(index, numbering)
        for root in numbering.names where index.entity(root)?.rootName == root {
            var draft = TableDraft(
                root: root, index: index, numbering: numbering, relationships: relationships)
            try draft.fill()
            blueprint.tables.append(draft.shape)
            blueprint.slots.merge(draft.slots) { first, _ in first }
        }
        for place in relationships.joins { blueprint.add(place) }
        return blueprint
    }

    /// SQLite doesn't tell `ZCAR` from `Zcar`, and its texts end at a zero character.
    private static func checkNames(_ index: ModelIndex, _ numbering: EntityNumbering) throws {
        var roots: [String: String] = [:]
        for name in numbering.names {
            guard let entity = index.entity(name) else { continue }
            if name.contains("\0") || entity.properties.contains(where: { $0.name.contains("\0") }) {
                throw LayoutFailure(entity: name, "its name or that of a property contains a zero character")
            }
            guard entity.rootName == name else { continue }
            if let other = roots.updateValue(name, forKey: name.uppercased()) {
                throw LayoutFailure(
                    entity: name, "its table would have the same name as that of entity \"\(other)\"")
            }
        }
    }
}

extension StoreBlueprint {
    /// Adds a join table. Where another join table already names a column so, a number is appended.
    fileprivate mutating func add(_ place: RelationshipPlaces.Join) {
        var taken = Set(joins.flatMap(\.keyColumns))
        let owner = place.owner
        let inverse = place.inverse
        let ownerColumn = unique(columnName(owner), &taken)
        let inverseColumn =
            owner.address == inverse.address ? "REFLEXIVE" : unique(columnName(inverse), &taken)
        let ownerOrder = owner.traits.isOrdered ? orderName(ownerColumn) : nil
        let inverseOrder = inverse.traits.isOrdered ? orderName(inverseColumn) : nil
        let table = "Z_\(number(owner.address.entity))\(owner.address.property.uppercased())"
        slots[owner.address] = .join(
            JoinColumns(
                table: table, sourceColumn: inverseColumn, destinationColumn: ownerColumn,
                orderColumn: ownerOrder, inverseOrderColumn: inverseOrder,
                destination: owner.traits.destinationEntityName))
        if owner.address == inverse.address {
            let reflexive = JoinShape(
                table: table, owner: owner.address, inverse: owner.address,
                keyColumns: [ownerColumn, inverseColumn], orderColumns: [ownerOrder].compactMap(\.self))
            joins.append(reflexive)
            return
        }
        slots[inverse.address] = .join(
            JoinColumns(
                table: table, sourceColumn: ownerColumn, destinationColumn: inverseColumn,
                orderColumn: inverseOrder, inverseOrderColumn: ownerOrder,
                destination: inverse.traits.destinationEntityName))
        joins.append(
            JoinShape(
                table: table, owner: owner.address, inverse: inverse.address,
                keyColumns: [inverseColumn, ownerColumn],
                orderColumns: [inverseOrder, ownerOrder].compactMap(\.self)))
    }

    private func number(_ entity: String) -> Int { numbering.numbers[entity] ?? 0 }

    /// `Z_8LABELS`: named after the relationship, with the number of the entity whose rows it points to.
    private func columnName(_ side: RelationshipPlaces.Side) -> String {
        "Z_\(number(side.traits.destinationEntityName))\(side.address.property.uppercased())"
    }

    private func orderName(_ column: String) -> String {
        "Z_FOK_" + (column.hasPrefix("Z_") ? String(column.dropFirst(2)) : column)
    }
}

/// The name, or the name with the first number that makes it differ from those taken.
func unique(_ name: String, _ taken: inout Set<String>) -> String {
    var candidate = name
    var suffix = 0
    while !taken.insert(candidate).inserted {
        suffix += 1
        candidate = name + String(suffix)
    }
    return candidate
}
