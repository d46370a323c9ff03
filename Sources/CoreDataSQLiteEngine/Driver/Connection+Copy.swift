// Databases that are copied or emptied as a whole, page by page, through SQLite and its locks
// (https://www.sqlite.org/backup.html).

import CSQLite
import Foundation

extension Connection {
    /// Makes another database the same as this one, in one transaction of that one: whoever reads it, and whoever
    /// opens it after a crash, finds what it was or what it becomes. A database with a log must have pages of the same
    /// size.
    ///
    /// - Parameter begun: called when nobody else can write to the other database any more and nothing holds
    ///   yet. An error that it throws ends the transaction.
    func copyContents(into other: Connection, begun: () throws -> Void = {}) throws {
        endLookUps()
        other.endLookUps()
        guard let copy = sqlite3_backup_init(other.handle, "main", handle, "main") else {
            throw other.failure(sqlite3_extended_errcode(other.handle))
        }
        var code = sqlite3_backup_step(copy, 1)
        do {
            if code == SQLITE_OK { try begun() }
        } catch {
            sqlite3_backup_finish(copy)
            throw error
        }
        while code == SQLITE_OK { code = sqlite3_backup_step(copy, -1) }
        let end = sqlite3_backup_finish(copy)
        if code != SQLITE_DONE { throw other.failure(code) }
        try other.check(end)
    }

    /// Copies the database to a new file, which is on the disk then.
    func copyContents(toNewFile path: String) throws {
        let copy = Connection(path: path, mode: .create, statementCapacity: 4)
        try copy.openHandle(
            path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, options: OpeningOptions(.create))
        defer { copy.close() }
        // Nobody knows of the file yet, so that it needs no journal.
        try copy.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL")
        try copyContents(into: copy)
    }

    /// Makes the database one without tables, in one transaction.
    func removeContents() throws {
        let empty = try Connection.inMemory(path: path, OpeningOptions(.create))
        defer { empty.close() }
        try empty.execute("PRAGMA page_size = \(firstInteger("PRAGMA page_size") ?? 4096)")
        try empty.copyContents(into: self)
    }

    /// Has the file's log and its index stay when the last connection closes.
    func keepLogFiles() throws {
        var flag: Int32 = 1
        try check(sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &flag))
        try execute("PRAGMA journal_size_limit = 0")
    }
}
