// Binds the words of a row to a statement's parameters, in Apple's storage classes.

import CSQLite
import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import Foundation

extension RowEncoder {
    /// Binds these cells from parameter `first` on and returns the parameter after the last.
    func bind(
        _ row: RowPointer, cells: [EncodeCell], to statement: Statement, from first: Int32,
        writer: ExternalWriter
    ) throws -> Int32 {
        var parameter = first
        for cell in cells {
            let word = row.words[Int(cell.word)]
            if row.isNull(Int(cell.index)) {
                try statement.bind(.null, at: parameter)
            } else if cell.kind == .integer64 {
                try statement.bindInteger(Int64(bitPattern: word), at: parameter)
            } else {
                try bind(row, word: word, cell: cell, to: statement, parameter: parameter, writer: writer)
            }
            parameter += 1
            if cell.hasEntity {
                try statement.bind(entityNumber(row, cell: cell), at: parameter)
                parameter += 1
            }
        }
        return parameter
    }

    /// Z_ENT of the target of a to-one relationship.
    func entityNumber(_ row: RowPointer, cell: EncodeCell) -> SQLBinding {
        if row.isNull(Int(cell.index)) { return .null }
        guard cell.kind == .toOneOfSeveral else { return .integer(cell.destinationNumber) }
        let index = Int(truncatingIfNeeded: row.words[Int(cell.word) + 1])
        return .integer(entityNumbers[index] ?? cell.destinationNumber)
    }

    private func bind(
        _ row: RowPointer, word: UInt64, cell: EncodeCell, to statement: Statement, parameter: Int32,
        writer: ExternalWriter
    ) throws {
        switch cell.kind {
        case .integer16, .integer32, .integer64, .toOne, .toOneOfSeveral:
            try statement.bindInteger(Int64(bitPattern: word), at: parameter)
        case .double, .float, .date:
            try statement.bindDouble(Double(bitPattern: word), at: parameter)
        default:
            switch try cellValue(row, cell: cell, writer: writer) {
            case .bytes(let bytes, let isText):
                try statement.bindInPlace(bytes, isText: isText, at: parameter)
            case .binding(let binding): try statement.bind(binding, at: parameter)
            }
        }
    }

    /// Returns the value for the column of a cell that isn't nil and whose word isn't the value itself.
    func cellValue(_ row: RowPointer, cell: EncodeCell, writer: ExternalWriter) throws -> CellValue {
        let word = row.words[Int(cell.word)]
        switch cell.kind {
        case .integer16, .integer32, .integer64, .toOne, .toOneOfSeveral:
            return .binding(.integer(Int64(bitPattern: word)))
        case .double, .float, .date: return .binding(.double(Double(bitPattern: word)))
        case .boolean: return .binding(.integer(word == 0 ? 0 : 1))
        case .externalData:
            let reference = CellReference(word: word)
            if reference.isBox { _ = try reference.box.load() }
            return .binding(.blob(try writer.cell(row.data(layout.slots[Int(cell.index)]))))
        case .decimal: return .binding(decimal(row.value(layout.slots[Int(cell.index)])))
        case .string, .uri, .uuid, .data, .transformable, .object:
            let reference = CellReference(word: word)
            if reference.isBox, let text = reference.box.text { return .binding(.text(text)) }
            if reference.isBox { return .binding(SQLBinding(reference.box.value) ?? .null) }
            guard let bytes = row.slab?.bytes(reference) else { return .binding(.null) }
            return .bytes(bytes, isText: cell.kind == .string || cell.kind == .uri)
        }
    }

    /// As text: the column's affinity makes it the number that Apple's stores hold.
    private func decimal(_ value: Value) -> SQLBinding {
        guard case .decimal(let decimal) = value, decimal.isFinite else { return .null }
        return .text(decimal.description)
    }
}

/// A cell as its column takes it.
enum CellValue {
    /// Bytes of the row's slab, which stay where they are while the statement runs.
    case bytes(UnsafeRawBufferPointer, isText: Bool)
    case binding(SQLBinding)
}

extension Statement {
    @inline(__always)
    func bindInteger(_ value: Int64, at parameter: Int32) throws {
        let code = sqlite3_bind_int64(handle, parameter, value)
        if code != SQLITE_OK { throw connection.failure(code, sql: sql) }
        record(.integer(value))
    }

    @inline(__always)
    func bindDouble(_ value: Double, at parameter: Int32) throws {
        let code = sqlite3_bind_double(handle, parameter, value)
        if code != SQLITE_OK { throw connection.failure(code, sql: sql) }
        record(.double(value))
    }

    /// Binds bytes without a copy: they must stay until the statement has run.
    func bindInPlace(_ bytes: UnsafeRawBufferPointer, isText: Bool, at parameter: Int32) throws {
        let code: Int32
        if isText {
            code = sqlite3_bind_text64(
                handle, parameter, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                UInt64(bytes.count),
                nil, UInt8(SQLITE_UTF8))
        } else if bytes.isEmpty {
            code = sqlite3_bind_zeroblob(handle, parameter, 0)
        } else {
            code = sqlite3_bind_blob64(handle, parameter, bytes.baseAddress, UInt64(bytes.count), nil)
        }
        if code != SQLITE_OK { throw connection.failure(code, sql: sql) }
        record(isText ? .text(String(decoding: bytes, as: UTF8.self)) : .blob(Data(bytes)))
    }
}
