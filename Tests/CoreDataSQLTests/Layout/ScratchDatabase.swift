// Plain SQLite for the tests: runs the statements that the module makes, and reads a store's catalog.

import CoreDataTestSupport
import CSQLite
import CoreDataSQL
import Foundation

/// A database in memory or a copy of a file.
final class ScratchDatabase {
    struct Failure: Error {
        var message: String
    }

    private(set) var handle: OpaquePointer?
    private let folder: TemporaryFolder?

    init() throws {
        folder = nil
        try open(":memory:")
    }

    init(copyOf store: URL) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        try open(try folder.copy(ofStore: store).path)
    }

    init(in folder: TemporaryFolder, name: String) throws {
        self.folder = folder
        try open(folder.file(name).path)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    private func open(_ path: String) throws {
        guard sqlite3_open(path, &handle) == SQLITE_OK else { throw failure() }
    }

    private func failure() -> Failure { Failure(message: String(cString: sqlite3_errmsg(handle))) }

    func run(_ statements: [SQLStatement]) throws {
        for statement in statements { try rows(statement) }
    }

    @discardableResult
    func rows(_ statement: SQLStatement) throws -> [[SQLBinding]] {
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v2(handle, statement.text, -1, &prepared, nil) == SQLITE_OK else {
            throw failure()
        }
        defer { sqlite3_finalize(prepared) }
        for (position, binding) in statement.bindings.enumerated() {
            bind(binding, to: prepared, at: Int32(position + 1))
        }
        var rows: [[SQLBinding]] = []
        while true {
            switch sqlite3_step(prepared) {
            case SQLITE_ROW: rows.append((0..<sqlite3_column_count(prepared)).map { value(prepared, $0) })
            case SQLITE_DONE: return rows
            default: throw failure()
            }
        }
    }

    /// The number of rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    private func bind(_ binding: SQLBinding, to statement: OpaquePointer?, at position: Int32) {
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch binding {
        case .null: sqlite3_bind_null(statement, position)
        case .integer(let value): sqlite3_bind_int64(statement, position, value)
        case .double(let value): sqlite3_bind_double(statement, position, value)
        case .text(let value): sqlite3_bind_text(statement, position, value, -1, transient)
        case .blob(let value):
            _ = value.withUnsafeBytes {
                sqlite3_bind_blob(statement, position, $0.baseAddress, Int32($0.count), transient)
            }
        }
    }

    private func value(_ statement: OpaquePointer?, _ column: Int32) -> SQLBinding {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .double(sqlite3_column_double(statement, column))
        case SQLITE_TEXT: return .text(String(cString: sqlite3_column_text(statement, column)))
        case SQLITE_BLOB:
            guard let bytes = sqlite3_column_blob(statement, column) else { return .blob(Data()) }
            return .blob(Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column))))
        default: return .null
        }
    }

    // MARK: The catalog

    func catalog() throws -> StoreCatalog {
        var catalog = StoreCatalog()
        let queries = SQLiteDialect().catalogue
        for row in try rows(queries.columns) {
            let column = StoreCatalog.Column(
                name: row[1].text, type: row[2].text, primaryKeyIndex: Int(row[3].integer))
            catalog.tables[row[0].text, default: []].append(column)
        }
        catalog.indexes = try rows(queries.indexes).map {
            StoreCatalog.Index(name: $0[0].text, table: $0[1].text, text: $0[2].text)
        }
        for row in try rows(queries.machinery) {
            let entry = StoreCatalog.Index(name: row[1].text, table: row[2].text, text: row[3].text)
            if row[0].text == "trigger" {
                catalog.triggers.append(entry)
            } else {
                catalog.virtualTables.append(entry.name)
            }
        }
        catalog.entityNumbers = try rows(StoreCatalog.entityNumbersQuery).map {
            StoreCatalog.EntityNumber(
                number: Int($0[0].integer), name: $0[1].text, superNumber: Int($0[2].integer),
                maximum: $0[3].integer)
        }
        return catalog
    }

    /// All statements of the schema in the order in which they were run.
    func definitions() throws -> [String] {
        try rows(SQLStatement("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"))
            .map { $0[0].text }
    }
}

extension SQLBinding {
    var text: String {
        if case .text(let value) = self { return value }
        return ""
    }

    var integer: Int64 {
        if case .integer(let value) = self { return value }
        return 0
    }

    var blob: Data? {
        if case .blob(let value) = self { return value }
        return nil
    }
}
