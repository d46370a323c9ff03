// The data that a save writes beside rows: join tables, order keys, and foreign keys that no
// to-one relationship models.

package import CoreDataSQL
import CoreDataSchema
import Foundation

extension SaveExecutor {
    /// Lets go of everything that a deleted row is related to by a join table or an unmodelled foreign key.
    func releaseRelated(_ rows: [StoreChanges.Row], of entity: EntityRuntime) throws {
        for relation in entity.relations where relation.isToMany && !relation.isTransient {
            guard let place = try file.table(entity).columns[relation.name] else { continue }
            if case .join(let join) = place {
                let joins =
                    relation.isReflexive ? [join, join.inverted(destination: join.destination)] : [join]
                for row in rows {
                    for join in joins {
                        try execute(.disconnectAll(join), bindings: [.integer(row.primaryKey)])
                    }
                }
            } else if relation.inverseName == nil {
                let related = try file.related(relation, of: entity)
                for row in rows {
                    if let statement = related.release(source: row.primaryKey) { try file.execute(statement) }
                }
            }
        }
    }

    package func remove(_ change: StoreChanges.Join) throws {
        if change.removed.isEmpty { return }
        guard let join = try join(change) else {
            let related = try file.related(change.relation, of: change.entity)
            for key in change.removed {
                if let statement = related.release(key, of: change.source) {
                    try file.execute(statement)
                }
            }
            return
        }
        for key in change.removed {
            try execute(.disconnect(join), bindings: [.integer(change.source), .integer(key)])
            if change.relation.isReflexive {
                try execute(.disconnect(join), bindings: [.integer(key), .integer(change.source)])
            }
        }
    }

    package func add(_ change: StoreChanges.Join) throws {
        let related = try file.related(change.relation, of: change.entity)
        if let join = try join(change) {
            if change.relation.isReflexive {
                try connectBothWays(change, join: join, related: related)
            } else {
                try connect(change, join: join)
            }
        } else {
            for key in change.added {
                if let statement = related.claim(key, for: change.source) {
                    try file.execute(statement)
                }
            }
        }
        if change.order == nil, related.orderColumn != nil, !change.added.isEmpty {
            try append(
                change.added, related: related, source: change.source,
                keepingPlaces: change.relation.isReflexive)
        }
    }

    /// Puts the members of an ordered relationship in order. Once all pairs of a save are there: some are stated
    /// from the other side.
    package func arrange(_ change: StoreChanges.Join) throws {
        guard let order = change.order else { return }
        try reorder(file.related(change.relation, of: change.entity), source: change.source, order: order)
    }

    private func connect(_ change: StoreChanges.Join, join: JoinColumns) throws {
        let inverse = join.inverted(destination: change.entity.name)
        for key in change.added {
            // Order keys start above 0, which therefore marks a pair that has none yet.
            let order: [SQLBinding] = join.orderColumn == nil ? [] : [.integer(0)]
            try execute(.connect(join), bindings: [.integer(change.source), .integer(key)] + order)
            if let orderColumn = inverse.orderColumn,
                let last = inverse.lastOrderKey(of: key, in: file.layout.dialect)
            {
                try execute(
                    .reorder(inverse, orderColumn: orderColumn),
                    bindings: [
                        .integer(nextKey(after: try number(last))), .integer(key), .integer(change.source),
                    ])
            }
        }
    }

    /// Both objects of a pair state it, the second time without effect.
    private func connectBothWays(
        _ change: StoreChanges.Join, join: JoinColumns, related: RelatedStatements
    ) throws {
        let order: [SQLBinding] = join.orderColumn == nil ? [] : [.integer(0)]
        for key in change.added {
            try execute(.connectOnce(join), bindings: [.integer(change.source), .integer(key)] + order)
            try execute(.connectOnce(join), bindings: [.integer(key), .integer(change.source)] + order)
            try append([change.source], related: related, source: key, keepingPlaces: true)
        }
    }

    // MARK: Order

    /// Gives the related rows of a source keys that ascend in the given order, changing as few as possible.
    ///
    /// Without an inverse an object doesn't learn that another one took a member over: that one's place is not its own.
    package func reorder(_ related: RelatedStatements, source: Int64, order: [Int64]) throws {
        let current = try orderKeys(related, source: source)
        let order = order.filter(current.keys.contains)
        for change in OrderKeys.changes(for: order.map { current[$0] }) {
            if let statement = related.reorder(order[change.position], of: source, key: change.key) {
                try file.execute(statement)
            }
        }
    }

    /// Puts rows behind all others; `keepingPlaces` leaves those that have a place where they are.
    private func append(
        _ keys: [Int64], related: RelatedStatements, source: Int64, keepingPlaces: Bool = false
    ) throws {
        let known = try orderKeys(related, source: source)
        var last = known.values.max()
        for key in keys where !keepingPlaces || known[key, default: 0] == 0 {
            let next = nextKey(after: last)
            last = next
            if let statement = related.reorder(key, of: source, key: next) {
                try file.execute(statement)
            }
        }
    }

    /// The order keys of the related rows, 0 for one that has none yet.
    private func orderKeys(_ related: RelatedStatements, source: Int64) throws -> [Int64: Int64] {
        guard let statement = related.orderKeys(of: source) else { return [:] }
        var keys: [Int64: Int64] = [:]
        for row in try file.fetchValues(statement) {
            guard case .integer(let key)? = row.first else { continue }
            if case .integer(let order)? = row.last { keys[key] = max(0, order) } else { keys[key] = 0 }
        }
        return keys
    }

    private func nextKey(after last: Int64?) -> Int64 {
        let keys = OrderKeys.keys(for: last == nil || last == 0 ? [nil] : [last, nil])
        return keys.last ?? 0
    }

    // MARK: Statements

    /// The join table of a change; `nil` where the relationship is a foreign key in the destination's table.
    private func join(_ change: StoreChanges.Join) throws -> JoinColumns? {
        if case .join(let join)? = try file.table(change.entity).columns[change.relation.name] { return join }
        return nil
    }

    private func execute(_ shape: SaveShape, bindings: [SQLBinding]) throws {
        try file.execute(SQLStatement(file.statements.text(for: shape), bindings: bindings))
    }

    private func number(_ statement: SQLStatement) throws -> Int64? {
        if case .integer(let number)? = try file.fetchValues(statement).first?.first { return number }
        return nil
    }
}
