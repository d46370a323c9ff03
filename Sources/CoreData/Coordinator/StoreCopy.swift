// Copies the rows of one store to another, batch by batch.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// A copy of everything that a store holds. Both stores belong to one coordinator, whose lock is held.
///
/// Rows keep their keys in an empty store; elsewhere they stand behind what is there.
struct StoreCopy {
    let source: NSPersistentStore
    let target: NSPersistentStore
    let entities: [ManagedEntity]
    /// The keys that were copied, by entity number.
    private(set) var keys: [Int: ContiguousArray<Int64>] = [:]
    /// The number that is added to the keys of a root entity's rows.
    private var shifts: [Int: Int64] = [:]

    init(_ source: NSPersistentStore, to target: NSPersistentStore, _ entities: [ManagedEntity]) {
        self.source = source
        self.target = target
        self.entities = entities
    }

    /// Indicates whether all rows have the keys that they had.
    var keepsKeys: Bool { shifts.values.allSatisfy { $0 == 0 } }

    func shift(_ entity: ManagedEntity) -> Int64 { shifts[entity.rootNumber] ?? 0 }

    mutating func run() throws {
        for entity in entities where !entity.isAbstract {
            keys[entity.number] = try source.fetchKeys(exactly(entity)).primaryKeys
        }
        try chooseKeys()
        do {
            try writeAll()
        } catch let conflict as StoreConstraintConflict {
            throw NSMergePolicy.error([], of: SaveConstraintConflict(conflict, in: target))
        }
    }

    private func writeAll() throws {
        try target.takeCopies { write in
            for entity in entities where keys[entity.number]?.isEmpty == false { try copyRows(entity, write) }
            var orders = StoreChanges()
            for entity in entities where keys[entity.number]?.isEmpty == false {
                for relation in entity.relations where relation.isToMany && relation.isStored {
                    try copyMembers(relation, entity, &orders, write)
                }
            }
            if !orders.isEmpty { try write(orders) }
        }
    }

    private func exactly(_ entity: ManagedEntity) -> StoreFetch {
        var fetch = StoreFetch(entity: entity)
        fetch.includesSubentities = false
        return fetch
    }

    private mutating func chooseKeys() throws {
        let isEmpty = try entities.allSatisfy { try target.fetchCount(StoreFetch(entity: $0)) == 0 }
        var last: [Int: Int64] = [:]
        for (number, keys) in keys {
            let root = entities.first { $0.number == number }?.rootNumber ?? number
            last[root] = max(last[root] ?? 0, keys.max() ?? 0)
        }
        for (root, key) in last where key > 0 {
            guard let entity = entities.first(where: { $0.rootNumber == root })?.model.entities[root],
                let count = Int(exactly: key)
            else { continue }
            // Rows in memory make their keys known by themselves, from where they are.
            if isEmpty, target.learnsKeys { continue }
            shifts[root] = try target.allocateKeys(root: entity, count: count).lowerBound - 1
        }
    }

    // MARK: Rows

    private func copyRows(_ entity: ManagedEntity, _ write: (StoreChanges) throws -> Void) throws {
        try source.fetchRows(exactly(entity)) { slab in
            var changes = StoreChanges()
            var owned: [(UnsafeMutablePointer<UInt64>, RowLayout)] = []
            defer { for (words, layout) in owned { OwnedRow.destroy(words, layout) } }
            for number in 0..<slab.count {
                let entity = entity.model.entities[Int(slab.entities[number])]
                var words = slab.row(number)
                if !keepsKeys {
                    words = shifted(words, entity)
                    owned.append((words, entity.layout))
                }
                changes.inserted.append(
                    StoreChanges.Row(
                        entity: entity, primaryKey: slab.primaryKeys[number] + shift(entity),
                        row: RowPointer(words, slab: slab), newVersion: max(1, Int64(bitPattern: words[0]))))
            }
            try write(changes)
        }
    }

    private func shifted(
        _ row: UnsafeMutablePointer<UInt64>, _ entity: ManagedEntity
    ) -> UnsafeMutablePointer<UInt64> {
        let words = OwnedRow.copy(row, entity.layout)
        for slot in entity.layout.slots where slot.isRelationship {
            guard !RowPointer(words, slab: nil).isNull(slot.index),
                let destination = slot.destination.flatMap(entity.model.entity(named:))
            else { continue }
            words[slot.word] = words[slot.word] &+ UInt64(bitPattern: shift(destination))
        }
        return words
    }

    // MARK: Relationships

    /// Orders that the other side of a many-to-many relationship has wait in `orders` until all its pairs are
    /// written.
    private func copyMembers(
        _ relation: RelationRuntime, _ entity: ManagedEntity, _ orders: inout StoreChanges,
        _ write: (StoreChanges) throws -> Void
    ) throws {
        let isForeignKey = relation.inverse.map { !$0.isToMany } ?? false
        let states = !isForeignKey && relation.statesPairs
        guard states || relation.isOrdered else { return }
        var rest = (keys[entity.number] ?? [])[...]
        while !rest.isEmpty {
            let sources = Array(rest.prefix(RowSlab.capacity))
            rest = rest.dropFirst(sources.count)
            var changes = StoreChanges()
            for (source, members) in try members(relation, entity, sources).sorted(by: { $0.key < $1.key }) {
                if isForeignKey {
                    changes.orders.append(
                        .init(entity: entity, relation: relation, source: source, order: members))
                } else {
                    let join = StoreChanges.Join(
                        entity: entity, relation: relation, source: source, added: states ? members : [],
                        order: relation.isOrdered ? members : nil)
                    if states { changes.joins.append(join) } else { orders.joins.append(join) }
                }
            }
            if !changes.isEmpty { try write(changes) }
        }
    }

    /// The keys of related rows in their order, by the key of the row; as they are in the target.
    private func members(
        _ relation: RelationRuntime, _ entity: ManagedEntity, _ sources: [Int64]
    ) throws -> [Int64: [Int64]] {
        let (here, there) = (shift(entity), shift(relation.destination(in: entity.model)))
        var members: [Int64: [(order: Int64, key: Int64)]] = [:]
        if source.deliversFaults {
            for key in sources {
                let found = try source.fetchRelatedKeys(relation, of: entity, source: key).primaryKeys
                if !found.isEmpty { members[key + here] = found.map { (0, $0 + there) } }
            }
        } else {
            try source.fetchRelated(relation, of: entity, sources: sources) { related in
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

extension RelationRuntime {
    /// Indicates whether the pairs of a to-many relationship are stated from this side. One that is its own
    /// inverse states them from both.
    var statesPairs: Bool {
        guard let inverse else { return true }
        if inverse.name == name && inverse.declaringEntity == declaringEntity { return true }
        return (declaringEntity, name) < (inverse.declaringEntity, inverse.name)
    }
}
