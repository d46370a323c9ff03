// Fetches over rows in memory.

package import CoreDataPredicate
package import CoreDataSchema
package import CoreDataSupport
import Foundation

extension MemoryRows {
    /// The rows that a fetch finds, in its order, between its offset and limit.
    package func rows(_ fetch: StoreFetch) throws -> [StoredRow] {
        bounded(try sorted(matching(fetch), keys: fetch.sortKeys), fetch: fetch)
    }

    package func bounded<Element>(_ found: [Element], fetch: StoreFetch) -> [Element] {
        let rest = fetch.offset > 0 ? Array(found.dropFirst(fetch.offset)) : found
        return fetch.limit > 0 ? Array(rest.prefix(fetch.limit)) : rest
    }

    package func matching(_ fetch: StoreFetch) throws -> [StoredRow] {
        let (entity, isDeep) = (fetch.entity, fetch.includesSubentities)
        guard let predicate = fetch.predicate.map(mapped), predicate != .constant(true) else {
            return rows(of: entity, includesSubentities: isDeep)
        }
        let named = named(by: predicate, of: entity, includesSubentities: isDeep)
        let (rows, rest) = named ?? (rows(of: entity, includesSubentities: isDeep), [predicate])
        if rest.isEmpty { return rows }
        let evaluator = evaluator
        return try rows.filter { row in
            let node = MemoryNode(row, in: self).value
            return try rest.allSatisfy { try evaluator.matches($0, object: node) }
        }
    }

    package func sorted(_ found: [StoredRow], keys: [SortKey]) throws -> [StoredRow] {
        if keys.isEmpty { return found }
        return try SortEvaluator(keys).sorted(found.map { MemoryNode($0, in: self).value }).compactMap(
            \.node?.row)
    }

    // MARK: Slabs

    /// Rows as contexts take them.
    package func slab(_ rows: some Collection<StoredRow>, entity: EntityRuntime) -> RowSlab {
        RowSlab.holding(rows, entity: entity)
    }

    package func deliver(_ rows: [StoredRow], entity: EntityRuntime, body: (RowSlab) throws -> Void)
        rethrows
    {
        var rest = rows[...]
        while !rest.isEmpty {
            try body(slab(rest.prefix(RowSlab.capacity), entity: entity))
            rest = rest.dropFirst(RowSlab.capacity)
        }
    }

    package func keys(_ fetch: StoreFetch) throws -> StoreKeys {
        let found = try rows(fetch)
        var keys = StoreKeys(
            primaryKeys: ContiguousArray(found.map(\.primaryKey)), entities: nil, entity: fetch.entity.number)
        if fetch.entity.subtree.count > 1 {
            keys.entities = ContiguousArray(found.map { Int32($0.entity.number) })
        }
        return keys
    }

    package func deliverRelated(
        _ relation: RelationRuntime, sources: [Int64], body: (RelatedRows) throws -> Void
    ) rethrows {
        let destination = relation.destination(in: model)
        for source in sources {
            var rest = members(relation, of: source)[...]
            var position: Int64 = 0
            while !rest.isEmpty {
                let part = rest.prefix(RowSlab.capacity)
                let order = part.indices.map { position + Int64($0 - part.startIndex) + 1 }
                position += Int64(part.count)
                try body(
                    RelatedRows(
                        slab: slab(part, entity: destination),
                        sources: ContiguousArray(repeating: source, count: part.count),
                        orderKeys: relation.isOrdered ? ContiguousArray(order) : nil))
                rest = rest.dropFirst(RowSlab.capacity)
            }
        }
    }

    // MARK: Predicates

    /// Clients' closures get the managed object of the context that asks.
    package var evaluator: Evaluator {
        Evaluator(
            predicateBlock: { [self] block, object, variables in
                let subject = object.node.map {
                    StoreSubject.row($0.row.entity, primaryKey: $0.row.primaryKey)
                }
                return try host.evaluate(
                    block.object, with: subject ?? .value(object.any),
                    variables: variables.compactMapValues(\.any))
            },
            fetch: { [self] request, context, countOnly in
                guard case .object(let reference) = context else {
                    throw EvaluationFailure(reason: "a fetch in a predicate needs a managed object context")
                }
                return mapped(try host.fetch(request, in: reference.object, countOnly: countOnly))
            })
    }

    /// A predicate whose managed objects and object IDs are nodes of this store.
    package func mapped(_ predicate: PredicateTree) -> PredicateTree {
        predicate.rewriting { (expression, _) throws(Never) in
            guard case .constant(let value) = expression else { return nil }
            return .constant(mapped(value))
        }
    }

    package func mapped(_ expression: ExpressionTree) -> ExpressionTree {
        expression.rewriting { (expression, _) throws(Never) in
            guard case .constant(let value) = expression else { return nil }
            return .constant(mapped(value))
        }
    }

    private func mapped(_ value: Value) -> Value {
        switch value {
        case .object(let reference): node(for: reference.object)?.value ?? value
        case .array(let values): .array(values.map(mapped))
        case .set(let values): .set(Set(values.map(mapped)))
        default: value
        }
    }

    private func node(for object: AnyObject) -> MemoryNode? {
        guard let key = host.row(of: object) else { return nil }
        return row(model.runtimes[Int(key.entity)], primaryKey: key.primaryKey).map {
            MemoryNode($0, in: self)
        }
    }
}

extension Value {
    /// The node that the value is.
    package var node: MemoryNode? {
        if case .object(let reference) = self { return reference.object as? MemoryNode }
        return nil
    }
}

extension RowSlab {
    /// A slab with these rows, of the entity or of those below it.
    package static func holding(_ rows: some Collection<StoredRow>, entity: EntityRuntime) -> RowSlab {
        let layouts = entity.subtree.map { entity.modelRuntime.runtimes[$0].layout }
        let slab = RowSlab(layouts: layouts, capacity: max(1, rows.count))
        for row in rows { row.append(to: slab) }
        return slab
    }
}

extension MemoryRows {
    /// Runs a fetch and words what a predicate or sort descriptor asks in vain.
    package func answer<Result>(_ body: (MemoryRows) throws -> Result) throws -> Result {
        do {
            return try body(self)
        } catch let failure as EvaluationFailure {
            throw CoreDataError.make(
                ErrorCode.coreData,
                description: "The fetch can't be answered by the store: \(failure.reason)",
                file: host.url,
                reason: failure.reason)
        }
    }
}
