// Connections that go on reading a file's state at one moment.

import CoreDataSQLiteEngine
import CoreDataSupport
import Foundation

/// A connection that reads one state of a store's file, for all that hold it.
///
/// Unchecked because the host's lock guards it; the last reference may go on any thread.
package final class SQLiteSnapshot: ReadSnapshot, SQLiteRowSource, @unchecked Sendable {
    let file: SQLiteFile
    let mark: StateMark
    /// The store whose state it is. Asked through the store only, which then lives.
    private unowned let store: SQLiteRowStore
    /// The engine that the mark belongs to.
    private(set) weak var origin: SQLiteEngine?
    package private(set) var hasEnded = false

    init(_ file: SQLiteFile, mark: StateMark, of origin: SQLiteEngine, in store: SQLiteRowStore) {
        self.file = file
        self.mark = mark
        self.origin = origin
        self.store = store
    }

    deinit {
        file.engine.close()
    }

    func end() {
        hasEnded = true
        file.engine.close()
    }

    package func reading<Result>(_ body: (SQLiteFile) throws -> Result) throws -> Result {
        try store.reading(self, body: body)
    }
}

/// The snapshots of a store. They are held by those who read them; the last one ends them.
package struct SQLiteSnapshots {
    private struct WeakSnapshot {
        weak var snapshot: SQLiteSnapshot?
    }

    /// A log that is larger is emptied once nothing is pinned: what SQLite lets a log grow to by itself.
    static let smallLog: UInt64 = 4 << 20

    private var snapshots: [WeakSnapshot] = []
    /// The size that the log may grow to while there are any.
    private(set) var logLimit: UInt64 = 0
    private var readsSinceCheck = 0

    init() {}

    /// Indicates that none was made since the last `clear()`.
    var isEmpty: Bool { snapshots.isEmpty }
    var living: [SQLiteSnapshot] { snapshots.compactMap(\.snapshot).filter { !$0.hasEnded } }

    mutating func add(_ snapshot: SQLiteSnapshot) {
        snapshots.removeAll { $0.snapshot == nil }
        snapshots.append(WeakSnapshot(snapshot: snapshot))
    }

    mutating func clear() { snapshots.removeAll() }

    mutating func limitLog(from size: UInt64, by growth: UInt64) {
        let (limit, isTooMuch) = size.addingReportingOverflow(growth)
        logLimit = isTooMuch ? .max : limit
    }

    /// Returns whether a read must look at the log, which others may write to: not each one, since a look
    /// costs as much as reading a row.
    mutating func isCheckDue() -> Bool {
        readsSinceCheck = (readsSinceCheck + 1) % 16
        return readsSinceCheck == 0
    }
}
