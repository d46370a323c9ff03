// The history in a store's database: made, written with each change, read and deleted.

import CoreDataPostgreSQLEngine
package import CoreDataSQL
import CoreDataSchema
package import CoreDataStores
import CoreDataSupport
package import Foundation

/// The settings of an open store for its history and for those who listen.
struct PostgreSQLTracking: Sendable {
    var history: ServerHistory
    /// Added to the server's number of a transaction; `nil` where saves aren't recorded.
    var base: Int64?
    /// Indicates whether the store has a history, recorded or not.
    var isKept = false
    /// Indicates whether saves are announced.
    var announces = false
}

extension PostgreSQLRowStore {
    /// Makes the tables if the store is to track its history, and finds out about those that there are.
    func openedHistory(
        _ connection: ServerConnection, options: PostgreSQLOptions, shape: PostgreSQLStoreShape
    ) throws -> PostgreSQLTracking {
        var tracking = PostgreSQLTracking(history: ServerHistory(in: catalogue.schema))
        tracking.history.names = shape.historyNames
        tracking.announces = options.postsRemoteChanges
        if options.tracksHistory && !host.isReadOnly {
            tracking.base = try connection.prepareHistory(tracking.history, catalogue: catalogue)
        }
        tracking.isKept = try tracking.base != nil || connection.hasHistory(tracking.history)
        if tracking.isKept, !options.tracksHistory, !host.isReadOnly {
            Log.warning(
                "the store at \(connection.address) keeps a persistent history, but is opened without "
                    + "NSPersistentHistoryTrackingKey: it is opened read-only")
            host.isReadOnly = true
        }
        return tracking
    }

    /// The recorder that writes the history of one transaction in the name of who asks; `nil` if none is kept.
    func historyRecorder(in tables: PostgreSQLTables) -> HistoryRecorder<PostgreSQLTables>? {
        tracking?.base == nil ? nil : HistoryRecorder(tables, by: host.requester)
    }
}

extension PostgreSQLStoreShape {
    fileprivate var historyNames: HistoryNames {
        var names = HistoryNames()
        for (number, entity) in entities {
            names.numbered[Int64(number)] = HistoryProperties.numbered(entity).map(\.name)
            names.preserved[Int64(number)] = HistoryProperties.preserved(entity).map(\.name)
        }
        return names
    }
}

extension PostgreSQLRowStore: StoreHistory {
    package var history: (any StoreHistory)? { self }

    /// Runs a closure with the connection and the history; `nil` without one.
    private func withHistory<Result>(
        _ occasion: ErrorMapping.Occasion,
        body: (ServerConnection, ServerHistory) throws -> Result
    ) throws -> Result? {
        guard let tables, let tracking, tracking.isKept else { return nil }
        return try mapping(occasion) { try body(tables.connection(), tracking.history) }
    }

    package func lastTransaction() throws -> Int64? {
        try withHistory(.fetching) { connection, history in
            try connection.readHistory(history) { try connection.lastTransaction(history, position: $0) }
        }
    }

    /// The last one that readers see: behind the store's own last one others may still be missing.
    package var recordedTransaction: Int64? {
        guard tracking?.base != nil else { return nil }
        do {
            return try lastTransaction()
        } catch {
            Log.warning("the history of \(host.url?.absoluteString ?? "") can't be read: \(error)")
            return nil
        }
    }

    package func deleteHistory(before number: Int64?, or date: Date?) throws -> Int {
        if tracking?.isKept == true, host.isReadOnly {
            throw ErrorMapping.readOnly(host.url, keepsHistory: true)
        }
        return try withHistory(.saving) { connection, history in
            try connection.deleteHistory(
                history, before: number, or: date?.timeIntervalSinceReferenceDate)
        } ?? 0
    }

    package func beginHistory(after last: Int64) throws {
        guard let tables, let history = tracking?.history else { return }
        try mapping(.saving) {
            _ = try tables.connection().prepareHistory(history, catalogue: catalogue)
            try tables.connection().beginHistory(history, after: last)
        }
    }

    package func readHistory(_ body: (any HistoryReader) throws -> Void) throws {
        _ = try withHistory(.fetching) { connection, history in
            guard let shape else { return }
            try connection.readHistory(history) { position in
                try body(
                    PostgreSQLHistoryReader(
                        connection: connection, history: history, position: position, shape: shape))
            }
        }
    }
}

/// Reads one state of a history, inside one transaction.
private struct PostgreSQLHistoryReader: HistoryReader {
    let connection: ServerConnection
    let history: ServerHistory
    let position: HistoryPosition
    let shape: PostgreSQLStoreShape

    func span() throws -> (oldest: Int64?, last: Int64) {
        (position.deleted + 1, max(position.deleted, position.limit - 1))
    }

    func transactions(
        after number: Int64?, since timestamp: Double?, _ body: (HistoryTransactionRow) throws -> Bool
    ) throws {
        try connection.transactions(history, position: position, after: number, since: timestamp, body: body)
    }

    func changes(
        of transaction: Int64, after key: Int64,
        _ body: (HistoryChangeRow, EntityRuntime) throws -> Bool
    ) throws {
        try connection.changes(history, of: transaction, after: key) { change in
            guard let entity = shape.entities[Int(clamping: change.entity)] else { return true }
            return try body(change, entity)
        }
    }

    func passChanges(of transaction: Int64, count: Int) throws -> (count: Int, key: Int64?) {
        try connection.passChanges(
            history, of: transaction, count: count, entities: shape.entities.keys.sorted())
    }

    func number(ofEntity name: String) -> Int64? { shape.layout[name].map { Int64($0.number) } }
}

extension PostgreSQLTables: HistoryTables {
    package func insertHistory(_ transaction: HistoryTransactionRow) throws -> Int64 {
        guard let tracking, let base = tracking.base else {
            throw ServerFailure(.other, message: "The store doesn't track its history.")
        }
        var row = transaction
        row.number = base + (try connection().numberOfTransaction())
        try connection().insertHistory(row, history: tracking.history)
        return row.number
    }

    package func insertHistory(_ changes: [HistoryChangeRow], of number: Int64) throws {
        guard let tracking else { return }
        try connection().insertHistory(changes, of: number, history: tracking.history)
    }
}
