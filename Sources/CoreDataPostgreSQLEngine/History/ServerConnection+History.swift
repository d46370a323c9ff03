// The history of a store: made, written, read and deleted.

package import CoreDataSQL
import CoreDataSupport
import Foundation

/// A state of a history.
package struct HistoryPosition: Sendable {
    /// Added to the server's number of a transaction.
    package let base: Int64
    /// The last transaction that was deleted; 0 for none.
    package let deleted: Int64
    /// Transactions from this number on may be missing still.
    package let limit: Int64
}

extension ServerConnection {
    /// Indicates whether a store has a history.
    package func hasHistory(_ history: ServerHistory) throws -> Bool {
        try run(history.isThere).rowCount > 0
    }

    /// Makes the tables unless they are there, and sees to it that new numbers are above those that there are. Returns the base
    /// of numbers.
    package func prepareHistory(_ history: ServerHistory, catalogue: PostgreSQLCatalogue) throws -> Int64 {
        try transaction {
            try run(catalogue.exclusion)
            if try !hasHistory(history) {
                for statement in history.definitions { try send(statement) }
            }
            try send(history.repair)
            return try run(history.base).integer(0, column: 0)
        }
    }

    // MARK: Writing, inside a transaction of the caller's

    /// Writes a transaction under a number.
    package func insertHistory(_ row: HistoryTransactionRow, history: ServerHistory) throws {
        let texts = HistoryLayout.Text.allCases.map { row.texts[$0].map(SQLBinding.text) ?? .null }
        try send(
            history.statement(
                """
                INSERT INTO \(history.transactions) (number, time, author, bundle_id, context_name, process_id) \
                VALUES (\(binding: .integer(row.number)), clock_timestamp(), \
                \(texts.map { "\(binding: $0, as: .ofPlace)" }.joined(separator: ", ")))
                """))
    }

    /// Writes changes of a transaction.
    package func insertHistory(
        _ rows: [HistoryChangeRow], of transaction: Int64, history: ServerHistory
    ) throws {
        for start in stride(from: 0, to: rows.count, by: 2048) {
            let part = rows[start..<min(start + 2048, rows.count)]
            var parameters = try ParameterList([.integer(transaction)])
            parameters.append(binary: ArrayEncoder.integers(part.map(\.kind.rawValue)))
            parameters.append(binary: ArrayEncoder.integers(part.map(\.entity)))
            parameters.append(binary: ArrayEncoder.integers(part.map(\.primaryKey)))
            var columns = ArrayEncoder(.text, count: part.count)
            var tombstones = ArrayEncoder(.text, count: part.count)
            for row in part {
                if let bitmap = row.columns {
                    try columns.append(history.columns(bitmap, of: row.entity))
                } else {
                    columns.appendNull()
                }
                if row.tombstones.isEmpty {
                    tombstones.appendNull()
                } else {
                    try tombstones.append(
                        Tombstones.text(row.tombstones, history.names.preserved[row.entity] ?? []))
                }
            }
            parameters.append(binary: columns.bytes)
            parameters.append(binary: tombstones.bytes)
            try send(history.changeInsertion, parameters: parameters)
        }
    }

    // MARK: Reading

    /// Runs a closure on one state of the history, up to the first transaction that may still be missing.
    package func readHistory<Result>(
        _ history: ServerHistory, body: (HistoryPosition) throws -> Result
    ) throws -> Result {
        // Usually no transaction goes on that began before one that is recorded.
        if let result = try readOnly({ try position(history).map(body) }) { return result }
        let bound = try writersBound(history)
        return try readOnly { try body(position(history, bound: bound)) }
    }

    /// The position by the server's oldest transaction; `nil` if there are recorded ones that this one hides.
    private func position(_ history: ServerHistory) throws -> HistoryPosition? {
        let row = try run(history.position)
        let (base, limit) = (row.integer(0, column: 0), row.integer(0, column: 0) + row.integer(0, column: 2))
        if row.integer(0, column: 4) >= limit { return nil }
        return HistoryPosition(base: base, deleted: row.integer(0, column: 1), limit: limit)
    }

