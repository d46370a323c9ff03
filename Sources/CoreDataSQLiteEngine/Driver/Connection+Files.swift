// The check that a connection's files still have their names: commits to a file without one
// are lost when it closes.

import CSQLite
import CoreDataSupport
import Foundation

extension Connection {
    /// Notes which log commits go to. Called when the database was opened, and again when it got another journal mode.
    func noteLog() throws {
        guard try usesLog() else { return log = nil }
        // SQLite opens the log with the first read.
        _ = try firstInteger("SELECT COUNT(*) FROM sqlite_master")
        log = FileNumber(path: path + "-wal")
    }

    /// Returns whether another file, or none, is where this one was opened.
    func hasMoved() throws -> Bool {
        if isInMemory { return false }
        var moved: Int32 = 0
        try check(sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved), sql: nil)
        return moved != 0
    }

    /// Throws if the database or its log was removed or replaced since it was opened. Asked once a transaction has been
    /// committed: a file that still has its name then holds what was committed.
    func checkFiles() throws {
        let lost: String
        if try hasMoved() {
            lost = path
        } else if let log, FileNumber(path: path + "-wal") != log {
            lost = path + "-wal"
        } else {
            return
        }
        throw EngineFailure(
            .missing,
            message:
                "\(lost) was removed or replaced while the store was open: what was saved is lost with it.",
            path: path)
    }
}
