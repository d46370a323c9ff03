// Plain SQL on a store's file, for tools that look into stores: beyond what Apple's class offers.

package import CoreDataSQL
import CoreDataStores
public import Foundation

/// A value as SQLite keeps it in a cell.
public enum SQLValue: Sendable, Hashable {
    /// `NULL`.
    case null
    /// A whole number.
    case integer(Int64)
    /// A floating-point number.
    case double(Double)
    /// A text.
    case text(String)
    /// Bytes.
    case blob(Data)
}

extension NSPersistentStoreCoordinator {
    /// Returns whether a database's header says that it is written by way of a log: byte 18 is 2.
    package class func usesWriteAheadLog(storeAt url: URL) throws -> Bool {
        try SQLiteRowStore.usesWriteAheadLog(at: url)
    }

    /// Runs one SQL statement that only reads, and hands over the names of its columns, then row after row.
    ///
    /// The file and its `-wal` stay as they are, to the byte. An addition to Apple's class.
    ///
    /// - Parameters:
    ///   - sql: a single statement, without bindings.
    ///   - url: the store's file.
    ///   - options: those that the store is added with: `NSPersistentStoreTimeoutOption`, pragmas.
    ///   - receiveColumns: gets the columns' names, once, before the first row.
    ///   - receiveRow: gets a row's values, in the order of the columns.
    /// - Throws: `NSSQLiteError` (134180), or an error of opening a store, for a statement that has no result
    ///   or would change something, for more than one statement, and for what SQLite can't run; the reason is
    ///   in the error's user info. An error of the closures passes through and ends the reading.
    public class func readSQL(
        _ sql: String, inStoreAt url: URL, options: [AnyHashable: Any]? = nil,
        columns receiveColumns: ([String]) throws -> Void = { _ in },
        row receiveRow: ([SQLValue]) throws -> Void
    ) throws {
        try SQLiteRowStore.read(
            sql: sql, at: url, options: SQLiteStoreOptions(options), columns: receiveColumns
        ) {
            try receiveRow($0.map(SQLValue.init))
        }
    }
}

extension NSPersistentStoreCoordinator {
    /// Runs one query that a person typed, and hands over as `readSQL` does.
    ///
    /// The file is opened read-only. Of SQLite's actions only queries are authorised: no pragma, no attached database, nothing
    /// that writes, whatever file it would be in.
    ///
    /// - Parameters:
    ///   - sql: a single `SELECT`, `WITH` or `VALUES`, or the explanation of one, without bindings.
    ///   - url: the store's file.
    ///   - longestValue: the bytes of the longest text or blob that the query may make.
    ///   - isOver: returns whether the query is to fail; asked amid it.
    ///   - receiveColumns: gets the columns' names, once, before the first row.
    ///   - receiveRow: gets a row's values, in the order of the columns.
    /// - Throws: as `readSQL`, and for a query that was over before its end.
    package class func query(
        _ sql: String, inStoreAt url: URL, longestValue: Int, stoppedWhen isOver: @escaping () -> Bool,
        columns receiveColumns: ([String]) throws -> Void = { _ in },
        row receiveRow: ([SQLValue]) throws -> Void
    ) throws {
        try SQLiteRowStore.read(
            sql: sql, at: url, options: SQLiteStoreOptions(nil),
            bounds: StatementBounds(longestValue: longestValue, isOver: isOver), columns: receiveColumns
        ) {
            try receiveRow($0.map(SQLValue.init))
        }
    }
}

extension SQLValue {
    package init(_ binding: SQLBinding) {
        switch binding {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .double(number)
        case .text(let text): self = .text(text)
        case .blob(let bytes): self = .blob(bytes)
        }
    }
}