    private func position(_ history: ServerHistory, bound: Int64) throws -> HistoryPosition {
        let row = try run(history.position)
        return HistoryPosition(
            base: row.integer(0, column: 0), deleted: row.integer(0, column: 1),
            limit: row.integer(0, column: 0) + max(bound, row.integer(0, column: 2)))
    }

    /// The server's number below which nobody writes the history any more. A writer that begins later has a higher one than
    /// the next number of now.
    private func writersBound(_ history: ServerHistory) throws -> Int64 {
        let next = try run(history.nextNumber).integer(0, column: 0)
        let oldest = try run(history.oldestWriter)
        if oldest.isNull(0, column: 0) { return next }
        // Locks name transactions by 32 bits.
        let low = oldest.integer(0, column: 0)
        let whole = next & ~0xFFFF_FFFF | low
        return min(next, whole > next ? whole - 1 << 32 : whole)
    }

    /// The number of the last transaction that readers see.
    package func lastTransaction(_ history: ServerHistory, position: HistoryPosition) throws -> Int64 {
        max(position.deleted, try run(history.last(before: position.limit)).integer(0, column: 0))
    }

    /// Hands over transactions, oldest first, until the closure returns false.
    package func transactions(
        _ history: ServerHistory, position: HistoryPosition, after number: Int64?, since timestamp: Double?,
        body: (HistoryTransactionRow) throws -> Bool
    ) throws {
        var last = number ?? .min
        while true {
            let rows = try fetchValues(history.transactions(after: last, before: position.limit, timestamp))
            for row in rows {
                guard let transaction = ServerHistory.transaction(row) else { continue }
                if try !body(transaction) { return }
                last = transaction.number
            }
            if rows.count < ServerHistory.page { return }
        }
    }

    /// Hands over the changes of a transaction, beyond the one with a key, until the closure returns false.
    package func changes(
        _ history: ServerHistory, of transaction: Int64, after key: Int64,
        body: (HistoryChangeRow) throws -> Bool
    ) throws {
        var last = key
        while true {
            let rows = try fetchValues(history.changes(of: transaction, after: last))
            for row in rows {
                guard let change = try history.change(row) else { continue }
                if try !body(change) { return }
                last = change.number
            }
            if rows.count < ServerHistory.page { return }
        }
    }

    /// Passes over the first changes of a transaction to rows of these entities. Returns how many there were to pass, and the
    /// key of the last of them; no key if there are no others.
    package func passChanges(
        _ history: ServerHistory, of transaction: Int64, count: Int, entities: [Int]
    ) throws -> (count: Int, key: Int64?) {
        let found = try run(history.key(ofChange: count, of: transaction, entities: entities))
        if found.rowCount > 0 { return (count, found.integer(0, column: 0)) }
        return (try fetchCount(history.changeCount(of: transaction, entities: entities)), nil)
    }

    // MARK: Deleting

    /// Deletes what is before a transaction, or before the first one from a time on. Returns how many transactions that were.
    package func deleteHistory(
        _ history: ServerHistory, before number: Int64?, or timestamp: Double?
    ) throws -> Int {
        let limit = try readHistory(history) { $0.limit }
        return try transaction {
            var end = limit
            if let number {
                end = min(number, limit)
            } else if let timestamp {
                let first = try run(history.first(since: timestamp))
                if !first.isNull(0, column: 0) { end = min(first.integer(0, column: 0), limit) }
            }
            try send(history.noteDeletion(before: end))
            try send(history.deleteChanges(before: end))
            return try change(history.deleteTransactions(before: end))
        }
    }

    /// Lets the next numbers be above another history's.
    package func beginHistory(_ history: ServerHistory, after number: Int64) throws {
        try transaction { try send(history.begin(after: number)) }
    }
}
