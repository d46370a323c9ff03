// Transactions: all or nothing.

import CPostgreSQL
package import CoreDataSQL
import CoreDataSupport
package import Foundation

/// A transaction whose commit was sent, and whose connection was lost before the answer.
package struct UncertainCommit: Error {
    /// The server's number of the transaction, and of the process that ran it.
    let transaction: Int64
    let process: Int32
    /// Milliseconds that a silent server is waited for.
    package let answerTimeout: Int32
    package let failure: ServerFailure
}

/// A state of the database that was to be read isn't kept any more: the transaction that kept it has ended.
package struct EndedState: Error {
    package let failure: ServerFailure

    /// The server's codes for a name that it has no state for (in its versions up to 16 and since), and for a state whose transaction
    /// is over.
    static let codes: Set<String> = ["22023", "42704", "55000"]
}

extension ServerConnection {
    /// Runs the closure in a transaction, and rolls back if it throws. Inside another transaction it is part of that one.
    ///
    /// Throws `UncertainCommit` if the connection was lost while the transaction was committed.
    ///
    /// - Parameters:
    ///   - first: statements to run before the transaction gets its number.
    ///   - mark: one by which the transaction can be found again, which gives its number (`SaveMarks`).
    package func transaction<Result>(
        after first: [SQLStatement] = [], marked mark: SQLStatement? = nil, _ body: () throws -> Result
    ) throws -> Result {
        if transactionDepth > 0 { return try nested(body) }
        // The answers are read with those of the statements behind them.
        transactionNumber = nil
        _ = takeReports()
        try sendCommand("BEGIN")
        for statement in first { try send(statement) }
        if let mark { try send(mark) { [unowned self] in transactionNumber = $0.integer(0, column: 0) } }
        return try ending(body, by: commit)
    }

    /// Runs the closure on one state of the database. Inside another transaction it is part of that one.
    package func readOnly<Result>(_ body: () throws -> Result) throws -> Result {
        if transactionDepth > 0 { return try nested(body) }
        try sendCommand("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        return try ending(body, by: endReading)
    }

    // MARK: States that are kept

    /// The transactions that a statement sees now, as the server words them.
    package func snapshotMark() throws -> String {
        try run("SELECT pg_current_snapshot()::text").text(0, column: 0)
    }

    /// Begins a transaction that keeps the state of now until the connection is closed. Returns the server's name for it, and its
    /// mark.
    package func exportSnapshot() throws -> (name: String, mark: String) {
        try sendCommand("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        let result = try run("SELECT pg_export_snapshot(), pg_current_snapshot()::text")
        return (result.text(0, column: 0), result.text(0, column: 1))
    }

    /// Runs the closure on a state that another connection keeps. Throws `EndedState` if it doesn't any more.
    package func onSnapshot<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        try sendCommand("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        // A command that takes no parameters.
        let choice = "SET TRANSACTION SNAPSHOT '\(name.replacing("'", with: "''"))'"
        try sendCommand(choice)
        do {
            return try ending(body, by: endReading)
        } catch let failure as ServerFailure
            where failure.sql == choice && EndedState.codes.contains(failure.sqlState)
        {
            throw EndedState(failure: failure)
        }
    }

    /// Returns whether the transaction that keeps a state goes on. Its end becomes known to others before the connection's does.
    package func keepsState() -> Bool {
        (try? run("SELECT 1")) != nil
    }

    /// Ends a transaction whose rows have all been read. They stand, even if the server ended it meanwhile, which it may do while a
    /// client is slow.
    private func endReading() throws {
        do {
            try runCommand("COMMIT")
        } catch let failure as ServerFailure where isBroken || failure.kind == .connection {
            Log.warning("the server ended the transaction of a read that was done: \(failure.message)")
            close()
        }
    }

    private func ending<Result>(_ body: () throws -> Result, by end: () throws -> Void) throws -> Result {
        transactionDepth = 1
        do {
            let result = try body()
            try finish()
            try end()
            transactionDepth = 0
            return result
        } catch {
            transactionDepth = 0
            rollBack()
            throw error
        }
    }

    /// By now the transaction has its mark: nobody takes it for one that didn't happen while it may still be committed.
    private func commit() throws {
        let process = self.process
        do {
            let end = try runCommand("COMMIT")
            invariant(end.command == "COMMIT", "a transaction that failed was committed")
        } catch let failure as ServerFailure where isBroken {
            throw UncertainCommit(
                transaction: transactionNumber ?? 0, process: process, answerTimeout: answerTimeout,
                failure: failure)
        }
    }

    /// The number of a writer's last save that stands, after a transaction of the writer's whose connection was lost. Waits until
    /// that has ended, for half a minute at most.
    package func lastSave(_ marks: SaveMarks, by writer: UUID, after doubt: UncertainCommit) throws -> Int64 {
        // A server whose other end is gone without a word may wait for it for hours.
        try run(Self.ending(doubt))
        try send("SELECT set_config('lock_timeout', '30s', true)")
        return try run(marks.last(of: writer)).integer(0, column: 0)
    }

    /// Ends the process if it is still at the transaction. Process and transaction together: on another server, or behind a
    /// pooler, the number alone may be somebody else's.
    private static func ending(_ doubt: UncertainCommit) throws -> SQLStatement {
        SQLStatement(
            """
            SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'transactionid' AND mode = 'ExclusiveLock' \
            AND granted AND pid = $1::int AND transactionid::text::bigint = $2::bigint & 4294967295
            """, bindings: [.integer(Int64(doubt.process)), .integer(doubt.transaction)])
    }

    /// Makes the table of marks unless it is there, and forgets old marks.
    package func prepareMarks(_ marks: SaveMarks, in catalogue: PostgreSQLCatalogue) throws {
        let found = try run(marks.isThere)
        if found.rowCount == 0 {
            try transaction {
                try run(catalogue.exclusion)
                try send(marks.definition)
            }
        } else if found.integer(0, column: 0) == 1 {
            // Users that only read don't have the right.
            try run(marks.cleaning)
        }
    }

    /// Returns the server's number of the transaction that goes on, which has a mark.
    package func numberOfTransaction() throws -> Int64 {
        if transactionNumber == nil { try finish() }
        guard let transactionNumber else {
            throw ServerFailure(.other, message: "There is no transaction that could be recorded.")
        }
        return transactionNumber
    }

    package var isInTransaction: Bool { transactionDepth > 0 }

    /// Rolls back a transaction in which a statement failed, so that others can be run before its closure ends.
    package func endFailedTransaction() throws {
        if hasFailedTransaction { try runCommand("ROLLBACK") }
    }

    private func nested<Result>(_ body: () throws -> Result) throws -> Result {
        transactionDepth += 1
        defer { transactionDepth -= 1 }
        return try body()
    }

    /// Ends a transaction that failed. A connection on which that isn't possible is closed: the server rolls back then.
    func rollBack() {
        do {
            // Statements behind the one that failed fail as well.
            _ = try? finish()
            if !isBroken, !isIdle { try runCommand("ROLLBACK") }
        } catch {
            Log.warning(
                "a transaction couldn't be rolled back: \((error as? ServerFailure)?.message ?? "\(error)")")
            close()
        }
    }
}
