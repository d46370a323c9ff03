// Cells that need more than eight bytes, from a statement's column into a slab. Each returns the word for the
// cell, or 0 for nil. A value of the wrong storage class, in a file from elsewhere, is converted
// as SQLite does, or is nil.

import CSQLite
import CoreDataSchema
import CoreDataSupport
import Foundation

extension RowSlab {
    func storeText(_ statement: OpaquePointer, column: Int32) -> UInt64 {
        // Asked for the column once instead of for its text and for its length. A value that isn't protected may be used where
        // one thread has the connection.
        let value = sqlite3_column_value(statement, column)
        guard let start = sqlite3_value_text(value) else {
            return sqlite3_value_type(value) == SQLITE_NULL ? 0 : store(.init(start: nil, count: 0))
        }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
        if bytes.count < RowSlab.largestArenaCell { return store(bytes) }
        return store(CellBox(.string(String(decoding: bytes, as: UTF8.self))))
    }

    func storeBytes(_ statement: OpaquePointer, column: Int32) -> UInt64 {
        guard let bytes = columnBytes(statement, column: column) else { return 0 }
        return storeData(bytes)
    }

    func storeData(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        if bytes.count < RowSlab.largestArenaCell { return store(bytes) }
        return store(CellBox(.data(Data(bytes))))
    }

    /// 16 bytes, or the text of a UUID.
    func storeUUID(_ statement: OpaquePointer, column: Int32) -> UInt64 {
        guard let bytes = columnBytes(statement, column: column) else { return 0 }
        if bytes.count == 16 { return store(bytes) }
        guard let uuid = UUID(uuidString: String(decoding: bytes, as: UTF8.self)) else { return 0 }
        return withUnsafeBytes(of: uuid.uuid) { store($0) }
    }

    /// The exact integer, or the shortest decimal that reads back as the stored double.
    func storeDecimal(_ statement: OpaquePointer, column: Int32) -> UInt64 {
        let decimal: Decimal?
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: decimal = Decimal(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT:
            let value = sqlite3_column_double(statement, column)
            decimal = Decimal(shortest: value)
        case SQLITE_TEXT:
            let text =
                columnBytes(statement, column: column).map { String(decoding: $0, as: UTF8.self) } ?? ""
            decimal = Double(text) == nil ? nil : Decimal(string: text)
        default: decimal = nil
        }
        guard let decimal, decimal.isFinite else { return 0 }
        return withUnsafeBytes(of: decimal) { store($0) }
    }

    func storeExternal(_ statement: OpaquePointer, column: Int32, files: ExternalFiles?) -> UInt64 {
        guard let bytes = columnBytes(statement, column: column) else { return 0 }
        switch ExternalCell(bytes) {
        case .inline(let content): return storeData(content)
        case .file(let name):
            guard let files else { return 0 }
            return store(CellBox(loading: { .data(try files.read(name)) }))
        }
    }

    /// The bytes of a text or blob, numbers as their text; `nil` for NULL.
    private func columnBytes(_ statement: OpaquePointer, column: Int32) -> UnsafeRawBufferPointer? {
        let start = sqlite3_column_blob(statement, column)
        if start == nil, sqlite3_column_type(statement, column) == SQLITE_NULL { return nil }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    }
}
