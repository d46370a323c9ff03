// Who is related to rows that were deleted, where nobody says so.

import CoreDataSchema

extension NSManagedObjectContext {
    /// The objects that are here and whose values or members lead to rows that are gone. They are to be read again.
    /// Looks at all objects of the entities that have relationships to such rows.
    final func referrers(to places: [Place: [Int64]]) -> [NSManagedObjectID] {
        let gone = places.reduce(into: [Int: Set<Int64>]()) { $0[$1.key.table, default: []].formUnion($1.value) }
        if gone.isEmpty { return [] }
        let roots = Set(places.keys.map { runtime.entities[$0.entity].rootNumber })
        let leading = runtime.entities.map { entity in
            entity.properties.filter { property in
                property.relation.map { roots.contains($0.destination(in: runtime).rootNumber) } ?? false
            }
        }
        if leading.allSatisfy(\.isEmpty) { return [] }
        return registry.all().filter { object in
            !object.isFault && object.isKnownBelow
                && leading[object.runtime.number].contains { object.leads(by: $0, to: gone) }
        }.map(\.objectID)
    }
}

extension NSManagedObject {
    /// Whether a relationship, as far as it is known, leads to one of the rows, which are by table.
    fileprivate final func leads(by property: PropertyRuntime, to gone: [Int: Set<Int64>]) -> Bool {
        switch property.kind {
        case .toOne(let slot, let relation):
            if RowPointer(row, slab: slab).isNull(slot.index) { return false }
            // Tables of a store follow each other, one for each entity.
            let count = runtime.model.entities.count
            let target = Int(table) / count * count + relation.destination(in: runtime.model).rootNumber
            return gone[target]?.contains(Int64(bitPattern: row[slot.word])) ?? false
        case .toMany(let relation):
            guard let members = extras?.relations[relation.number] as? ToMany, members.isLoaded else {
                return false
            }
            return members.members.contains { gone[Int($0.table)]?.contains($0.primaryKey) ?? false }
        case .attribute, .composite, .fetched: return false
        }
    }
}
