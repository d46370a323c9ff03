// The rows of a store file, read with SQLite alone.

import Foundation
import PlainSQLite

struct SQLProblem: Error {
    let message: String
}

/// The rows of a query, their columns as text.
func rows(_ sql: String, in file: URL) throws -> [[String?]] {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    func check(_ code: Int32, _ wanted: Int32) throws {
        if code != wanted { throw SQLProblem(message: String(cString: sqlite3_errmsg(database))) }
    }
    try check(sqlite3_open_v2(file.path, &database, SQLITE_OPEN_READONLY, nil), SQLITE_OK)
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    try check(sqlite3_prepare_v2(database, sql, -1, &statement, nil), SQLITE_OK)
    var found: [[String?]] = []
    while true {
        let code = sqlite3_step(statement)
        if code == SQLITE_DONE { return found }
        try check(code, SQLITE_ROW)
        found.append(
            (0..<sqlite3_column_count(statement)).map {
                sqlite3_column_text(statement, $0).map { String(cString: $0) }
            })
    }
}
