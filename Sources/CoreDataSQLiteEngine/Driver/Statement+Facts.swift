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

    /// Indicates whether the SQL text holds more than this one statement; SQLite runs only the first.
    package var hasMoreText: Bool {
        let first = sqlite3_sql(handle).map { String(cString: $0) } ?? ""
        return sql.utf8.dropFirst(first.utf8.count).contains { $0 > 32 && $0 != UInt8(ascii: ";") }
    }
}
