// A file as SQLite itself sees it, without any code of ours.

import CSQLite
import Foundation
import Testing

/// Reads and changes a database through SQLite's C API.
final class RawDatabase {
    private var handle: OpaquePointer?

    /// Opens the file, or makes it.
    init(_ url: URL) throws {
        try #require(
            sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK)
    }

    deinit { sqlite3_close_v2(handle) }

    func run(_ sql: String) throws {
        try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\(sql): \(message)")
    }

    private var message: String { String(cString: sqlite3_errmsg(handle)) }

    /// All rows as text; NULL as nil.
    func rows(_ sql: String) throws -> [[String?]] {
        var statement: OpaquePointer?
        try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, "\(sql): \(message)")
        defer { sqlite3_finalize(statement) }
        var rows: [[String?]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) }
                })
        }
        return rows
    }

    /// The first column of the first row as a number.
    func number(_ sql: String) throws -> Int {
        let text = try rows(sql).first?.first ?? nil
        return try #require(text.flatMap(Int.init))
    }
}
