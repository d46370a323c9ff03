// Rows in memory as a table of SQLite's, so that one statement inserts any number of them: it asks for each value where
// it needs it. Binding takes a call, checks and a copy more for each, and parameters for only a few rows.

import CSQLite
import CoreDataSQL
import CoreDataSchema
import CoreDataSupport

/// The rows that the virtual table of one connection shows at the moment. Belongs to the
/// connection, as its statements do.
final class VirtualRowTable {
    /// The table's name; nothing in a store's file is called so.
    static let tableName = "CoreData_rows"
    /// The number of the table's columns. Entities with more are bound.
    static let columnLimit = 100

    // Read for each value: unchecked. Sound because only one statement at a time reads, and none while rows are exchanged,
    // both on the thread that uses the connection; VirtualRowTableTests (uniqueIndexIsNamedAndNothingStays) watch that.
    @exclusivity(unchecked)
    fileprivate var rows: UnsafeBufferPointer<RowPointer> = .init(start: nil, count: 0)
    @exclusivity(unchecked)
    fileprivate var keys: UnsafeBufferPointer<Int64> = .init(start: nil, count: 0)
    @exclusivity(unchecked)
    fileprivate var columns: UnsafeBufferPointer<VirtualRowColumn> = .init(start: nil, count: 0)
    @exclusivity(unchecked)
    fileprivate var position = 0
    /// The row at `position`.
    @exclusivity(unchecked)
    fileprivate var words: UnsafeMutablePointer<UInt64>?
    /// Indicates that each key after the first is left to SQLite, which gives a row without
    /// key the one after the last.
    fileprivate var isRun = false
    fileprivate var encoder: RowEncoder?
    fileprivate var writer: ExternalWriter?
    /// The error that was thrown while a value was made.
    private(set) var failure: (any Error)?

