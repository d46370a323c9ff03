// The history in a store's file: made, written with each change, read and deleted.

import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import CoreDataSupport
package import Foundation

extension SQLiteRowStore {
    /// Makes the tables if the store is to track its history, and finds out about those that there are.
    func openHistory(_ file: SQLiteFile, tracks: Bool) throws {
        let tracks = tracks && !host.isReadOnly
        if tracks {
            try file.engine.prepareHistory(tombstones: HistoryProperties.tombstoneCount(file.model))
        }
        file.history = try file.engine.historyLayout()
        tracksHistory = tracks
        if tracks && file.history == nil {
            throw LayoutFailure(
                entity: "TRANSACTION", "the store's tables of persistent history lack columns")
        }
    }

    // MARK: Writing

    /// Writes the history of rows that were changed.
    func record(_ changes: StoreChanges, by recorder: HistoryRecorder<SQLiteFile>?) throws {
        guard let recorder else { return }
        try recorder.record(changes)
        latestTransaction = recorder.number ?? latestTransaction
    }

    /// A transaction was rolled back: the number that it was given isn't the file's.
    func forgetTransaction() { latestTransaction = nil }

    /// The recorder that writes the history of one transaction in the name of who asks; `nil` if none is kept.
    func historyRecorder(in file: SQLiteFile) -> HistoryRecorder<SQLiteFile>? {
        guard tracksHistory, file.history != nil else { return nil }
        return HistoryRecorder(file, by: host.requester)
    }
}

extension SQLiteRowStore: StoreHistory {
    package var recordedTransaction: Int64? {
        guard tracksHistory else { return nil }
        if latestTransaction == nil {
            do {
                latestTransaction = try lastTransaction()
            } catch {
                Log.warning("the history of \(host.url?.path ?? "") can't be read: \(error)")
            }
        }
        return latestTransaction
    }

    package func beginHistory(after last: Int64) throws {
        guard let file else { return }
        try mapping(.saving) {
            try file.engine.prepareHistory(tombstones: HistoryProperties.tombstoneCount(file.model))
            try file.engine.skipTransactions(through: last &+ 1)
        }
    }

    package func lastTransaction() throws -> Int64? {
        guard let file, file.history != nil else { return nil }
        return try mapping(.fetching) { try file.engine.historySpan().last }
    }

    package func deleteHistory(before number: Int64?, or date: Date?) throws -> Int {
        guard let file, file.history != nil else { return 0 }
        if host.isReadOnly { throw readOnlyError }
        return try mapping(.saving) {
            try file.engine.deleteHistory(before: number, or: date?.timeIntervalSinceReferenceDate)
        }
    }

    package func readHistory(_ body: (any HistoryReader) throws -> Void) throws {
        guard let file, let layout = file.history else { return }
        try mapping(.fetching) {
            try file.engine.reading { try body(SQLiteHistoryReader(file: file, layout: layout)) }
        }
    }
}

/// Reads the history of a file, inside one transaction.
private struct SQLiteHistoryReader: HistoryReader {
    let file: SQLiteFile
    let layout: HistoryLayout

    func span() throws -> (oldest: Int64?, last: Int64) { try file.engine.historySpan() }

    func transactions(
        after number: Int64?, since timestamp: Double?, _ body: (HistoryTransactionRow) throws -> Bool
    ) throws { try file.engine.readHistory(after: number, since: timestamp, layout: layout, body: body) }

    func changes(
        of transaction: Int64, after key: Int64,
        _ body: (HistoryChangeRow, EntityRuntime) throws -> Bool
    ) throws {
        try file.engine.readChanges(of: transaction, after: key, layout: layout) { change in
            guard let entity = file.entities[Int(clamping: change.entity)] else { return true }
            return try body(change, entity)
        }
    }

    func passChanges(of transaction: Int64, count: Int) throws -> (count: Int, key: Int64?) {
        try file.engine.passChanges(
            of: transaction, count: count, entities: file.entities.keys.sorted(), layout: layout)
    }

    func number(ofEntity name: String) -> Int64? { file.layout[name].map { Int64($0.number) } }
}
