// SQLite's facts about a prepared statement, for statements that a person typed.

import CSQLite

extension Statement {
    /// The names of the result's columns; none for a statement without a result.
    package var columnNames: [String] {
        (0..<columnCount).map { column in
            sqlite3_column_name(handle, Int32(column)).map { String(cString: $0) } ?? ""
        }
    }

    /// Indicates whether the statement itself changes nothing in the file.
    package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// Indicates whether the SQL text holds more than this one statement, of which SQLite runs only the first. White space,
    /// semicolons and comments are no statement.
    package var hasMoreText: Bool {
        let first = sqlite3_sql(handle).map { String(cString: $0) } ?? ""
        var text = String(decoding: sql.utf8.dropFirst(first.utf8.count), as: UTF8.self)
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                guard var place = characters.baseAddress else { return false }
                let end = place + characters.count
                while place < end {
                    var more: OpaquePointer?
                    var rest: UnsafePointer<CChar>?
                    let length = Int32(clamping: end - place)
                    let code = sqlite3_prepare_v2(connection.handle, place, length, &more, &rest)
                    defer { sqlite3_finalize(more) }
                    guard code == SQLITE_OK, more == nil, let rest, rest > place else {
                        return code != SQLITE_OK || more != nil
                    }
                    place = rest
                }
                return false
            }
        }
    }
}