    /// Makes the table known to a connection, which owns the feed from then on.
    static func register(with connection: Connection) throws -> VirtualRowTable {
        let feed = VirtualRowTable()
        let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
            if let feed = $0 { Unmanaged<VirtualRowTable>.fromOpaque(feed).release() }
        }
        try connection.check(
            sqlite3_create_module_v2(
                connection.handle, tableName, VirtualRowTableModule.module,
                Unmanaged.passRetained(feed).toOpaque(),
                release))
        return feed
    }

    /// Shows rows of an encoder's entity while the closure runs a statement that reads all of them.
    ///
    /// - Parameter isRun: whether the keys follow each other and come after all that the table has.
    func show(
        _ rows: [RowPointer], keys: [Int64], isRun: Bool, encoder: RowEncoder, writer: ExternalWriter,
        to statement: () throws -> Void
    ) throws {
        invariant(rows.count == keys.count, "each row to insert needs a key")
        (self.encoder, self.writer, self.isRun, failure, position) = (encoder, writer, isRun, nil, -1)
        defer { clear() }
        try rows.withUnsafeBufferPointer { rows in
            try keys.withUnsafeBufferPointer { keys in
                try encoder.virtualColumns.withUnsafeBufferPointer { columns in
                    (self.rows, self.keys, self.columns) = (rows, keys, columns)
                    do { try statement() } catch { throw failure ?? error }
                }
            }
        }
        if position == rows.count { return }
        throw EngineFailure(
            .schema, message: "The file has a table \(Self.tableName), which is in the way of new rows.",
            path: "")
    }

    private func clear() {
        rows = UnsafeBufferPointer(start: nil, count: 0)
        keys = UnsafeBufferPointer(start: nil, count: 0)
        columns = UnsafeBufferPointer(start: nil, count: 0)
        (words, encoder, writer) = (nil, nil, nil)
    }

    // MARK: The cursor's requests

    @inline(__always)
    fileprivate func move(to place: Int) {
        position = place
        if place < rows.count { words = rows[place].words }
    }

    fileprivate var isAtEnd: Bool { position >= rows.count }

    /// Hands over a value of the row where the cursor is. Columns that aren't set are NULL.
    @inline(__always)
    fileprivate func deliver(_ number: Int, to context: OpaquePointer?) {
        guard number < columns.count, let words else { return }
        let column = columns.baseAddress.unsafelyUnwrapped + number
        switch column.pointee.source {
        case .integer:
            if words[column.pointee.nullWord] & column.pointee.nullBit == 0 {
                sqlite3_result_int64(context, Int64(bitPattern: words[column.pointee.word]))
            }
        case .double:
            if words[column.pointee.nullWord] & column.pointee.nullBit == 0 {
                sqlite3_result_double(context, Double(bitPattern: words[column.pointee.word]))
            }
        case .boolean:
            if words[column.pointee.nullWord] & column.pointee.nullBit == 0 {
                sqlite3_result_int64(context, words[column.pointee.word] == 0 ? 0 : 1)
            }
        case .text:
            if words[column.pointee.nullWord] & column.pointee.nullBit == 0 {
                deliverText(CellReference(word: words[column.pointee.word]), column.pointee, to: context)
            }
        case .primaryKey: if !isRun || position == 0 { sqlite3_result_int64(context, keys[position]) }
        case .version: sqlite3_result_int64(context, max(1, Int64(bitPattern: words[0])))
        case .other, .entity: deliverSlowly(column.pointee, to: context)
        }
    }

    /// Hands over a string, which mostly is in a box of its own.
    private func deliverText(
        _ reference: CellReference, _ column: VirtualRowColumn, to context: OpaquePointer?
    ) {
        let isDelivered =
            reference.isBox
            && reference.withText { bytes in
                sqlite3_result_text64(
                    context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
                    Statement.copying, UInt8(SQLITE_UTF8))
            }
        if !isDelivered { deliverSlowly(column, to: context) }
    }

    @inline(never)
    private func deliverSlowly(_ column: VirtualRowColumn, to context: OpaquePointer?) {
        let row = rows[position]
        guard let encoder, let writer, !row.isNull(Int(column.cell.index)) else { return }
        if column.source == .entity {
            return setResult(context, result: encoder.entityNumber(row, cell: column.cell))
        }
        do {
            switch try encoder.cellValue(row, cell: column.cell, writer: writer) {
            case .bytes(let bytes, isText: true):
                sqlite3_result_text64(
                    context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), nil,
                    UInt8(SQLITE_UTF8))
            case .bytes(let bytes, isText: false) where !bytes.isEmpty:
                sqlite3_result_blob64(context, bytes.baseAddress, UInt64(bytes.count), nil)
            case .bytes: sqlite3_result_zeroblob(context, 0)
            case .binding(let binding): setResult(context, result: binding)
            }
        } catch {
            failure = error
            sqlite3_result_error(context, "a value couldn't be written", -1)
        }
    }
}

/// The part of a row that a column of the virtual table shows.
struct VirtualRowColumn: Sendable {
    enum Source: UInt8, Sendable {
        case primaryKey, version
        /// The word as it is.
        case integer, double
        case boolean, text
        /// The value that a word stands for.
        case other
        /// Z_ENT of a to-one relationship's target.
        case entity
    }

    let source: Source
    let word: Int
    /// The word of the null bit.
    let nullWord: Int
    let nullBit: UInt64
    let cell: EncodeCell

    init(_ source: Source, cell: EncodeCell? = nil) {
        self.source = source
        self.cell =
            cell ?? EncodeCell(kind: .integer64, hasEntity: false, index: 0, word: 0, destinationNumber: 0)
        let index = Int(self.cell.index)
        (word, nullWord, nullBit) = (Int(self.cell.word), -1 - index >> 6, 1 << UInt64(index & 63))
    }

