// The names of the older tables and columns while a migration runs: each gets its new name at once, and a
// table or column with that name gets out of its way.

import CoreDataSchema

/// Renamings, and the names afterwards. All names of an SQLite schema are told apart without regard to case.
struct MigrationNames {
    private(set) var statements: [SQLFragment] = []
    private var tables: [String: String] = [:]
    private var columns: [String: [String: String]] = [:]
    private var spares = 0

    /// The present name of an older table.
    func table(_ old: String) -> String { tables[old.uppercased()] ?? old }

    /// The present name of a column of an older table.
    func column(_ column: String, of table: String) -> String {
        columns[table.uppercased()]?[column.uppercased()] ?? column
    }

    /// Renames tables to their new names. `vacated` must not be in the way of `wanted`.
    mutating func renameTables(_ renamings: [(from: String, to: String)], vacating wanted: Set<String>) {
        let steps = ordered(renamings, existing: Set(renamings.map(\.from)), wanted: wanted)
        for step in steps {
            statements.append("ALTER TABLE \(name: step.from) RENAME TO \(name: step.to)")
        }
        for (from, to) in finalNames(steps) { tables[from.uppercased()] = to }
    }

    /// Renames columns of a table, called by its older name.
    mutating func renameColumns(
        of table: String, _ renamings: [(from: String, to: String)], existing: Set<String>,
        vacating wanted: Set<String>
    ) {
        let steps = ordered(renamings, existing: existing, wanted: wanted)
        let name = self.table(table)
        for step in steps {
            statements.append(
                "ALTER TABLE \(name: name) RENAME COLUMN \(name: step.from) TO \(name: step.to)")
        }
        for (from, to) in finalNames(steps) {
            columns[table.uppercased(), default: [:]][from.uppercased()] = to
        }
    }

    /// Renames the sequences of tables' keys.
    mutating func renameSequences(_ renamings: [(from: String, to: String)]) {
        let steps = ordered(renamings, existing: Set(renamings.map(\.from)), wanted: [])
        for step in steps {
            statements.append("ALTER SEQUENCE \(name: step.from) RENAME TO \(name: step.to)")
        }
    }

    /// `existing` names that are in the way of a wanted name go to a spare one first, and from there to their own.
    private mutating func ordered(
        _ renamings: [(from: String, to: String)], existing: Set<String>, wanted: Set<String>
    ) -> [(from: String, to: String)] {
        let targets = Dictionary(
            renamings.map { ($0.from.uppercased(), $0.to) }, uniquingKeysWith: { first, _ in first })
        let occupied = Set(existing.map { $0.uppercased() })
        let taken = Set(wanted.map { $0.uppercased() }).union(targets.values.map { $0.uppercased() })
        var first: [(from: String, to: String)] = []
        var last: [(from: String, to: String)] = []
        for name in existing.sorted() {
            let key = name.uppercased()
            let target = targets[key]
            if target?.uppercased() == key { continue }
            if let target, !occupied.contains(target.uppercased()) {
                first.append((name, target))
            } else if target != nil || taken.contains(key) {
                let spare = spareName()
                first.append((name, spare))
                if let target { last.append((spare, target)) }
            }
        }
        return first + last
    }

    private mutating func spareName() -> String {
        spares += 1
        return "Z_MIGRATION_\(spares)"
    }

    private func finalNames(_ steps: [(from: String, to: String)]) -> [(String, String)] {
        let next = Dictionary(steps.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
        return steps.map { step in
            (step.from, next[step.to].flatMap { isSpare(step.to) ? $0 : nil } ?? step.to)
        }
    }

    private func isSpare(_ name: String) -> Bool { name.hasPrefix("Z_MIGRATION_") }
}
