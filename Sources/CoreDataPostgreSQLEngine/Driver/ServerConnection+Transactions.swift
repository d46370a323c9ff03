// Transactions: all or nothing.

import CPostgreSQL
package import CoreDataSQL
import CoreDataSupport
import Foundation

/// A transaction whose commit was sent, and whose connection was lost before the answer.
package struct UncertainCommit: Error {
    let transaction: Int64
    package let failure: ServerFailure
}

extension ServerConnection {
    /// Runs the closure in a transaction, and rolls back if it throws. Inside another transaction it is part of that one.
    ///
    /// Throws `UncertainCommit` if the connection was lost while the transaction was committed.
    ///
    /// - Parameter first: statements to run before the transaction gets its number.
    package func transaction<Result>(
        after first: [SQLStatement] = [], _ body: () throws -> Result
    ) throws -> Result {
        if transactionDepth > 0 { return try nested(body) }
        // The answers are read with those of the statements behind them.
        transactionNumber = nil
        _ = takeReports()
        try send("BEGIN")
        for statement in first { try send(statement) }
        try send("SELECT pg_current_xact_id()::text::bigint") { [unowned self] in
            transactionNumber = $0.integer(0, column: 0)
        }
        return try ending(body, by: commit)
    }

    /// Runs the closure on one state of the database. Inside another transaction it is part of that one.
    package func readOnly<Result>(_ body: () throws -> Result) throws -> Result {
        if transactionDepth > 0 { return try nested(body) }
        try send("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        return try ending(body) { try run("COMMIT") }
    }

    // MARK: States that are kept

    /// The transactions that a statement sees now, as the server words them.
    package func snapshotMark() throws -> String {
        try run("SELECT pg_current_snapshot()::text").text(0, column: 0)
    }

    /// Begins a transaction that keeps the state of now until the connection is closed. Returns the server's name for it, and its
    /// mark.
    package func exportSnapshot() throws -> (name: String, mark: String) {
        try send("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        let result = try run("SELECT pg_export_snapshot(), pg_current_snapshot()::text")
        return (result.text(0, column: 0), result.text(0, column: 1))
    }

    /// Runs the closure on a state that another connection keeps.
    package func onSnapshot<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        try send("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        // A command that takes no parameters.
        try send("SET TRANSACTION SNAPSHOT '\(name.replacing("'", with: "''"))'")
        return try ending(body) { try run("COMMIT") }
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

    private func commit() throws {
        do {
            let end = try run("COMMIT")
            invariant(end.command == "COMMIT", "a transaction that failed was committed")
        } catch let failure as ServerFailure where isBroken {
            throw UncertainCommit(transaction: transactionNumber ?? 0, failure: failure)
        }
    }

    /// Returns whether a transaction of another connection, now lost, was committed. Waits until it has ended.
    package func hasCommitted(_ doubt: UncertainCommit) throws -> Bool {
        for _ in 0..<600 {
            let result = try run(
                SQLStatement(
                    "SELECT pg_xact_status($1::text::xid8)", bindings: [.text(String(doubt.transaction))]))
            switch result.text(0, column: 0) {
            case "committed": return true
            case "aborted": return false
            // The server hasn't noticed yet that its other end is gone.
            default: poll(nil, 0, 50)
            }
        }
        throw ServerFailure(
            .connection,
            message: "The connection was lost during a commit, and the server hasn't ended the transaction.")
    }

    /// Returns the server's number of the transaction that goes on.
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
        if hasFailedTransaction { try run("ROLLBACK") }
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
            if !isBroken, !isIdle { try run("ROLLBACK") }
        } catch {
            Log.warning(
                "a transaction couldn't be rolled back: \((error as? ServerFailure)?.message ?? "\(error)")")
            close()
        }
    }
}
