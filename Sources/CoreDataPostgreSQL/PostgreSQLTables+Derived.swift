// Derived attributes: the server's triggers compute them, and tell which rows they wrote.

import CoreDataPostgreSQLEngine
package import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import Foundation

extension PostgreSQLTables {
    package var keepsDerivedValues: Bool { !derivingEntities.isEmpty }

    /// Takes over what has come from triggers.
    private func readReports() {
        guard keepsDerivedValues else { return }
        for report in heldConnection.takeReports() {
            for (key, names) in DerivedReport.read(report) {
                derived += names.map { DerivedValue(key: key, property: $0, value: nil) }
            }
        }
    }

    package func derivedValues(from position: Int) -> ArraySlice<DerivedValue> {
        readReports()
        return derived.dropFirst(position)
    }

    package func takeDerivedValues() -> [DerivedValue] {
        readReports()
        defer { derived = [] }
        return derived
    }

    /// The rows of a save that have other derived values than its context knows.
    func derivedRows(of changes: StoreChanges) -> DerivedRows {
        var rows = DerivedRows()
        guard keepsDerivedValues else { return rows }
        for row in changes.inserted where derivingEntities.contains(row.entity.number) {
            rows.add(row.entity, primaryKey: row.primaryKey)
        }
        rows.addStated(in: changes)
        for value in takeDerivedValues() {
            guard let entity = entities[value.key.entity] else { continue }
            rows.add(entity, primaryKey: value.key.primaryKey)
        }
        return rows
    }
}

extension PostgreSQLStoreShape {
    /// The numbers of the entities that have derived attributes.
    var derivingEntities: Set<Int> {
        Set(
            model.runtimes.filter { entity in
                entity.layout.slots.contains { !$0.isTransient && $0.attribute?.derivation != nil }
            }.map(\.number))
    }
}

extension ServerConnection {
    /// Makes the triggers anew where they aren't those of the model, as when its derivations became others: the versions of
    /// entities don't tell. All values are computed then.
    func keepDerived(_ derivations: PostgreSQLDerivations, in catalogue: PostgreSQLCatalogue) throws {
        if try hasTriggers(derivations) { return }
        try transaction {
            try run(catalogue.exclusion)
            if try hasTriggers(derivations) { return }
            try send(derivations.removal)
            for statement in derivations.recomputations(of: { _, _ in true }, isStale: false) {
                try send(statement)
            }
            for statement in derivations.definitions { try send(statement) }
            try finish()
        }
    }

    private func hasTriggers(_ derivations: PostgreSQLDerivations) throws -> Bool {
        var found: [String: String] = [:]
        for row in try fetchValues(derivations.presentMarks) {
            if case .text(let name) = row[0], case .text(let mark) = row[1] { found[name] = mark }
        }
        return found == derivations.marks
    }
}
