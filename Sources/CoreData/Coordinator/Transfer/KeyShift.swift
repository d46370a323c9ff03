// The keys that rows of one store get in another one, and the members of relationships there.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// The numbers that are added to the keys of a store's rows in another store.
struct KeyShift {
    /// By the number of the root entity.
    private(set) var numbers: [Int: Int64] = [:]

    /// Indicates whether all rows have the keys that they had.
    var isNone: Bool { numbers.values.allSatisfy { $0 == 0 } }

    subscript(entity: EntityRuntime) -> Int64 { numbers[entity.rootNumber] ?? 0 }

    mutating func set(_ shift: Int64, ofRoot number: Int) { numbers[number] = shift }

    /// A copy of a row that leads to the rows of the other store. The caller destroys it.
    func shifted(
        _ row: UnsafeMutablePointer<UInt64>, entity: EntityRuntime
    ) -> UnsafeMutablePointer<UInt64> {
        let words = OwnedRow.copy(row, layout: entity.layout)
        for slot in entity.layout.slots where slot.isRelationship {
            guard !RowPointer(words, slab: nil).isNull(slot.index),
                let destination = slot.destination.flatMap(entity.modelRuntime.runtime(named:))
            else { continue }
            words[slot.word] = words[slot.word] &+ UInt64(bitPattern: self[destination])
        }
        return words
    }

    /// The change set that gives rows the members of a relationship that they have in their store.
    func memberChanges(
        _ relation: RelationRuntime, of entity: EntityRuntime, sources: [Int64], in store: NSPersistentStore
    ) throws -> StoreChanges {
        var changes = StoreChanges()
        let copying = relation.copying
        let members = try members(relation, of: entity, sources: sources, in: store)
        for (source, members) in members.sorted(by: { $0.key < $1.key }) {
            switch copying {
            case .none: continue
            case .order:
                changes.orders.append(
                    .init(entity: entity, relation: relation, source: source, order: members))
            case .pairs, .orderOfPairs:
                changes.joins.append(
                    .init(
                        entity: entity, relation: relation, source: source,
                        added: copying == .pairs ? members : [], order: relation.isOrdered ? members : nil))
            }
        }
        return changes
    }

    /// The keys of related rows in their order, by the key of the row; as they are in the other store.
    func members(
        _ relation: RelationRuntime, of entity: EntityRuntime, sources: [Int64], in store: NSPersistentStore
    ) throws -> [Int64: [Int64]] {
        let (here, there) = (self[entity], self[relation.destination(in: entity.modelRuntime)])
        var members: [Int64: [(order: Int64, key: Int64)]] = [:]
        if store.deliversFaults {
            for key in sources {
                let found = try store.fetchRelatedKeys(relation, of: entity, source: key).primaryKeys
                if !found.isEmpty { members[key + here] = found.map { (0, $0 + there) } }
            }
        } else {
            try store.fetchRelated(relation, of: entity, sources: sources) { related in
                for row in 0..<related.slab.count {
                    members[related.sources[row] + here, default: []].append(
                        (related.orderKeys?[row] ?? 0, related.slab.primaryKeys[row] + there))
                }
            }
        }
        return members.mapValues { found in
            guard relation.isOrdered else { return found.map(\.key) }
            return found.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
                .map(\.element.key)
        }
    }
}

/// The part of a relationship's members that is copied beside the rows.
enum MemberCopying {
    /// Nothing: rows or the other side say all.
    case none
    /// The order of rows that lead to their owner.
    case order
    /// Pairs, with their order if there is one.
    case pairs
    /// The order of pairs that the other side states: once all pairs are written.
    case orderOfPairs
}

extension RelationRuntime {
    /// The part of the members that is copied beside the rows.
    var copying: MemberCopying {
        guard isToMany, isStored else { return .none }
        if let inverse, !inverse.isToMany { return isOrdered ? .order : .none }
        if statesPairs { return .pairs }
        return isOrdered ? .orderOfPairs : .none
    }

    /// Indicates whether the pairs of a to-many relationship are stated from this side. One that is its own
    /// inverse states them from both.
    var statesPairs: Bool {
        guard let inverse else { return true }
        if inverse.name == name && inverse.declaringEntity == declaringEntity { return true }
        return (declaringEntity, name) < (inverse.declaringEntity, inverse.name)
    }
}
