// SQLite's result codes as kinds of failure.

import CSQLite
import Foundation

extension EngineFailure.Kind {
    /// The kind that an extended result code stands for.
    ///
    /// - Parameter systemError: the `errno` of the call that failed; 0 where it isn't known.
    init(extendedCode: Int32, systemError: Int32) {
        switch extendedCode & 0xFF {
        case SQLITE_NOTADB: self = .notADatabase
        case SQLITE_CORRUPT, SQLITE_FORMAT: self = .corrupt
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_READONLY: self = .readOnly
        case SQLITE_FULL: self = .full
        case SQLITE_CONSTRAINT: self = .constraint
        case SQLITE_CANTOPEN: self = .unopenable(systemError)
        case SQLITE_PERM, SQLITE_AUTH: self = .permission
        case SQLITE_IOERR: self = .io
        case SQLITE_SCHEMA, SQLITE_ERROR: self = .schema
        case SQLITE_INTERRUPT, SQLITE_ABORT: self = .interrupted
        default: self = .other
        }
    }

    /// Returns the reason why a file can't be opened. Only a missing file may be told as one:
    /// programs make a new store then.
    private static func unopenable(_ systemError: Int32) -> Self {
        switch systemError {
        case 0, ENOENT, ENOTDIR: .missing
        case EACCES, EPERM, EROFS: .permission
        default: .io
        }
    }
}

extension Connection {
    /// The failure that the connection reports for its last call.
    func failure(_ code: Int32, sql: String? = nil) -> EngineFailure {
        let extended = handle.map(sqlite3_extended_errcode) ?? code
        var message =
            handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
        // After a failed step the connection may already report the reset's success.
        var effective = extended & 0xFF == code & 0xFF ? extended : code
        var systemError =
            Self.systemCodes.contains(effective & 0xFF) ? handle.map(sqlite3_system_errno) ?? 0 : 0
        if effective & 0xFF == SQLITE_CORRUPT, let unread = takeReadError() {
            (effective, systemError) = (Self.unreadPage, unread)
            message = String(cString: sqlite3_errstr(SQLITE_IOERR))
        }
        if systemError != 0 { message += ": " + String(cString: strerror(systemError)) }
        var kind = EngineFailure.Kind(extendedCode: effective, systemError: systemError)
        // The system's error may be that of another call: a file that is there, or could be made, isn't missing.
        if effective & 0xFF == SQLITE_CANTOPEN, kind == .missing, hasOrMakesFile { kind = .io }
        if Self.uniqueCodes.contains(effective), let violation = uniqueViolation(message) {
            kind = .unique(violation)
        }
        return EngineFailure(
            kind, message: message, path: path, code: effective & 0xFF, extendedCode: effective, sql: sql,
            systemError: systemError)
    }

    private var hasOrMakesFile: Bool {
        access(path, F_OK) == 0
            || mode == .create && access((path as NSString).deletingLastPathComponent, X_OK) == 0
    }

    /// The `errno` of a page that the system couldn't deliver since this was last asked; `nil` if there was none. SQLite
    /// tells of such a page as of a damaged file, so that a disk or network that fails for a moment would look like data
    /// that is lost.
    private func takeReadError() -> Int32? {
        guard let handle else { return nil }
        var log: UnsafeMutablePointer<sqlite3_file>?
        var database: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &database)
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log)
        let errors = [database, log].compactMap { $0.flatMap(Self.takeReadError) }
        return errors.first
    }

    private static func takeReadError(_ file: UnsafeMutablePointer<sqlite3_file>) -> Int32? {
        guard let methods = file.pointee.pMethods?.pointee else { return nil }
        var number: Int32 = 0
        guard methods.xFileControl?(file, SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK,
            [EIO, ENXIO, ERANGE].contains(number)
        else { return nil }
        // A read beyond the file's end clears the number, which would otherwise be found again after later failures.
        var byte: UInt8 = 0
        _ = methods.xRead?(file, &byte, 1, Int64.max - 1)
        return number
    }

    /// SQLITE_IOERR_READ: a macro with arithmetic, which Swift doesn't import.
    private static let unreadPage = SQLITE_IOERR | 1 << 8

    /// The codes that tell of a failed call of the system's.
    private static let systemCodes: Set<Int32> = [SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_FULL]

    /// SQLITE_CONSTRAINT_PRIMARYKEY, …_UNIQUE, …_ROWID: macros with arithmetic, which Swift doesn't import.
    private static let uniqueCodes: [Int32] = [6, 8, 10].map { SQLITE_CONSTRAINT | $0 << 8 }

    /// Throws unless the code says success.
    func check(_ code: Int32, sql: String? = nil) throws {
        if code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW { throw failure(code, sql: sql) }
    }

    /// Reads `UNIQUE constraint failed: TABLE.A, TABLE.B` or `… failed: index 'NAME'`.
    private func uniqueViolation(_ message: String) -> UniqueViolation? {
        guard let colon = message.range(of: "constraint failed: ") else { return nil }
        let subject = message[colon.upperBound...]
        if subject.hasPrefix("index '"), subject.hasSuffix("'") {
            let name = String(subject.dropFirst(7).dropLast())
            let table = try? firstText(
                "SELECT tbl_name FROM sqlite_master WHERE type = 'index' AND name = ?", argument: name)
            return UniqueViolation(table: table ?? "", columns: [], index: name)
        }
        let parts = subject.components(separatedBy: ", ").map { $0.split(separator: ".", maxSplits: 1) }
        guard let table = parts.first?.first.map(String.init), parts.allSatisfy({ $0.count == 2 }) else {
            return nil
        }
        let columns = parts.map { String($0[1]) }
        return UniqueViolation(
            table: table, columns: columns, index: try? uniqueIndex(table: table, columns: columns))
    }

    private func uniqueIndex(table: String, columns: [String]) throws -> String? {
        let names = try texts(
            "SELECT name FROM pragma_index_list(?) WHERE \"unique\" AND origin <> 'pk'", argument: table)
        return try names.first {
            try texts("SELECT name FROM pragma_index_info(?) ORDER BY seqno", argument: $0) == columns
        }
    }
}
