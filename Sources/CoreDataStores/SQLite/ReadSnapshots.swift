// Connections that go on reading a file's state at one moment.

package import CoreDataSQLiteEngine
import CoreDataSupport
import Foundation

/// A connection that reads one state of a store's file, for all contexts that are pinned to it.
///
/// Unchecked because the coordinator's lock guards it; the last reference may go on any thread.
package final class ReadSnapshot: @unchecked Sendable {
    package let file: SQLiteFile
    package let mark: StateMark
    /// Whose mark it is.
    package private(set) weak var origin: SQLiteEngine?
    package private(set) var hasEnded = false

    package init(_ file: SQLiteFile, mark: StateMark, of origin: SQLiteEngine) {
        self.file = file
        self.mark = mark
        self.origin = origin
    }

    deinit {
        file.engine.close()
    }

    package func end() {
        hasEnded = true
        file.engine.close()
    }
}

/// The readSnapshots of a store. They are held by generations; the last one of a generation ends them.
package struct ReadSnapshots {
    private struct WeakSnapshot {
        weak var snapshot: ReadSnapshot?
    }

    /// A log that is larger is emptied once nothing is pinned: what SQLite lets a log grow to by itself.
    package static let smallLog: UInt64 = 4 << 20

    private var readSnapshots: [WeakSnapshot] = []
    /// What the log may grow to while there are any.
    package private(set) var logLimit: UInt64 = 0
    private var readsSinceCheck = 0

    package init() {}

    /// Whether none was made since the last `clear()`.
    package var isEmpty: Bool { readSnapshots.isEmpty }
    package var living: [ReadSnapshot] { readSnapshots.compactMap(\.snapshot).filter { !$0.hasEnded } }

    package mutating func add(_ snapshot: ReadSnapshot) {
        readSnapshots.removeAll { $0.snapshot == nil }
        readSnapshots.append(WeakSnapshot(snapshot: snapshot))
    }

    package mutating func clear() { readSnapshots.removeAll() }

    package mutating func limitLog(from size: UInt64, by growth: UInt64) {
        let (limit, isTooMuch) = size.addingReportingOverflow(growth)
        logLimit = isTooMuch ? .max : limit
    }

    /// Whether a read is to look at the log, which others may write to: not each one, since a look costs as much as
    /// reading a row.
    package mutating func isCheckDue() -> Bool {
        readsSinceCheck = (readsSinceCheck + 1) % 16
        return readsSinceCheck == 0
    }
}
