// A second connection that holds a read transaction open, and so goes on seeing the file as it was.

import CoreDataSQL
import Foundation

/// Says, compared with another one, whether a file was written to between.
package struct StateMark: Sendable, Hashable {
    /// Rows that this connection changed so far.
    let changes: Int64
    /// Changes when other connections write.
    let version: Int64
}

extension SQLiteEngine {
    /// Another engine on the same file that reads what the file holds now, whatever is written to it, until it is
    /// closed; `nil` for a file without a write-ahead log, which can't be written while it is read. Of a database in
    /// memory it reads a copy.
    package func pinned() throws -> SQLiteEngine? {
        // A file that is read without locks has none to show that there may be a log.
        guard try connection.isInMemory || connection.unlocked != nil || connection.usesLog() else {
            return nil
        }
        let engine = SQLiteEngine(connection: try connection.openPinned())
        engine.trace = trace
        return engine
    }

    /// Another engine on the same file that only reads. May be made while this one is in use.
    package func reader() throws -> SQLiteEngine {
        let engine = SQLiteEngine(connection: try connection.openReader())
        engine.trace = trace
        return engine
    }

    /// Indicates whether a pinned engine can still see its state. SQLite ends a transaction by itself in few
    /// cases, among them errors of the disk; a file that is read without locks may be written over.
    package var isPinned: Bool {
        connection.isOpen && !connection.isInAutocommit && !connection.isOverwritten
    }

    /// Indicates whether the file is read without locks. Settled when it is opened.
    package var readsWithoutLocks: Bool { connection.unlocked != nil }

    /// Indicates whether somebody has written to a file that is read without locks since it was opened: then
    /// it has to be opened anew to see that.
    package var isOutdated: Bool { connection.isOutdated }

    /// Indicates whether pages that are read without locks may have been written over
    /// since the file was opened.
    package var isOverwritten: Bool { connection.isOverwritten }

    /// The file's state as others see it. Only outside a transaction.
    package func stateMark() throws -> StateMark {
        StateMark(changes: connection.totalChangeCount, version: try dataVersion())
    }

    /// The size of the write-ahead log in bytes.
    package var logSize: UInt64 { connection.isInMemory ? 0 : FileProbe.size(path + "-wal") }

    /// Brings what the log holds into the file and empties it, unless somebody reads from it or writes: it never
    /// waits.
    package func shrinkLog() throws {
        guard connection.mode != .readOnly, connection.transactionDepth == 0 else { return }
        try connection.withoutWaiting {
            _ = try connection.execute(SQLStatement("PRAGMA wal_checkpoint(TRUNCATE)"))
        }
    }

    /// As `shrinkLog`, but waits a moment for those who read.
    package func emptyLog() throws {
        guard connection.mode != .readOnly, connection.transactionDepth == 0 else { return }
        try connection.waiting(milliseconds: 200) {
            _ = try connection.execute(SQLStatement("PRAGMA wal_checkpoint(TRUNCATE)"))
        }
    }

    /// Indicates whether files of external values that no row names any more are kept, for pinned engines.
    /// They are removed once this is false again.
    package var keepsSuperfluousFiles: Bool {
        get { writer.keepsSuperfluous }
        set { writer.keepsSuperfluous = newValue }
    }
}
