// The check that the rows of a file and the files of its external values go together.

import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import Foundation

extension SQLiteFile {
    /// Rows whose value's file is missing, and files that no row names.
    func externalFindings() throws -> [StoreFinding] {
        let files = engine.externalFileNames()
        return try lostValues(files) + superfluousFiles()
    }

    private func lostValues(_ files: Set<String>) throws -> [StoreFinding] {
        var findings: [StoreFinding] = []
        for entity in model.runtimes where !entity.isAbstract && layout[entity.name] != nil {
            let columns = try encoder(entity).externalColumns
            var rows: [String] = []
            var count = 0
            let table = try table(entity)
            try engine.externalReferences(
                table: table.table, columns: columns.map(\.column), entity: table.number
            ) { reference in
                if files.contains(reference.file) { return }
                count += 1
                guard rows.count < 20 else { return }
                let name = columns.first { $0.column == reference.column }?.attribute ?? reference.column
                rows.append("\(reference.primaryKey), '\(name)', '\(reference.file)'")
            }
            if count == 0 { continue }
            findings.append(
                StoreFinding(
                    check: "\(entity.name) external values",
                    explanation: "the file of an external value is missing: the value can't be read",
                    rows: rows, count: count, isHarmful: true))
        }
        return findings
    }

    private func superfluousFiles() throws -> [StoreFinding] {
        let rest = try engine.unusedExternalFileNames()
        if rest.isEmpty { return [] }
        return [
            StoreFinding(
                check: "external files", explanation: "no row names the file",
                rows: rest.prefix(20).map { "'\($0)'" }, count: rest.count, isHarmful: false)
        ]
    }
}
