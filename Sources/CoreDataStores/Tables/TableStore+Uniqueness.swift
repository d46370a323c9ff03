// Uniqueness: what unique indexes refused is looked up.

import CoreDataPredicate
import CoreDataSQL
package import CoreDataSchema
import CoreDataSupport

extension TableStore {
    /// The rows that hold one of the wanted combinations of values, some hundred to a fetch.
    package func taken(
        _ constraint: UniqueConstraint, wanted: Set<UniqueKey>, claims: [StoreChanges.Row],
        isFreed: (Int64) -> Bool
    ) throws -> [UniqueKey: RowSlab] {
        var found: [UniqueKey: RowSlab] = [:]
        for start in stride(from: 0, to: claims.count, by: 400) {
            var fetch = StoreFetch(entity: constraint.scope)
            fetch.predicate = predicate(constraint, claims: claims[start..<min(start + 400, claims.count)])
            try fetchRows(fetch) { slab in
                for row in 0..<slab.count where !isFreed(slab.primaryKeys[row]) {
                    let entity = model.runtimes[Int(slab.entities[row])]
                    let pointer = RowPointer(slab.row(row), slab: slab)
                    guard let key = UniqueKey(constraint.names, of: entity, in: pointer),
                        wanted.contains(key), found[key] == nil
                    else { continue }
                    found[key] = try fetchRow(entity: entity, primaryKey: slab.primaryKeys[row])
                }
            }
        }
        return found
    }

    /// `name IN {…}` over the constraint's first property; `nil` where that can't be said.
    private func predicate(
        _ constraint: UniqueConstraint, claims: ArraySlice<StoreChanges.Row>
    ) -> PredicateTree? {
        guard let name = constraint.names.first, let slot = constraint.scope.layout.slot(named: name),
            slot.kind != .transformable, slot.kind != .object
        else { return nil }
        let values = claims.compactMap { claim -> ExpressionTree? in
            guard slot.isRelationship else {
                return .constant(claim.entity.savedValue(slot, in: claim.row))
            }
            return claim.target(of: name).map { entity, key in
                .constant(.object(ObjectReference(host.reference(to: entity, primaryKey: key))))
            }
        }
        return .comparison(.init(.keyPath(.evaluatedObject, name), op: .in, right: .aggregate(values)))
    }
}

extension StoreChanges.Row {
    /// The row that a to-one relationship of the row leads to.
    fileprivate func target(of name: String) -> (EntityRuntime, Int64)? {
        guard let property = entity.property(name), case .toOne(let slot, let relation) = property.kind,
            !row.isNull(slot.index)
        else { return nil }
        let model = entity.modelRuntime
        let target =
            slot.kind == .toOneOfSeveral
            ? model.runtimes[Int(row.words[slot.word + 1])] : relation.destination(in: model)
        return (target, Int64(bitPattern: row.words[slot.word]))
    }
}

extension SaveExecutor {
    /// Empties cells whose unique values are about to change, so that rows may exchange them.
    package func separate(_ rows: [StoreChanges.Row]) throws {
        let constraints = UniqueConstraint.all(of: Set(rows.map(\.entity.number)), in: file.model)
        for row in rows {
            let table = try file.table(row.entity)
            for constraint in constraints where row.entity.isKind(of: constraint.scope) {
                let changed = constraint.names.first(where: row.changes)
                guard let changed, let column = column(changed, in: table) else { continue }
                let text = file.statements.text(
                    for: .assign(table: table.table, columns: [column], key: table.head.key))
                try file.execute(SQLStatement(text, bindings: [.null, .integer(row.primaryKey)]))
            }
        }
    }

    private func column(_ name: String, in table: EntityTable) -> String? {
        switch table.column(ofSlot: name) {
        case .attribute(let column, _), .toOne(let column, _, _, _): column
        default: nil
        }
    }
}
