// The objects that are related to deleted rows, when the source of the merge doesn't name them.

import CoreDataSchema

extension NSManagedObjectContext {
    /// The objects that are here and whose values or members lead to rows that are gone. They are to be read again.
    ///
    /// Looks at the registered objects of entities that have relationships to such rows, but only if the context has one of
    /// the deleted objects itself: others are nobody's member, and a key of theirs leads nowhere.
    final func referrers(to places: [Place: [Int64]]) -> [NSManagedObjectID] {
        var gone: [Int: Set<Int64>] = [:]
        for (place, keys) in places {
            let held = keys.filter { registry.object(table: place.table, primaryKey: $0) != nil }
            if !held.isEmpty { gone[place.table, default: []].formUnion(held) }
        }
        if gone.isEmpty { return [] }
        let count = runtime.entities.count
        let roots = Set(gone.keys.map { $0 % count })
        let leading = runtime.entities.map { entity in
            entity.properties.filter { property in
                property.relation.map { roots.contains($0.destination(in: runtime).rootNumber) } ?? false
            }
        }
        let owners = Set(runtime.entities.filter { !leading[$0.number].isEmpty }.map(\.rootNumber))
        return registry.objects(ofRoots: owners).filter { object in
            !object.isFault && object.isKnownBelow
                && leading[object.runtime.number].contains { object.leads(by: $0, to: gone) }
        }.map(\.objectID)
    }
}

extension NSManagedObject {
    /// Returns whether a relationship, as far as it is known, leads to one of the rows, which are by table, or led there when it was
    /// read: a deletion may have emptied it.
    fileprivate final func leads(by property: PropertyRuntime, to gone: [Int: Set<Int64>]) -> Bool {
        switch property.kind {
        case .toOne(let slot, let relation):
            // Tables of a store follow each other, one for each entity.
            let count = runtime.model.entities.count
            let target = Int(table) / count * count + relation.destination(in: runtime.model).rootNumber
            guard let keys = gone[target] else { return false }
            return [row, committed ?? row].contains { row in
                !RowPointer(row, slab: slab).isNull(slot.index)
                    && keys.contains(Int64(bitPattern: row[slot.word]))
            }
        case .toMany(let relation):
            guard let members = extras?.relations[relation.number] as? ToMany else { return false }
            return members.known.contains { gone[Int($0.table)]?.contains($0.primaryKey) ?? false }
        case .attribute, .composite, .fetched: return false
        }
    }
}
