// Finds values that must be unique and aren't, among the rows of a save and those of the store.

package import CoreDataSchema
import CoreDataSupport
package import Foundation

/// Values of a save that the model wants to be unique and that aren't.
///
/// Unchecked because it goes no further than the save of the context that has the rows.
package struct StoreConstraintConflict: Error, @unchecked Sendable {
    package struct Violation {
        package let constraint: [String]
        /// The entity that states the constraint.
        package let owner: EntityRuntime
        /// The row that has the values, in a slab of its own; `nil` if only the save's rows have them.
        package let database: RowSlab?
        /// The rows of the save that have the values.
        package let rows: [RowKey]
    }

    package let violations: [Violation]
}

/// One combination of values as they will be once they are saved. Strings count by their bytes, as in a database's
/// index.
package struct UniqueKey: Hashable {
    private let values: [Value]

    /// `nil` if one of the values is: that violates nothing.
    package init?(_ names: [String], of entity: EntityRuntime, in row: RowPointer) {
        var values: [Value] = []
        for name in names {
            guard let slot = entity.layout.slot(named: name) else { return nil }
            switch entity.savedValue(slot, in: row) {
            case .null: return nil
            case .string(let text): values.append(.data(Data(text.utf8)))
            case let value: values.append(value)
            }
        }
        self.values = values
    }
}

/// A uniqueness constraint with the entity whose rows it spans.
package struct UniqueConstraint {
    /// Properties, and elements of composite attributes by their paths.
    package let names: [String]
    package let owner: EntityRuntime
    /// The lowest entity that declares one of the properties: its rows share the columns.
    package let scope: EntityRuntime

    private init(_ names: [String], owner: EntityRuntime) {
        self.names = names
        self.owner = owner
        let entity = owner.modelRuntime.index.entity(owner.name)
        let declaring = names.compactMap { entity?.declaringEntity[String($0.prefix { $0 != "." })] }
        let lowest = entity?.ancestry.first(where: declaring.contains)
        scope = lowest.flatMap { owner.modelRuntime.runtime(named: $0) } ?? owner
    }

    /// The constraints that rows of these entities must keep, each once.
    package static func all(of entities: Set<Int>, in model: ModelRuntime) -> [UniqueConstraint] {
        var found: [UniqueConstraint] = []
        var seen: Set<String> = []
        for number in entities.sorted() {
            let root = model.runtimes[model.runtimes[number].rootNumber]
            for owner in root.subtree.map({ model.runtimes[$0] }) where seen.insert(owner.name).inserted {
                for names in model.index.entity(owner.name)?.schema.uniquenessConstraints ?? [] {
                    found.append(UniqueConstraint(names, owner: owner))
                }
            }
        }
        return found
    }
}

/// Compares the rows of a save with each other and with those of the store.
package struct UniquenessCheck {
    private let changes: StoreChanges
    private let constraints: [UniqueConstraint]

    /// The rows of the store that hold one of the wanted combinations, each with its slab's row 0; `gone` are keys of
    /// rows that needn't be reported.
    package typealias Search = (UniqueConstraint, Set<UniqueKey>, [StoreChanges.Row], (Int64) -> Bool) throws
        -> [UniqueKey: RowSlab]

    package init(_ changes: StoreChanges, in model: ModelRuntime) {
        self.changes = changes
        var entities: Set<Int> = []
        for row in changes.inserted { entities.insert(row.entity.number) }
        for row in changes.updated { entities.insert(row.entity.number) }
        constraints = UniqueConstraint.all(of: entities, in: model)
    }

    /// Throws `StoreConstraintConflict` with everything found.
    package func run(_ search: Search) throws {
        let violations = try constraints.flatMap { try self.violations(of: $0, search) }
        if !violations.isEmpty { throw StoreConstraintConflict(violations: violations) }
    }

    private func violations(
        of constraint: UniqueConstraint, _ search: Search
    ) throws -> [StoreConstraintConflict.Violation] {
        let root = constraint.scope.rootNumber
        let moved = changes.updated.filter { changed(constraint, row: $0) }
        var freed = Set(moved.map(\.primaryKey))
        for row in changes.deleted where row.entity.rootNumber == root { freed.insert(row.primaryKey) }
        let writers = (changes.inserted + moved).filter { $0.entity.isKind(of: constraint.scope) }
        var claims: [UniqueKey: [StoreChanges.Row]] = [:]
        var order: [UniqueKey] = []
        for row in writers {
            guard let key = UniqueKey(constraint.names, of: row.entity, in: row.row) else { continue }
            if claims[key] == nil { order.append(key) }
            claims[key, default: []].append(row)
        }
        if order.isEmpty { return [] }
        let taken = try search(constraint, Set(order), order.compactMap { claims[$0]?.first }, freed.contains)
        return order.compactMap { key in
            let rows = claims[key] ?? []
            guard rows.count > 1 || taken[key] != nil else { return nil }
            return StoreConstraintConflict.Violation(
                constraint: constraint.names, owner: constraint.owner, database: taken[key],
                rows: rows.map(\.key))
        }
    }

    private func changed(_ constraint: UniqueConstraint, row: StoreChanges.Row) -> Bool {
        row.entity.isKind(of: constraint.scope) && constraint.names.contains(where: row.changes)
    }
}

extension StoreChanges.Row {
    /// Returns whether an update changes the value of a property, or the one that it is derived from.
    package func changes(_ name: String) -> Bool {
        guard let slot = entity.layout.slot(named: name) else { return false }
        return changedSlots.contains(entity.decidingSlot(slot).index)
    }
}

extension StoreConstraintConflict {
    /// Returns the error of a batch about values that must be unique and aren't.
    package static func batchError(_ constraints: [[String]], entity: EntityRuntime, reason: String)
        -> NSError
    {
        let names = constraints.flatMap(\.self)
        return CoreDataError.make(
            ErrorCode.constraintMerge,
            description:
                "Two objects have the same values for \(names.joined(separator: ", ")), which must be unique.",
            file: nil, entity: entity.name, property: names.first, reason: reason,
            userInfo: ["constraint": names])
    }
}
