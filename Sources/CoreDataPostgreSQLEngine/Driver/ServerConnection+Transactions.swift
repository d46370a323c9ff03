// Transactions: all or nothing.

import CPostgreSQL
import CoreDataSQL
import CoreDataSupport
import Foundation

/// A transaction whose commit was sent, and whose connection was lost before the answer.
package struct UncertainCommit: Error {
    let transaction: String
    package let failure: ServerFailure
}

extension ServerConnection {
    /// Runs the closure in a transaction, and rolls back if it throws. Inside another transaction it is part of that one.
    ///
    /// Throws `UncertainCommit` if the connection was lost while the transaction was committed.
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        if transactionDepth > 0 { return try nested(body) }
        // The answers are read with those of the statements behind them.
        var number = ""
        try send("BEGIN")
        try send("SELECT pg_current_xact_id()::text") { number = $0.text(0, 0) }
        transactionDepth = 1
        do {
            let result = try body()
            try finish()
            try commit(number)
            transactionDepth = 0
            return result
        } catch {
            transactionDepth = 0
            rollBack()
            throw error
        }
    }

    private func commit(_ number: String) throws {
        do {
            let end = try run("COMMIT")
            invariant(end.command == "COMMIT", "a transaction that failed was committed")
        } catch let failure as ServerFailure where isBroken {
            throw UncertainCommit(transaction: number, failure: failure)
        }
    }

    /// Returns whether a transaction of another connection, now lost, was committed. Waits until it has ended.
    package func hasCommitted(_ doubt: UncertainCommit) throws -> Bool {
        for _ in 0..<600 {
            let result = try run(
                SQLStatement("SELECT pg_xact_status($1::text::xid8)", [.text(doubt.transaction)]))
            switch result.text(0, 0) {
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
