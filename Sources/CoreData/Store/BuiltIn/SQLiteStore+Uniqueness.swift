// Uniqueness in a file: its unique indexes refuse a row, and what they refuse is then looked up.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import CoreDataSupport
import Foundation

extension SQLiteStore {
    /// Runs a save. When an index refuses a row, `StoreConstraintConflict` says all that isn't unique; if nothing is,
    /// values only change places, and the save runs again in a way that allows for it.
    func write(_ changes: StoreChanges, to file: SQLiteFile, _ rest: () throws -> Void) throws {
        let executor = SaveExecutor(file: file, store: self)
        func run(separating: Bool) throws {
            try recordingTransaction(in: file) {
                if separating { try executor.separate(changes.updated) }
                try recording(in: file) { write in try write(changes) }
                if hasChangedMetadata { try file.write(contents) }
                try rest()
            }
        }
        do {
            try run(separating: false)
        } catch let failure as EngineFailure {
            guard case .unique(let violation) = failure.kind, violation.index != nil else { throw failure }
            try UniquenessCheck(changes, in: file.model).run(self) { try taken($0, $1, $2, $3, file) }
            try run(separating: true)
        }
    }

    /// The rows that hold one of the wanted combinations of values, some hundred to a fetch.
    private func taken(
        _ constraint: UniqueConstraint, _ wanted: Set<UniqueKey>, _ claims: [StoreChanges.Row],
        _ isFreed: (Int64) -> Bool, _ file: SQLiteFile
    ) throws -> [UniqueKey: RowSlab] {
        var found: [UniqueKey: RowSlab] = [:]
        for start in stride(from: 0, to: claims.count, by: 400) {
            var fetch = StoreFetch(entity: constraint.scope)
            fetch.predicate = predicate(constraint, claims[start..<min(start + 400, claims.count)])
            try file.fetchRows(fetch, self) { slab in
                for row in 0..<slab.count where !isFreed(slab.primaryKeys[row]) {
                    let entity = file.model.runtimes[Int(slab.entities[row])]
                    let pointer = RowPointer(slab.row(row), slab: slab)
                    guard let key = UniqueKey(constraint.names, of: entity, in: pointer),
                        wanted.contains(key), found[key] == nil
                    else { continue }
                    let decoder = try file.decoder(entity)
                    found[key] = try file.engine.fetchRow(
                        primaryKey: slab.primaryKeys[row], decoder: decoder)
                }
            }
        }
        return found
    }

    /// `name IN {…}` over the constraint's first property; `nil` where that can't be said.
    private func predicate(
        _ constraint: UniqueConstraint, _ claims: ArraySlice<StoreChanges.Row>
    ) -> PredicateTree? {
        guard let name = constraint.names.first, let slot = constraint.scope.layout.slot(named: name),
            slot.kind != .transformable, slot.kind != .object
        else { return nil }
        let values = claims.compactMap { claim -> ExpressionTree? in
            guard slot.isRelationship else {
                return .constant(claim.entity.savedValue(slot, in: claim.row))
            }
            guard let target = claim.object?.snapshot(of: claim.row)[name] as? NSManagedObjectID else {
                return nil
            }
            return .constant(.object(ObjectReference(target)))
        }
        return .comparison(.init(.keyPath(.evaluatedObject, name), .in, .aggregate(values)))
    }
}

extension SaveExecutor {
    /// Empties cells whose unique values are about to change, so that rows may exchange them.
    func separate(_ rows: [StoreChanges.Row]) throws {
        let constraints = UniqueConstraint.all(of: Set(rows.map(\.entity.number)), in: file.model)
        for row in rows {
            let table = try file.table(row.entity)
            for constraint in constraints where row.entity.isKind(of: constraint.scope) {
                let changed = constraint.names.first(where: row.changes)
                guard let changed, let column = column(changed, in: table) else { continue }
                let text = file.statements.text(for: .assign(table: table.table, columns: [column]))
                try file.engine.execute(SQLStatement(text, [.null, .integer(row.primaryKey)]))
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
