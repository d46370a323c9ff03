// One SQLite connection. Used by one thread at a time: the engine's owner serialises.

import CSQLite
package import CoreDataSQL
import CoreDataSupport
import Foundation

/// An open database.
package final class Connection {
    package enum Mode: Sendable, Hashable {
        /// Leaves the file and its companions as they are, to the byte.
        case readOnly
        case readWrite
        /// As `readWrite`, for a file that is absent, has no bytes or no tables.
        case create
    }

    package let path: String
    package let mode: Mode
    var handle: OpaquePointer?
    private var cache: StatementCache
    /// Indicates whether a copy of the file is read.
    var isCopy = false
    /// Indicates whether the database is in memory, so that there is no file.
    var isInMemory = false
    /// Indicates that there was no file at the path before.
    var madeFile = false
    /// The write-ahead log that commits go to; `nil` for a database without one.
    var log: FileNumber?
    /// The state of the file when it was opened, if it is read without locks.
    var unlocked: UnlockedFile?
    /// Told of every statement that ran.
    package var trace: ((TraceEvent) -> Void)?
    /// A closure that returns whether the statements that run must stop.
    private var cancelling: (() -> Bool)?
    /// The time that it waits for another connection's lock, as it was opened.
    var busyMilliseconds: Int32 = 0
    /// The time that its statements wait for one now.
    var lockTimeout: Int32 = 0
    var lockWait = LockWait()
    let derivedLog = DerivedLog()
    /// The table of rows to insert, once there were some.
    private var feed: VirtualRowTable?
    /// Depth of nested transactions.
    var transactionDepth = 0
    /// Indicates whether the sizes of cache and log follow the file's, and the pages that the file had when they last did.
    var (fitsCache, fitsLog) = (false, false)
    var fittedPages: Int64 = 0
    var rowsSinceFitting = 0
    // Unchecked, for each look-up by key asks for them. Sound because one thread at a time uses a connection: its owner
    // serialises, which the thread sanitizer watches in ConcurrencyUnderLoadTests (Scripts/test --long).
    @exclusivity(unchecked)
    var lookUps = LookUpRun()
    /// Statements that are lent at the moment.
    @exclusivity(unchecked)
    private(set) var lentStatements = 0
    /// Called when look-ups begin a transaction, which somebody has to end if no other statement does.
    package var whenLookUpsBegin: (() -> Void)?

    init(path: String, mode: Mode, statementCapacity: Int) {
        self.path = path
        self.mode = mode
        cache = StatementCache(capacity: statementCapacity)
    }

    deinit {
        close()
    }

    /// Finalises all statements and closes the file.
    package func close() {
        endLookUps()
        lookUps.removeStatements()
        cache.removeAll()
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// Makes the statement that runs fail. From any thread, while the connection is in use and so open.
    package func interrupt() {
        sqlite3_interrupt(handle)
    }

    /// Runs a block whose statements fail once they are to stop: they ask themselves, and wait for nobody to tell them.
    package func stopping<Result>(
        when isCancelled: @escaping () -> Bool, _ body: () throws -> Result
    ) rethrows -> Result {
        cancelling = isCancelled
        // Instructions of SQLite's machine: well below a millisecond.
        let interval: Int32 = 10_000
        let ask: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
            guard let context else { return 0 }
            return Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().cancelling?() == true
                ? 1 : 0
        }
        sqlite3_progress_handler(handle, interval, ask, Unmanaged.passUnretained(self).toOpaque())
        defer {
            sqlite3_progress_handler(handle, 0, nil, nil)
            cancelling = nil
        }
        return try body()
    }

    /// Lends a statement; it is reset when the closure returns or throws.
    ///
    /// - Parameter isLookUp: whether the statement finds rows by one key, so that it may share a transaction with others.
    package func withStatement<Result>(
        _ sql: String, bindings: [SQLBinding] = [], isLookUp: Bool = false,
        body: (Statement) throws -> Result
    ) throws -> Result {
        if isLookUp { try beginLookUp() } else { endLookUps() }
        do {
            guard handle != nil else {
                throw EngineFailure(.other, message: "The store's file is closed.", path: path, sql: sql)
            }
            let statement = try cache.take(sql) ?? Statement(sql, on: self)
            lentStatements += 1
            defer {
                lentStatements -= 1
                statement.release()
                cache.put(statement)
            }
            statement.prepareToRun()
            try statement.bind(bindings)
            statement.begin()
            return try body(statement)
        } catch {
            endLookUps()
            throw error
        }
    }

    /// Runs a statement to its end and returns how many rows it changed.
    @discardableResult
    package func execute(_ statement: SQLStatement) throws -> Int {
        try withStatement(statement.text, bindings: statement.bindings) {
            while try $0.step() {}
            return Int(sqlite3_changes64(handle))
        }
    }

    /// Runs SQL text of our own that has no bindings.
    func execute(_ sql: String) throws {
        endLookUps()
        try check(sqlite3_exec(handle, sql, nil, nil, nil), sql: sql)
    }

    /// The table that shows rows to statements.
    func virtualRowTable() throws -> VirtualRowTable {
        if let feed { return feed }
        let made = try VirtualRowTable.register(with: self)
        feed = made
        return made
    }

    /// The key of the row that was inserted last.
    var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

    package var cachedStatementCount: Int { cache.count }

    package func hasCachedStatement(_ sql: String) -> Bool { cache.contains(sql) }

    /// The first column of the first row as text.
    func firstText(_ sql: String, argument: String? = nil) throws -> String? {
        try texts(sql, argument: argument).first
    }

    /// The first column of all rows as text; NULLs are left out.
    func texts(_ sql: String, argument: String? = nil) throws -> [String] {
        try withStatement(sql, bindings: argument.map { [.text($0)] } ?? []) { statement in
            var result: [String] = []
            while try statement.step() {
                if let text = statement.text(0) { result.append(text) }
            }
            return result
        }
    }

    package func firstInteger(_ sql: String, bindings: [SQLBinding] = []) throws -> Int64? {
        try withStatement(sql, bindings: bindings) { statement in
            guard try statement.step(), !statement.isNull(0) else { return nil }
            return statement.integer(0)
        }
    }
}
