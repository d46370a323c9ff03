// A statement's result as libpq holds it.

import CPostgreSQL
import Foundation

/// Rows in the binary form of the protocol. Unchecked because a result doesn't change once it is there.
package final class ServerResult: @unchecked Sendable {
    let handle: OpaquePointer

    /// Takes over the result.
    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        PQclear(handle)
    }

    var status: ExecStatusType { PQresultStatus(handle) }

    package var rowCount: Int { Int(PQntuples(handle)) }
    package var columnCount: Int { Int(PQnfields(handle)) }

    /// The first word of the statement, as the server calls it.
    var command: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

    /// The number of rows that the statement changed.
    package var changeCount: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// The server's number of a column's type.
    package func type(_ column: Int) -> UInt32 { PQftype(handle, Int32(column)) }

    package func isNull(_ row: Int, column: Int) -> Bool {
        PQgetisnull(handle, Int32(row), Int32(column)) != 0
    }

    /// A value's bytes, which live as long as the result; none for NULL.
    package func bytes(_ row: Int, column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(handle, Int32(row), Int32(column)),
            count: Int(PQgetlength(handle, Int32(row), Int32(column))))
    }

    /// A `bigint` that isn't NULL.
    package func integer(_ row: Int, column: Int) -> Int64 { BinaryForm.integer(bytes(row, column: column)) }

    /// A truth value; `nil` for NULL.
    package func bool(_ row: Int, column: Int) -> Bool? {
        isNull(row, column: column) ? nil : bytes(row, column: column).first != 0
    }

    /// A text; empty for NULL.
    func text(_ row: Int, column: Int) -> String {
        String(decoding: bytes(row, column: column), as: UTF8.self)
    }

    /// The failure that the result is.
    func failure(sql: String) -> ServerFailure {
        let state = field("C") ?? ""
        return ServerFailure(
            ServerFailure.Kind(sqlState: state),
            message: field("M") ?? String(cString: PQresultErrorMessage(handle)), sqlState: state, sql: sql,
            table: field("t"), constraint: field("n"))
    }

    private func field(_ code: Unicode.Scalar) -> String? {
        PQresultErrorField(handle, Int32(code.value)).map { String(cString: $0) }
    }
}
