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
    private var shifts = KeyShift()

    init(_ source: NSPersistentStore, to target: NSPersistentStore, entities: [ManagedEntity]) {
        self.source = source
        self.target = target
        self.entities = entities
    }

    /// Indicates whether all rows have the keys that they had.
    var keepsKeys: Bool { shifts.isNone }

    func shift(_ entity: ManagedEntity) -> Int64 { shifts[entity] }

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
            for entity in entities where keys[entity.number]?.isEmpty == false {
                try copyRows(entity, write: write)
            }
            var orders = StoreChanges()
            for entity in entities where keys[entity.number]?.isEmpty == false {
                for relation in entity.relations {
                    try copyMembers(relation, entity: entity, orders: &orders, write: write)
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
            shifts.set(
                try target.allocateKeys(root: entity, count: count).lowerBound - 1, ofRoot: root)
        }
    }

    // MARK: Rows

    private func copyRows(_ entity: ManagedEntity, write: (StoreChanges) throws -> Void) throws {
        try source.fetchRows(exactly(entity)) { slab in
            var changes = StoreChanges()
            var owned: [(UnsafeMutablePointer<UInt64>, RowLayout)] = []
            defer { for (words, layout) in owned { OwnedRow.destroy(words, layout: layout) } }
            for number in 0..<slab.count {
                let entity = entity.model.entities[Int(slab.entities[number])]
                var words = slab.row(number)
                if !keepsKeys {
                    words = shifts.shifted(words, entity: entity)
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

    // MARK: Relationships

    /// Orders that the other side of a many-to-many relationship has wait in `orders` until all its pairs are
    /// written.
    private func copyMembers(
        _ relation: RelationRuntime, entity: ManagedEntity, orders: inout StoreChanges,
        write: (StoreChanges) throws -> Void
    ) throws {
        let copying = relation.copying
        if copying == .none { return }
        var rest = (keys[entity.number] ?? [])[...]
        while !rest.isEmpty {
            let sources = Array(rest.prefix(RowSlab.capacity))
            rest = rest.dropFirst(sources.count)
            let changes = try shifts.memberChanges(relation, of: entity, sources: sources, in: source)
            if copying == .orderOfPairs {
                orders.joins += changes.joins
            } else if !changes.isEmpty {
                try write(changes)
            }
        }
    }
}
