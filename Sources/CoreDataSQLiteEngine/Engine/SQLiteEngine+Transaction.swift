// Transactions: all or nothing, external files included.

package import CoreDataSQL

extension SQLiteEngine {
    /// Runs the closure in a transaction that may write. Rolls back if it throws; inside another transaction it
    /// is part of that one.
    @discardableResult
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        let isOutermost = try begin("BEGIN IMMEDIATE")
        do {
            if isOutermost {
                try connection.fitRoom()
                try beforeWriting?()
            }
            let result = try body()
            try end(isOutermost)
            if isOutermost { try connection.checkFiles() }
            return result
        } catch {
            rollBack(isOutermost)
            throw error
        }
    }

    /// Runs the closure so that all its reads see the same state of the file, and don't lock it one by one.
    package func reading<Result>(_ body: () throws -> Result) throws -> Result {
        try transaction("BEGIN", body: body)
    }

    /// Runs the closure in a transaction beside which nobody else reads or writes, but for readers of a write-ahead log.
    package func excludingOthers<Result>(_ body: () throws -> Result) throws -> Result {
        try transaction("BEGIN EXCLUSIVE", body: body)
    }

    private func transaction<Result>(_ statement: String, body: () throws -> Result) throws -> Result {
        let isOutermost = try begin(statement)
        do {
            let result = try body()
            try end(isOutermost)
            return result
        } catch {
            rollBack(isOutermost)
            throw error
        }
    }

    /// Returns whether this is a transaction of its own, not a part of another one.
    private func begin(_ statement: String) throws -> Bool {
        let isOutermost = connection.transactionDepth == 0
        if isOutermost { try connection.execute(SQLStatement(statement)) }
        connection.transactionDepth += 1
        return isOutermost
    }

    private func end(_ isOutermost: Bool) throws {
        connection.transactionDepth -= 1
        if isOutermost { try commit() }
    }

    private func commit() throws {
        do {
            try connection.execute(SQLStatement("COMMIT"))
        } catch {
            if (error as? EngineFailure)?.mayStandNoneTheLess == true { writer.doubtWritten() }
            throw error
        }
        writer.commit()
        // This commit shows whether an earlier transaction held. Files stay if that can't be read.
        if !writer.doubtful.isEmpty, let used = try? usedExternalFileNames() {
            writer.removeDoubtful(except: used)
        }
    }

    /// A number that changes whenever another connection, of this process or another, has written to the file.
    package func dataVersion() throws -> Int64 {
        try connection.firstInteger("PRAGMA data_version") ?? 0
    }

    /// Returns whether another file, or none, is where this one was opened.
    package func hasMoved() throws -> Bool { try connection.hasMoved() }

    /// Returns whether the file has a write-ahead log.
    package func usesLog() throws -> Bool { try connection.usesLog() }

    /// SQLite may have rolled back by itself, for instance when the disk is full.
    private func rollBack(_ isOutermost: Bool) {
        guard isOutermost else {
            connection.transactionDepth -= 1
            return
        }
        connection.transactionDepth = 0
        if !connection.isInAutocommit { _ = try? connection.execute(SQLStatement("ROLLBACK")) }
        writer.rollBack()
        _ = connection.derivedLog.take()
    }

    /// Runs a statement and returns how many rows it changed.
    @discardableResult
    package func execute(_ statement: SQLStatement) throws -> Int {
        try connection.execute(statement)
    }

    /// Runs a statement once for each list of bindings and returns how many rows each run changed.
    @discardableResult
    package func execute(_ text: String, each rows: [[SQLBinding]]) throws -> [Int] {
        if rows.isEmpty { return [] }
        return try connection.withStatement(text) { statement in
            try rows.map { bindings in
                try statement.bind(bindings)
                try statement.run()
                return connection.changeCount
            }
        }
    }
}
