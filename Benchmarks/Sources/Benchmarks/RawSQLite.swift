// Plain SQLite through its C interface. The measure for everything else: don't change it, or old numbers no
// longer compare.
//
// Cached statements, no mutex, write-ahead log, synchronous NORMAL, pages of 4096 bytes, 2 MB of cache, no memory
// map, one transaction for a batch, all columns read, errors unchecked but for the open.

import CRawSQLite
import Foundation

final class RawSQLite {
    let handle: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    struct Failure: Error {
        let code: Int32
    }

    init(path: String) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else { throw Failure(code: code) }
        handle = opened
        run("PRAGMA page_size = 4096")
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = NORMAL")
        run("PRAGMA cache_size = -2000")
        run("PRAGMA mmap_size = 0")
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close(handle)
    }

    func run(_ sql: String) {
        sqlite3_exec(handle, sql, nil, nil, nil)
    }

    /// A prepared statement, ready to run.
    func statement(_ sql: String) throws -> OpaquePointer {
        if let known = statements[sql] { return known }
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw Failure(code: code) }
        statements[sql] = prepared
        return prepared
    }
}
