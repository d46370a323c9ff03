// Statements that a person typed: their values as the server words them.

import CPostgreSQL
package import CoreDataSQL
import Foundation

extension ServerConnection {
    /// Runs one statement in a transaction that can't write, and hands over its rows as they come. The connection is closed
    /// afterwards.
    ///
    /// - Parameters:
    ///   - text: a single statement.
    ///   - columns: gets the names of the columns, once, before the first row.
    ///   - row: gets the values of a row: numbers and bytes as such, all others as texts.
    package func readText(
        _ text: String, columns: ([String]) throws -> Void, row: ([SQLBinding]) throws -> Void
    ) throws {
        try runCommand("BEGIN READ ONLY")
        // A transaction may be made one that writes until its first query.
        try run("SELECT 1")
        defer { close() }
        guard let handle, PQexitPipelineMode(handle) == 1,
            PQsendQueryParams(handle, text, 0, nil, nil, nil, nil, 0) == 1, PQsetSingleRowMode(handle) == 1
        else { throw ServerFailure(.connection, message: "The statement can't be sent.", sql: text) }
        var isFirst = true
        while let result = try next(handle) {
            switch result.status {
            case PGRES_SINGLE_TUPLE, PGRES_TUPLES_OK:
                if isFirst { try columns(result.columnNames) }
                isFirst = false
                for number in 0..<result.rowCount { try row(result.textValues(number)) }
            case PGRES_COMMAND_OK:
                throw ServerFailure(.other, message: "The statement has no result.", sql: text)
            case PGRES_FATAL_ERROR: throw result.failure(sql: text)
            default: throw ServerFailure(.other, message: "The statement can't be run here.", sql: text)
            }
        }
    }
}

extension ServerResult {
    fileprivate var columnNames: [String] {
        (0..<columnCount).map { PQfname(handle, Int32($0)).map { String(cString: $0) } ?? "" }
    }

    /// A row of a result that is in the text form.
    fileprivate func textValues(_ row: Int) -> [SQLBinding] {
        (0..<columnCount).map { column in
            if isNull(row, column: column) { return .null }
            let text = String(decoding: bytes(row, column: column), as: UTF8.self)
            switch type(column) {
            case 20, 21, 23: return Int64(text).map(SQLBinding.integer) ?? .text(text)
            case 700, 701: return Double(text).map(SQLBinding.double) ?? .text(text)
            case 16: return .text(text == "t" ? "true" : "false")
            case 17: return .blob(unescaped(row, column: column))
            default: return .text(text)
            }
        }
    }

    /// The bytes of a `bytea` in its text form.
    private func unescaped(_ row: Int, column: Int) -> Data {
        var count = 0
        guard let escaped = bytes(row, column: column).bindMemory(to: UInt8.self).baseAddress,
            let found = PQunescapeBytea(escaped, &count)
        else { return Data() }
        defer { PQfreemem(found) }
        return Data(bytes: found, count: count)
    }
}
