// Plain libpq by hand: prepared statements, binary parameters and results, pipeline mode for inserts. The measure for the
// framework: don't change it, or old numbers no longer compare.

import CRawPostgreSQL
import Foundation

final class RawPostgreSQL {
    private let handle: OpaquePointer

    struct Failure: Error {
        let message: String
    }

    init(_ address: String) throws {
        guard let handle = PQconnectdb(address) else { throw Failure(message: "no memory") }
        self.handle = handle
        if PQstatus(handle) != CONNECTION_OK { throw failure }
    }

    deinit { PQfinish(handle) }

    private var failure: Failure { Failure(message: String(cString: PQerrorMessage(handle))) }

    func run(_ sql: String) throws {
        let result = PQexec(handle, sql)
        defer { PQclear(result) }
        let status = PQresultStatus(result)
        if status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK { throw failure }
    }

    func prepare(_ name: String, _ sql: String) throws {
        let result = PQprepare(handle, name, sql, 0, nil)
        defer { PQclear(result) }
        if PQresultStatus(result) != PGRES_COMMAND_OK { throw failure }
    }

    /// Runs a prepared statement with one number, and adds up all numbers of its rows from a column on.
    func sum(_ name: String, _ parameter: Int64?, from first: Int32) throws -> (rows: Int, sum: Int64) {
        let result = withBinary(parameter.map { [$0] } ?? []) { values, lengths, formats, count in
            PQexecPrepared(handle, name, count, values, lengths, formats, 1)
        }
        defer { PQclear(result) }
        if PQresultStatus(result) != PGRES_TUPLES_OK { throw failure }
        let (rows, columns) = (PQntuples(result), PQnfields(result))
        var sum: Int64 = 0
        for row in 0..<rows {
            for column in first..<columns {
                sum &+= Int64(
                    bigEndian: UnsafeRawPointer(PQgetvalue(result, row, column)).loadUnaligned(as: Int64.self)
                )
            }
        }
        return (Int(rows), sum)
    }

    /// Inserts rows by a prepared statement, a thousand for each time that it waits.
    func insert(_ name: String, rows: Int, _ values: (Int) -> [Int64]) throws {
        PQenterPipelineMode(handle)
        defer { PQexitPipelineMode(handle) }
        var row = 0
        while row < rows {
            let end = min(rows, row + 1000)
            for number in row..<end {
                let isSent = withBinary(values(number)) { values, lengths, formats, count in
                    PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1)
                }
                if isSent == 0 { throw failure }
            }
            PQpipelineSync(handle)
            for _ in row..<end {
                while let result = PQgetResult(handle) { PQclear(result) }
            }
            while let result = PQgetResult(handle) {
                let isSync = PQresultStatus(result) == PGRES_PIPELINE_SYNC
                PQclear(result)
                if isSync { break }
            }
            row = end
        }
    }

    /// Reads the keys of all rows, then the rows, so many at a time, and adds up a column. All values are read.
    func walk(_ keys: String, _ batch: String, by size: Int, column: Int32) throws -> Int64 {
        let all = try self.keys(keys)
        var (sum, other): (Int64, Int64) = (0, 0)
        for start in stride(from: 0, to: all.count, by: size) {
            let array = Self.array(all[start..<min(start + size, all.count)])
            let result = array.withUnsafeBytes { bytes in
                let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                return PQexecPrepared(handle, batch, 1, [base], [Int32(bytes.count)], [1], 1)
            }
            defer { PQclear(result) }
            if PQresultStatus(result) != PGRES_TUPLES_OK { throw failure }
            for row in 0..<PQntuples(result) {
                for number in 0..<PQnfields(result) {
                    let value = Self.integer(PQgetvalue(result, row, number))
                    if number == column { sum &+= value } else { other &+= value }
                }
            }
        }
        precondition(other != 0, "Everything was read.")
        return sum
    }

    private func keys(_ name: String) throws -> [Int64] {
        let result = PQexecPrepared(handle, name, 0, nil, nil, nil, 1)
        defer { PQclear(result) }
        if PQresultStatus(result) != PGRES_TUPLES_OK { throw failure }
        return (0..<PQntuples(result)).map { Self.integer(PQgetvalue(result, $0, 0)) }
    }

    private static func integer(_ bytes: UnsafePointer<CChar>) -> Int64 {
        Int64(bigEndian: UnsafeRawPointer(bytes).loadUnaligned(as: Int64.self))
    }

    /// The binary form of an array of keys.
    private static func array(_ keys: ArraySlice<Int64>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + keys.count * 12)
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        }
        for number in [1, 0, 20, UInt32(keys.count), 1] { append(number) }
        for key in keys {
            append(8 as UInt32)
            append(key)
        }
        return bytes
    }

    private func withBinary<Result>(
        _ numbers: [Int64],
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?, Int32
        ) -> Result
    ) -> Result {
        let words = numbers.map(\.bigEndian)
        return words.withUnsafeBytes { bytes in
            let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values = words.indices.map { place in base.map { UnsafePointer($0 + place * 8) } }
            let lengths = [Int32](repeating: 8, count: words.count)
            let formats = [Int32](repeating: 1, count: words.count)
            return body(values, lengths, formats, Int32(words.count))
        }
    }
}
