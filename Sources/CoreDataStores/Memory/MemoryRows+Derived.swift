// Derived attributes of rows in memory: after each save those of the rows that it may concern are computed anew, as
// triggers do in a file.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import Foundation

/// Rows whose derived attributes have to be looked at.
package struct StaleRows {
    package struct Place: Hashable {
        /// Position in `MemoryRows.derivations`.
        package let derivation: Int
        package let primaryKey: Int64
    }

    package var places: Set<Place> = []

    package mutating func add(_ derivation: Int, primaryKeys: some Sequence<Int64>) {
        for key in primaryKeys { places.insert(Place(derivation: derivation, primaryKey: key)) }
    }

    /// By row, in the order of the keys.
    package func grouped(_ derivations: [MemoryDerivation]) -> [(root: Int, key: Int64, derivations: [Int])] {
        var groups: [[Int64]: [Int]] = [:]
        for place in places {
            let root = derivations[place.derivation].entity.rootNumber
            groups[[Int64(root), place.primaryKey], default: []].append(place.derivation)
        }
        return groups.map { (Int($0.key[0]), $0.key[1], $0.value.sorted()) }.sorted {
            ($0.root, $0.key) < ($1.root, $1.key)
        }
    }
}

extension MemoryRows {
    /// Attributes that are derived from each other settle in as many rounds as they are deep. Those that go round in a
    /// circle never do.
    private static let rounds = 64

    /// Applies a save's changes by the closure and computes what depends on them.
    package func deriving(_ changes: StoreChanges, apply: () -> Void) throws {
        if derivations.isEmpty { return apply() }
        derivedRows = DerivedRows()
        let touched = Self.touched(changes, model: model)
        var stale = dependents(of: touched.compactMap { row($0.entity, primaryKey: $0.key) })
        apply()
        stale.places.formUnion(
            dependents(of: touched.compactMap { row($0.entity, primaryKey: $0.key) }).places)
        let now = Value.date(Date())
        for change in changes.inserted + changes.updated {
            for (number, derivation) in derivations.enumerated()
            where derivation.isNow && change.entity.isKind(of: derivation.entity) {
                stale.add(number, primaryKeys: CollectionOfOne(change.primaryKey))
            }
        }
        for _ in 0..<Self.rounds where !stale.places.isEmpty {
            stale = dependents(of: try compute(stale, now: now), feeding: true)
        }
        try checkDerivedUniqueness(changes)
    }

    /// Computes all derived attributes, of rows that came from outside, but for times.
    package func deriveAll() throws {
        var stale = StaleRows()
        for (number, derivation) in derivations.enumerated() where !derivation.isNow {
            stale.add(
                number,
                primaryKeys: rows(of: derivation.entity, includesSubentities: true).lazy.map(\.primaryKey))
        }
        for _ in 0..<Self.rounds where !stale.places.isEmpty {
            stale = dependents(of: try compute(stale, now: .null), feeding: true)
        }
        derivedRows = DerivedRows()
    }

    /// The rows that a save writes or links.
    private static func touched(
        _ changes: StoreChanges, model: ModelRuntime
    ) -> [(entity: EntityRuntime, key: Int64)] {
        var rows = (changes.inserted + changes.updated + changes.deleted).map { ($0.entity, $0.primaryKey) }
        for join in changes.joins {
            rows.append((join.entity, join.source))
            let destination = join.relation.destination(in: model)
            rows += (join.added + join.removed).map { (destination, $0) }
        }
        return rows
    }

    // MARK: Values that depend on rows

    /// - Parameter feeding: whether only derived attributes of the rows have changed.
    private func dependents(of rows: [StoredRow], feeding: Bool = false) -> StaleRows {
        var stale = StaleRows()
        if rows.isEmpty { return stale }
        for (number, derivation) in derivations.enumerated() where !derivation.isNow {
            if feeding && !derivation.isFed(by: derivations) { continue }
            stale.add(number, primaryKeys: keys(rows, entity: derivation.entity))
            for depth in derivation.path.indices {
                var found = Set(keys(rows, entity: derivation.path[depth].destination(in: model)))
                for relation in derivation.path[...depth].reversed() where !found.isEmpty {
                    found = owners(relation, of: found)
                }
                stale.add(number, primaryKeys: found)
            }
        }
        return stale
    }

    private func keys(_ rows: [StoredRow], entity: EntityRuntime) -> [Int64] {
        rows.lazy.filter { $0.entity.isKind(of: entity) }.map(\.primaryKey)
    }

    /// The rows whose relationship leads to rows.
    private func owners(_ relation: RelationRuntime, of keys: Set<Int64>) -> Set<Int64> {
        guard let declaring = model.runtime(named: relation.declaringEntity) else { return [] }
        if !relation.isToMany {
            let sources = sources(of: relation, in: declaring)
            return keys.reduce(into: []) { $0.formUnion(sources[$1] ?? []) }
        }
        let destination = relation.destination(in: model)
        guard let inverse = relation.inverse else {
            let links = state.links[LinkKey(relation)] ?? [:]
            return Set(links.filter { $0.value.contains(where: keys.contains) }.keys)
        }
        if inverse.isToMany {
            let links = state.links[LinkKey(inverse)] ?? [:]
            return keys.reduce(into: []) { $0.formUnion(links[$1] ?? []) }
        }
        return Set(keys.compactMap { row(destination, primaryKey: $0)?.target(of: inverse.name) })
    }

