// What an SQLite store does for its history.

import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataStores
import CoreDataSupport
import Foundation

extension SQLiteStore {
    /// Makes the tables if the store is to track its history, and finds out about those that there are.
    func openHistory(_ file: SQLiteFile, tracks: Bool) throws {
        let tracks = tracks && !isReadOnly
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

    /// Runs a change of rows and writes its history.
    func recording(
        in file: SQLiteFile, _ body: (_ write: (StoreChanges) throws -> Void) throws -> Void
    ) throws {
        let executor = executor(file)
        guard let recorder = historyRecorder(in: file) else { return try body { try executor.run($0) } }
        try body { changes in
            try recorder.noteDeletions(changes)
            try executor.run(changes)
            try recorder.record(changes)
            latestTransaction = recorder.number ?? latestTransaction
        }
    }

    /// Runs changes that may be recorded in one transaction of the file.
    func recordingTransaction(in file: SQLiteFile, _ body: () throws -> Void) throws {
        do {
            try file.engine.transaction(body)
        } catch {
            // The number that was given isn't the file's.
            latestTransaction = nil
            throw error
        }
    }

    /// The last transaction that this store recorded, else the last of the file; `nil` if the store tracks no history.
    var recordedTransaction: Int64? {
        guard tracksHistory else { return nil }
        if latestTransaction == nil {
            do {
                latestTransaction = try lastTransaction()
            } catch {
                Log.warning("the history of \(url?.path ?? "") can't be read: \(error)")
            }
        }
        return latestTransaction
    }

    /// What writes the history of one transaction in the name of the context that asks; `nil` if none is kept.
    func historyRecorder(in file: SQLiteFile) -> HistoryRecorder? {
        guard tracksHistory, let layout = file.history else { return nil }
        let context = persistentStoreCoordinator?.requester
        return HistoryRecorder(
            file, layout, author: context?.transactionAuthor, contextName: context?.name)
    }

    /// Makes an empty history for a store that takes another's place and identity. Its numbers begin beyond those of
    /// the other's, and leave one out, so that all tokens from there have expired.
    func beginHistory(after last: Int64) throws {
        guard let file else { return }
        try mapping(.saving) {
            try file.engine.prepareHistory(tombstones: HistoryProperties.tombstoneCount(file.model))
            try file.engine.skipTransactions(through: last &+ 1)
        }
    }

    /// The number of the last transaction; `nil` if the file keeps no history.
    func lastTransaction() throws -> Int64? {
        guard let file, file.history != nil else { return nil }
        return try mapping(.fetching) { try file.engine.historySpan().last }
    }

    /// Deletes the history before a transaction or before a time, and returns how many transactions that were.
    func deleteHistory(before number: Int64?, or date: Date?) throws -> Int {
        guard let file, file.history != nil else { return 0 }
        if isReadOnly { throw ErrorMapping.readOnly(url, keepsHistory: keepsHistory) }
        return try mapping(.saving) {
            try file.engine.deleteHistory(before: number, or: date?.timeIntervalSinceReferenceDate)
        }
    }
}
