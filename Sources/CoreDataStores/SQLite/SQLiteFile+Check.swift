// Indicates whether a file is as its model and the rules of the format say.

package import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import Foundation

extension SQLiteFile {
    /// - Parameter members: the entities that the file has a place for; `nil` for all.
    func findings(_ members: Set<String>?) throws -> [StoreFinding] {
        let damage = try damage()
        do {
            return try damage
                + engine.reading {
                    try layoutFindings(members) + rowFindings(members) + externalFindings()
                }
        } catch {
            // The unreadable part of a damaged file is part of its damage.
            if damage.isEmpty { throw error }
            return damage
        }
    }

    private func damage() throws -> [StoreFinding] {
        let findings = try engine.damages()
        if findings.isEmpty { return [] }
        return [
            StoreFinding(
                check: "file", explanation: "SQLite finds the file damaged", rows: Array(findings.prefix(20)),
                count: findings.count, isHarmful: true)
        ]
    }

    private func layoutFindings(_ members: Set<String>?) throws -> [StoreFinding] {
        try LayoutComparison.differences(of: engine.catalog(), from: model.index, entities: members)
            .map(StoreFinding.init)
    }

    private func rowFindings(_ members: Set<String>?) throws -> [StoreFinding] {
        let catalog = try engine.catalog()
        let blueprint = try LayoutReader.blueprint(for: model.index, catalog: catalog, entities: members)
        return try (StoreCheck.checks(for: blueprint) + HistoryLayout.checks(of: catalog)).compactMap {
            check in
            let rows = try engine.fetchValues(SQLStatement(check.sql))
            return rows.isEmpty ? nil : StoreFinding(check, rows: rows)
        }
    }
}

extension StoreFinding {
    fileprivate init(_ difference: LayoutDifference) {
        self.init(
            check: "layout", explanation: difference.sentence, rows: [], count: 0,
            isHarmful: difference.isHarmful)
    }

    fileprivate init(_ check: StoreCheck, rows: [[SQLBinding]]) {
        self.init(
            check: check.name, explanation: check.explanation,
            rows: rows.prefix(20).map { $0.map(\.shown).joined(separator: ", ") }, count: rows.count,
            isHarmful: true)
    }
}

extension LayoutDifference {
    fileprivate var sentence: String {
        let name = name ?? ""
        return switch kind {
        case .missingTable: "the table \(table) is missing"
        case .extraTable: "the model has no use for the table \(table)"
        case .missingColumn: "the table \(table) has no column \(name)"
        case .extraColumn: "the model has no use for the column \(table).\(name)"
        case .otherType: "the column \(table).\(name) is declared with another type than the model's"
        case .missingIndex: "the table \(table) has no index \(name)"
        case .missingUniqueIndex:
            "the table \(table) has no unique index \(name), so that rows may have the same values"
        case .extraIndex: "the model has no use for the index \(name) of the table \(table)"
        case .missingEntity: "\(table) has no number for the entity \(name)"
        case .otherSuperentity: "\(table) gives the entity \(name) another superentity"
        }
    }
}

extension SQLBinding {
    /// As SQL spells it; of long bytes only how many they are.
    package var shown: String {
        if case .blob(let bytes) = self, bytes.count > 64 { return "<\(bytes.count) bytes>" }
        return SQLiteDialect().literal(self, as: .ofPlace)
    }
}
