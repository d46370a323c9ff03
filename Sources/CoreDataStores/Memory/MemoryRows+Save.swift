// Saving into memory: everything is checked before anything changes.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension MemoryRows {
    /// Takes a change set over whole or not at all. Throws `StoreConflict`, or `StoreConstraintConflict` for values
    /// that must be unique.
    package func save(_ changes: StoreChanges) throws {
        try checkVersions(changes)
        let inserted = try changes.inserted.map { try StoredRow($0, host: host) }
        let updated = try changes.updated.map {
            try StoredRow($0, updating: row($0.entity, primaryKey: $0.primaryKey), host: host)
        }
        try UniquenessCheck(changes, in: model).run(taken)
        let earlier = derivations.isEmpty ? nil : state
        do {
            try deriving(changes) { take(changes, inserted: inserted, updated: updated) }
        } catch {
            if let earlier { state = earlier }
            throw error
        }
    }

    private func take(_ changes: StoreChanges, inserted: [StoredRow], updated: [StoredRow]) {
        for row in changes.deleted { remove(row) }
        for row in updated { replace(self.row(row.entity, primaryKey: row.primaryKey), by: row) }
        for row in inserted { replace(nil, by: row) }
        renewKeys(inserted, deleted: changes.deleted)
        for join in changes.joins { apply(join) }
        // Once all pairs are there: some are stated from the other side.
        for join in changes.joins { arrange(join) }
        for order in changes.orders {
            state.links[LinkKey(order.relation), default: [:]][order.source] = order.order
        }
    }

    /// Adds rows that a store was filled with from outside.
    package func add(_ rows: [StoredRow]) {
        for row in rows { replace(self.row(row.entity, primaryKey: row.primaryKey), by: row) }
        renewKeys(rows, deleted: [])
    }

    private func checkVersions(_ changes: StoreChanges) throws {
        var conflicts: [StoreConflict.Row] = []
        let deleted = changes.deleted.filter { $0.expectedVersion != RowVersion.any }
        for change in changes.updated + deleted + changes.locked {
            let current = row(change.entity, primaryKey: change.primaryKey)
            if let current, current.version == change.expectedVersion { continue }
            conflicts.append(conflict(change, current))
        }
        for change in changes.insertedAnew {
            guard let current = row(change.entity, primaryKey: change.primaryKey) else { continue }
            conflicts.append(conflict(change, current))
        }
        if !conflicts.isEmpty { throw StoreConflict(rows: conflicts) }
    }

    private func conflict(_ change: StoreChanges.Row, _ current: StoredRow?) -> StoreConflict.Row {
        StoreConflict.Row(change, current: current.map { slab([$0], entity: change.entity) }, isOwn: true)
    }

    /// The rows that hold one of the wanted combinations of values.
    private func taken(
        _ constraint: UniqueConstraint, wanted: Set<UniqueKey>, claims: [StoreChanges.Row],
        isFreed: (Int64) -> Bool
    ) -> [UniqueKey: RowSlab] {
        var found: [UniqueKey: RowSlab] = [:]
        for row in rows(of: constraint.scope, includesSubentities: true) where !isFreed(row.primaryKey) {
            guard let key = UniqueKey(constraint.names, of: row.entity, in: row.pointer), wanted.contains(key)
            else { continue }
            if found[key] == nil { found[key] = slab([row], entity: row.entity) }
        }
        return found
    }

    /// Takes a row away with everything that it is related to by links.
    private func remove(_ change: StoreChanges.Row) {
        replace(row(change.entity, primaryKey: change.primaryKey), by: nil)
        for relation in change.entity.relations where relation.isToMany {
            let link = LinkKey(relation)
            guard let members = state.links[link]?.removeValue(forKey: change.primaryKey),
                let inverse = relation.inverse, inverse.isToMany
            else { continue }
            for member in members { unlink(LinkKey(inverse), source: member, key: change.primaryKey) }
        }
    }

    /// Keys stay sorted: new ones are higher than all before, but for a store that is filled from outside.
    private func renewKeys(_ inserted: [StoredRow], deleted: [StoreChanges.Row]) {
        for root in Set(deleted.map(\.entity.rootNumber)) {
            let rows = state.tables[root]?.rows ?? [:]
            state.tables[root]?.keys.removeAll { rows[$0] == nil }
        }
        for (root, rows) in Dictionary(grouping: inserted, by: \.entity.rootNumber) {
            let keys = rows.map(\.primaryKey).sorted()
            let isBehind = keys.first ?? 0 > state.tables[root]?.keys.last ?? 0
            state.tables[root]?.keys.append(contentsOf: keys)
            if !isBehind {
                let all = Set(state.tables[root]?.keys ?? [])
                state.tables[root]?.keys = ContiguousArray(all.sorted())
            }
            state.lastKeys[root] = max(state.lastKeys[root] ?? 0, keys.last ?? 0)
        }
    }

    // MARK: Links

    private func apply(_ join: StoreChanges.Join) {
        let link = LinkKey(join.relation)
        for key in join.removed {
            unlink(link, source: join.source, key: key)
            if let inverse = join.relation.inverse { unlink(LinkKey(inverse), source: key, key: join.source) }
        }
        for key in join.added {
            if let inverse = join.relation.inverse {
                connect(LinkKey(inverse), source: key, key: join.source)
            } else {
                // Without inverse the member's row has one place for its owner.
                for owner in (state.links[link] ?? [:]).keys where owner != join.source {
                    unlink(link, source: owner, key: key)
                }
            }
            connect(link, source: join.source, key: key)
        }
    }

    private func arrange(_ join: StoreChanges.Join) {
        guard let order = join.order else { return }
        let link = LinkKey(join.relation)
        let present = Set(state.links[link]?[join.source] ?? [])
        let ordered = order.filter(present.contains)
        state.links[link, default: [:]][join.source] = ordered + present.subtracting(ordered).sorted()
    }

    private func connect(_ link: LinkKey, source: Int64, key: Int64) {
        if state.links[link]?[source]?.contains(key) == true { return }
        state.links[link, default: [:]][source, default: []].append(key)
    }

    private func unlink(_ link: LinkKey, source: Int64, key: Int64) {
        state.links[link]?[source]?.removeAll { $0 == key }
    }
}
