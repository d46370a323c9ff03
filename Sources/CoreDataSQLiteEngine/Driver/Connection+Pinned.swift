// Connections that go on reading one state of a file.

import CSQLite
import CoreDataSQL
import Foundation

extension Connection {
    var isOpen: Bool { handle != nil }

    var totalChangeCount: Int64 { sqlite3_total_changes64(handle) }

    func usesLog() throws -> Bool { try firstText("PRAGMA journal_mode") == "wal" }

    /// A connection for reading that has begun to read and doesn't end it.
    func openPinned() throws -> Connection {
        if isInMemory { return try copyInMemory() }
        let pinned: Connection
        let options = OpeningOptions(.readOnly)
        if mode == .readOnly {
            pinned = try Connection.openForReading(path, options: options)
        } else {
            pinned = Connection(path: path, mode: .readOnly, statementCapacity: options.statementCapacity)
            try pinned.openHandle(path, flags: SQLITE_OPEN_READONLY, options: options)
            try pinned.registerStandardFunctions()
        }
        try pinned.execute("BEGIN")
        // BEGIN alone reads nothing: the state that is kept is that of the first read.
        _ = try pinned.firstInteger("SELECT COUNT(*) FROM sqlite_master")
        pinned.transactionDepth = 1
        return pinned
    }

    /// A database in memory is seen by its own connection only: another one gets a copy of it.
    private func copyInMemory() throws -> Connection {
        let copy = try Connection.inMemory(path: path, OpeningOptions(.readOnly))
        try copyContents(into: copy)
        try copy.registerStandardFunctions()
        try copy.execute("PRAGMA query_only = ON; BEGIN")
        copy.transactionDepth = 1
        return copy
    }

    /// A connection that reads the file as it is at each statement.
    func openReader() throws -> Connection {
        var options = OpeningOptions(.readOnly)
        options.busyMilliseconds = busyMilliseconds
        let reader = Connection(path: path, mode: .readOnly, statementCapacity: options.statementCapacity)
        try reader.openHandle(path, flags: SQLITE_OPEN_READONLY, options: options)
        try reader.registerStandardFunctions()
        return reader
    }
}
