// From the places of declared properties to what each entity sees.

import CoreDataSchema

extension StoreBlueprint {
    /// The layout that planners use: inherited properties and the far side of foreign keys filled in.
    package func layout() -> StoreLayout {
        var result: [String: EntityTable] = [:]
        let shapes = Dictionary(uniqueKeysWithValues: tables.map { ($0.rootName, $0) })
        for name in numbering.names {
            guard let entity = index.entity(name), let number = numbering.numbers[name],
                let shape = shapes[entity.rootName]
            else { continue }
            result[name] = EntityTable(
                entityName: name, number: number,
                superNumber: entity.schema.superentityName.flatMap { numbering.numbers[$0] } ?? 0,
                rootName: entity.rootName, table: shape.name, isPolymorphic: shape.isPolymorphic,
                subtreeNumbers: numbering.subtree(of: name, in: index).compactMap { numbering.numbers[$0] },
                columns: columns(of: entity, tables: shapes), head: shape.head, isStated: shape.isStated)
        }
        return StoreLayout(tables: result, dialect: form.dialect)
    }

    private func columns(
        of entity: ModelIndex.Entity, tables: [String: TableShape]
    ) -> [String: PropertyColumn] {
        var columns: [String: PropertyColumn] = [:]
        for property in entity.properties where !property.isTransient {
            guard let declaring = entity.declaringEntity[property.name] else { continue }
            let address = PropertyAddress(declaring, property: property.name)
            columns[property.name] =
                slots[address] ?? property.relationship.flatMap { farSide(of: $0, tables: tables) }
        }
        return columns
    }

    /// A to-many relationship as its to-one inverse holds it.
    private func farSide(of traits: RelationshipTraits, tables: [String: TableShape]) -> PropertyColumn? {
        guard traits.isToMany, let inverse = traits.inverseName,
            let destination = index.entity(traits.destinationEntityName),
            let declaring = destination.declaringEntity[inverse],
            let table = tables[destination.rootName]?.name,
            case .toOne(let column, let entityColumn, let orderColumn, _)? =
                slots[PropertyAddress(declaring, property: inverse)]
        else { return nil }
        return .toMany(
            table: table, column: column, entityColumn: entityColumn,
            orderColumn: traits.isOrdered ? orderColumn : nil, destination: traits.destinationEntityName)
    }
}
