// SQLite as any other program would use it: what is in a file, and not what the library makes of it.

import CSQLite
package import Foundation

/// A value as SQLite holds it, with its storage class.
package enum PlainValue: Hashable, Sendable, CustomStringConvertible {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)

    package var integer: Int64? {
        if case .integer(let value) = self { return value }
        return nil
    }

    /// A number of either class.
    package var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        default: nil
        }
    }

    package var text: String? {
        if case .text(let value) = self { return value }
        return nil
    }

    package var blob: Data? {
        if case .blob(let value) = self { return value }
        return nil
    }

    package var description: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let value): "'\(value)'"
        case .blob(let value): "<\(value.count) bytes>"
        }
    }
}

/// A connection to a database file or to one in memory.
package final class PlainDatabase {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private var handle: OpaquePointer?

    /// Opens a file that exists, for reading and writing.
    package init(_ url: URL) throws {
        guard sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            throw failure("open \(url.path)")
        }
    }

    deinit { sqlite3_close_v2(handle) }

    private func failure(_ sql: String) -> Failure {
        Failure(description: "\(String(cString: sqlite3_errmsg(handle))) in: \(sql)")
    }

    /// Runs one statement and returns its rows.
    @discardableResult
    package func rows(_ sql: String) throws -> [[PlainValue]] {
        try table(sql).rows
    }

    /// The rows as dictionaries by column name.
    package func records(_ sql: String) throws -> [[String: PlainValue]] {
        let table = try table(sql)
        return table.rows.map { row in
            Dictionary(zip(table.columns, row), uniquingKeysWith: { first, _ in first })
        }
    }

    private func table(_ sql: String) throws -> (columns: [String], rows: [[PlainValue]]) {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure(sql) }
        defer { sqlite3_finalize(statement) }
        let count = sqlite3_column_count(statement)
        let columns = (0..<count).map { String(cString: sqlite3_column_name(statement, $0)) }
        var rows: [[PlainValue]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append((0..<count).map { value(statement, $0) })
            case SQLITE_DONE: return (columns, rows)
            default: throw failure(sql)
            }
        }
    }

    private func value(_ statement: OpaquePointer?, _ column: Int32) -> PlainValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT: return .text(String(cString: sqlite3_column_text(statement, column)))
        case SQLITE_BLOB:
            guard let bytes = sqlite3_column_blob(statement, column) else { return .blob(Data()) }
            return .blob(Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column))))
        default: return .null
        }
    }

    /// The names of all tables.
    package func tableNames() throws -> [String] {
        try rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").compactMap {
            $0[0].text
        }
    }

    /// The columns of a table in their order.
    package func columns(of table: String) throws -> [String] {
        try rows("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid").compactMap { $0[0].text }
    }

    /// Every row of every table, by table and row number.
    package func contents() throws -> [String: [Int64: [String: PlainValue]]] {
        var contents: [String: [Int64: [String: PlainValue]]] = [:]
        for table in try tableNames() {
            var rows: [Int64: [String: PlainValue]] = [:]
            for record in try records("SELECT rowid AS plain_rowid, * FROM \"\(table)\"") {
                var record = record
                if let key = record.removeValue(forKey: "plain_rowid")?.integer { rows[key] = record }
            }
            contents[table] = rows
        }
        return contents
    }
}
