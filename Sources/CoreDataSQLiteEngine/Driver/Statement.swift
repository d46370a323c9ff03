// A prepared statement: binding, stepping and reading single columns. The loops over rows are in `RowDecoder`
// and `RowEncoder`.

import CSQLite
package import CoreDataSQL
package import Foundation

/// A prepared statement of one connection. Taken from the connection with `withStatement`.
package final class Statement {
    let handle: OpaquePointer
    let sql: String
    unowned let connection: Connection
    /// The bindings since the last reset, only while the connection traces.
    private var recorded: [SQLBinding] = []
    // Unchecked, for a look-up by key asks for them several times. Sound because one thread at a time uses a connection: its
    // owner serialises, which the thread sanitizer watches in ConcurrencyUnderLoadTests (Scripts/test --long).
    @exclusivity(unchecked)
    private var startedAt: ContinuousClock.Instant?
    /// Indicates whether to record; asked for each binding, so it is kept here.
    @exclusivity(unchecked)
    private(set) var isTracing = false

    init(_ sql: String, on connection: Connection) throws {
        var handle: OpaquePointer?
        var text = sql
        let code = text.withUTF8 {
            $0.withMemoryRebound(to: CChar.self) {
                sqlite3_prepare_v3(
                    connection.handle, $0.baseAddress, Int32(clamping: $0.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
            }
        }
        guard code == SQLITE_OK else { throw connection.failure(code, sql: sql) }
        guard let handle else {
            throw EngineFailure(.schema, message: "The SQL text is empty.", path: connection.path, sql: sql)
        }
        self.handle = handle
        self.sql = sql
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Moves to the next row; false at the end.
    @discardableResult
    package func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw connection.failure(code, sql: sql)
    }

    /// Runs a statement without rows and makes it ready for the next bindings.
    func run() throws {
        begin()
        while try step() {}
        reset()
    }

    /// Runs a statement without rows or bindings of which no trace is told.
    func runUntraced() throws {
        defer { sqlite3_reset(handle) }
        while try step() {}
    }

    /// Makes the statement ready to run again with the same bindings.
    package func reset() {
        sqlite3_reset(handle)
        if let startedAt { report(since: startedAt) }
    }

    /// Resets the statement and lets go of what is bound.
    func release() {
        reset()
        sqlite3_clear_bindings(handle)
        recorded.removeAll()
    }

    /// Readies the statement for bindings; called when somebody takes it.
    func prepareToRun() {
        isTracing = connection.trace != nil
    }

    /// Starts the clock of the trace; called before the first step.
    func begin() {
        if isTracing { startedAt = .now }
    }

    private func report(since start: ContinuousClock.Instant) {
        startedAt = nil
        connection.trace?(TraceEvent(sql: sql, bindings: recorded, duration: start.duration(to: .now)))
        recorded.removeAll()
    }
}

/// One run of a statement, for the SQL debug log.
package struct TraceEvent: Sendable {
    package let sql: String
    package let bindings: [SQLBinding]
    package let duration: Duration
}

// MARK: Binding

extension Statement {
    func bind(_ bindings: [SQLBinding]) throws {
        for (index, binding) in bindings.enumerated() { try bind(binding, at: Int32(index + 1)) }
    }

    func bind(_ binding: SQLBinding, at index: Int32) throws {
        let code: Int32
        switch binding {
        case .null: code = sqlite3_bind_null(handle, index)
        case .integer(let value): code = sqlite3_bind_int64(handle, index, value)
        case .double(let value): code = sqlite3_bind_double(handle, index, value)
        case .text(var text):
            code = text.withUTF8 {
                sqlite3_bind_text64(
                    handle, index, UnsafeRawPointer($0.baseAddress)?.assumingMemoryBound(to: CChar.self),
                    UInt64($0.count), Statement.copying, UInt8(SQLITE_UTF8))
            }
        case .blob(let data):
            code = data.withUnsafeBytes { bind(copying: $0, at: index) }
        }
        if code != SQLITE_OK { throw connection.failure(code, sql: sql) }
        record(binding)
    }

    func bind(copying bytes: UnsafeRawBufferPointer, at index: Int32) -> Int32 {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return sqlite3_bind_zeroblob(handle, index, 0)
        }
        return sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), Statement.copying)
    }

    /// Notes a binding for the trace.
    @inline(__always)
    func record(_ binding: @autoclosure () -> SQLBinding) {
        if isTracing { recorded.append(binding()) }
    }

    /// Tells SQLite to copy what is bound.
    static let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

// MARK: Columns

extension Statement {
    package var columnCount: Int { Int(sqlite3_column_count(handle)) }

    package func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
    }

    package func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

    /// The text of a column, repaired where it isn't UTF-8; `nil` for NULL.
    package func text(_ column: Int) -> String? {
        guard let start = sqlite3_column_text(handle, Int32(column)) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    package func blob(_ column: Int) -> Data? {
        let start = sqlite3_column_blob(handle, Int32(column))
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        if let start { return Data(bytes: start, count: count) }
        return isNull(column) ? nil : Data()
    }

    /// A column in the storage class that the row has.
    package func value(_ column: Int) -> SQLBinding {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .double(sqlite3_column_double(handle, Int32(column)))
        case SQLITE_TEXT: text(column).map(SQLBinding.text) ?? .null
        case SQLITE_BLOB: blob(column).map(SQLBinding.blob) ?? .null
        default: .null
        }
    }
}
