// Writes down what a save changes, inside the transaction of the save.

import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import CoreDataSupport
import Foundation

/// The history of one SQL transaction in one file.
final class HistoryRecorder {
    let file: SQLiteFile
    private let layout: HistoryLayout
    private let context: NSManagedObjectContext?
    /// What deleted rows leave behind, by entity (`EntityRuntime.number`) and key.
    private var tombstones: [Int: [Int64: [SQLBinding]]] = [:]
    private var properties: [Int: [PropertyRuntime]] = [:]
    /// The number of the transaction once it has a change.
    private(set) var number: Int64?

    init(_ file: SQLiteFile, _ layout: HistoryLayout, of context: NSManagedObjectContext?) {
        self.file = file
        self.layout = layout
        self.context = context
    }

    /// Reads what has to outlive rows that are about to be deleted.
    func noteDeletions(_ changes: StoreChanges) throws {
        for row in changes.deleted {
            let preserved = HistoryProperties.preserved(row.entity)
            if preserved.isEmpty { continue }
            let decoder = try file.decoder(row.entity)
            guard let slab = try file.engine.fetchRow(primaryKey: row.primaryKey, decoder: decoder) else {
                continue
            }
            tombstones[row.entity.number, default: [:]][row.primaryKey] = HistoryProperties.tombstones(
                RowPointer(slab.row(0), slab: slab), preserved)
        }
    }

    /// Writes what was changed. Nothing, if that is nothing.
    func record(_ changes: StoreChanges) throws {
        var rows: [HistoryChangeRow] = []
        rows.reserveCapacity(changes.inserted.count + changes.updated.count + changes.deleted.count)
        for row in changes.inserted { rows.append(try change(.insert, row)) }
        for row in changes.updated {
            var change = try change(.update, row)
            change.columns = HistoryProperties.bitmap(row, numbered(row.entity))
            rows.append(change)
        }
        for row in changes.deleted {
            var change = try change(.delete, row)
            change.tombstones = tombstones[row.entity.number]?[row.primaryKey] ?? []
            rows.append(change)
        }
        try write(rows)
    }

    /// Writes changes that are stated as such.
    func write(_ rows: [HistoryChangeRow]) throws {
        if rows.isEmpty { return }
        let number = try self.number ?? file.engine.insertHistory(transaction, layout)
        self.number = number
        try file.engine.insertHistory(rows, of: number, layout)
    }

    private func change(_ kind: HistoryChangeRow.Kind, _ row: StoreChanges.Row) throws -> HistoryChangeRow {
        HistoryChangeRow(
            kind: kind, entity: Int64(try file.table(row.entity).number), primaryKey: row.primaryKey)
    }

    func numbered(_ entity: EntityRuntime) -> [PropertyRuntime] {
        if let known = properties[entity.number] { return known }
        let made = HistoryProperties.numbered(entity)
        properties[entity.number] = made
        return made
    }

    private var transaction: HistoryTransactionRow {
        let process = ProcessInfo.processInfo.processName
        var texts: [HistoryLayout.Text: String] = [
            .bundleID: Bundle.main.bundleIdentifier ?? process, .processID: process,
        ]
        texts[.author] = context?.transactionAuthor
        texts[.contextName] = context?.name
        return HistoryTransactionRow(
            number: 0, timestamp: Date().timeIntervalSinceReferenceDate, texts: texts)
    }
}