    /// The columns of a cell.
    static func columns(_ cell: EncodeCell) -> [VirtualRowColumn] {
        let source: Source =
            switch cell.kind {
            case .integer16, .integer32, .integer64, .toOne, .toOneOfSeveral: .integer
            case .double, .float, .date: .double
            case .boolean: .boolean
            case .string: .text
            default: .other
            }
        return [VirtualRowColumn(source, cell: cell)]
            + (cell.hasEntity ? [VirtualRowColumn(.entity, cell: cell)] : [])
    }
}

// MARK: The module as SQLite calls it

/// SQLite's table and cursor each stand at the start of memory of ours, with the feed's address behind them.
private enum VirtualRowTableModule {
    /// Never freed: connections refer to it.
    nonisolated(unsafe) static let module: UnsafePointer<sqlite3_module> = {
        let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        var functions = sqlite3_module()
        functions.xConnect = { database, feed, _, _, table, _ in
            table?.pointee = make(sqlite3_vtab(), feed: feed)
            return sqlite3_declare_vtab(database, declaration)
        }
        functions.xDisconnect = { free($0, type: sqlite3_vtab.self) }
        functions.xBestIndex = { _, plan in
            plan?.pointee.estimatedCost = 1
            return SQLITE_OK
        }
        functions.xOpen = { table, cursor in
            cursor?.pointee = make(sqlite3_vtab_cursor(), feed: tableAddress(table))
            return SQLITE_OK
        }
        functions.xClose = { free($0, type: sqlite3_vtab_cursor.self) }
        functions.xFilter = { cursor, _, _, _, _ in with(cursor) { $0.move(to: 0) } }
        functions.xNext = { cursor in with(cursor) { $0.move(to: $0.position + 1) } }
        functions.xEof = { cursor in
            guard let address = tableAddress(cursor) else { return 1 }
            return Unmanaged<VirtualRowTable>.fromOpaque(address)._withUnsafeGuaranteedRef {
                $0.isAtEnd ? 1 : 0
            }
        }
        functions.xColumn = { cursor, context, column in
            with(cursor) { $0.deliver(Int(column), to: context) }
        }
        functions.xRowid = { _, row in
            row?.pointee = 0
            return SQLITE_OK
        }
        module.initialize(to: functions)
        return UnsafePointer(module)
    }()

    private static let declaration =
        "CREATE TABLE x(" + (0..<VirtualRowTable.columnLimit).map { "c\($0)" }.joined(separator: ", ") + ")"

    private static func make<Head>(
        _ head: Head, feed: UnsafeMutableRawPointer?
    ) -> UnsafeMutablePointer<Head>? {
        let size = MemoryLayout<Head>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: size + MemoryLayout<UnsafeMutableRawPointer?>.size,
            alignment: MemoryLayout<UnsafeMutableRawPointer?>.alignment)
        memory.storeBytes(of: feed, toByteOffset: size, as: UnsafeMutableRawPointer?.self)
        let place = memory.bindMemory(to: Head.self, capacity: 1)
        place.initialize(to: head)
        return place
    }

    private static func free<Head>(_ place: UnsafeMutablePointer<Head>?, type _: Head.Type) -> Int32 {
        UnsafeMutableRawPointer(place)?.deallocate()
        return SQLITE_OK
    }

    @inline(__always)
    private static func tableAddress<Head>(_ place: UnsafeMutablePointer<Head>?) -> UnsafeMutableRawPointer? {
        UnsafeRawPointer(place)?.load(
            fromByteOffset: MemoryLayout<Head>.stride, as: UnsafeMutableRawPointer?.self)
    }

    @inline(__always)
    private static func with(
        _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, body: (VirtualRowTable) -> Void
    ) -> Int32 {
        guard let address = tableAddress(cursor) else { return SQLITE_MISUSE }
        Unmanaged<VirtualRowTable>.fromOpaque(address)._withUnsafeGuaranteedRef(body)
        return SQLITE_OK
    }
}