    // MARK: Values

    /// Computes attributes; returns the rows that have other values now.
    private func compute(_ stale: StaleRows, now: Value) throws -> [StoredRow] {
        var changed: [StoredRow] = []
        for (root, key, numbers) in stale.grouped(derivations) {
            guard let row = row(model.runtimes[root], primaryKey: key) else { continue }
            let words = OwnedRow.copy(row.pointer.words, layout: row.entity.layout)
            let fresh = StoredRow(row.entity, primaryKey: key, owning: words)
            var isChanged = false
            for derivation in numbers.lazy.map({ self.derivations[$0] })
            where row.entity.isKind(of: derivation.entity) {
                guard let slot = row.entity.layout.slot(named: derivation.name) else { continue }
                let value = derivation.isNow ? now : try value(derivation, of: row)
                if !SlotValue.store(any: value.fitting(slot).any, slot, in: words) {
                    SlotValue.clear(slot, in: words)
                }
                if !SlotValue.areEqual(slot, left: row.pointer, right: fresh.pointer) { isChanged = true }
            }
            if !isChanged { continue }
            replace(row, by: fresh)
            derivedRows.add(row.entity, primaryKey: key)
            changed.append(fresh)
        }
        return changed
    }

    private func value(_ derivation: MemoryDerivation, of row: StoredRow) throws -> Value {
        switch derivation.source {
        case .now: return .null
        case .value(_, let function):
            var here = row
            for relation in derivation.path {
                guard let slot = here.entity.layout.slot(named: relation.name),
                    let next = target(slot, relation: relation, of: here)
                else { return .null }
                here = next
            }
            guard let name = derivation.attribute, let slot = here.entity.layout.slot(named: name),
                !here.pointer.isNull(slot.index)
            else { return .null }
            return OwnDerivation.value(here.pointer.value(slot), function: function)
        case .aggregate(_, let sum):
            let members = try members(derivation, of: row)
            return try sum.map { try total($0, of: members, derivation: derivation) }
                ?? .integer(Int64(members.count))
        }
    }

    private func members(_ derivation: MemoryDerivation, of row: StoredRow) throws -> [StoredRow] {
        guard let relation = derivation.path.first else { return [] }
        let all = members(relation, of: row.primaryKey)
        guard let filter = derivation.filter.map(mapped) else { return all }
        let evaluator = evaluator
        return try all.filter { try evaluator.matches(filter, object: MemoryNode($0, in: self).value) }
    }

    private func total(
        _ name: String, of members: [StoredRow], derivation: MemoryDerivation
    ) throws -> Value {
        var (whole, real, decimal): (Int64, Double, Decimal) = (0, 0, 0)
        var kind = Value.integer(0)
        for member in members {
            guard let slot = member.entity.layout.slot(named: name), !member.pointer.isNull(slot.index) else {
                continue
            }
            switch member.pointer.value(slot) {
            case .integer(let number):
                let (sum, overflows) = whole.addingReportingOverflow(number)
                if overflows {
                    throw CoreDataError.make(
                        ErrorCode.save, description: "The persistent store could not be saved.",
                        file: host.url, entity: derivation.entity.name, property: derivation.name,
                        reason: "The sum has more than 64 bits.")
                }
                whole = sum
            case .bool(let flag): whole += flag ? 1 : 0
            case .double(let number): (real, kind) = (real + number, .double(0))
            case .decimal(let number): (decimal, kind) = (decimal + number, .decimal(0))
            default: continue
            }
        }
        switch kind {
        case .double: return .double(real)
        case .decimal: return .decimal(decimal)
        default: return .integer(whole)
        }
    }

    // MARK: Uniqueness

    /// Derived values are known only here: what must be unique among them is checked last, as a file's indexes do.
    private func checkDerivedUniqueness(_ changes: StoreChanges) throws {
        var entities = Set((changes.inserted + changes.updated).map(\.entity.number))
        for group in derivedRows.groups { entities.insert(group.entity.number) }
        for constraint in UniqueConstraint.all(of: entities, in: model) {
            let isDerived = constraint.names.contains { name in
                derivations.contains { $0.name == name && constraint.scope.isKind(of: $0.entity) }
            }
            if !isDerived { continue }
            var seen: Set<UniqueKey> = []
            for row in rows(of: constraint.scope, includesSubentities: true) {
                guard let key = UniqueKey(constraint.names, of: row.entity, in: row.pointer),
                    !seen.insert(key).inserted
                else { continue }
                throw StoreConstraintConflict.batchError(
                    [constraint.names], entity: row.entity, reason: "a row has them already")
            }
        }
    }
}

extension MemoryDerivation {
    /// Returns whether a value that is derived itself may change this one.
    fileprivate func isFed(by derivations: [MemoryDerivation]) -> Bool {
        filter != nil || derivations.contains { $0.name == attribute }
    }
}

extension Value {
    /// A number as a column of the slot's type is read.
    fileprivate func fitting(_ slot: Slot) -> Value {
        switch (slot.kind, self) {
        case (.integer16, .double(let number)), (.integer32, .double(let number)),
            (.integer64, .double(let number)):
            return Int64(exactly: number.rounded(.towardZero)).map(Value.integer) ?? .null
        default: return self
        }
    }
}
