// One read transaction for look-ups that follow each other.

import CSQLite
import CoreDataSupport

/// The look-ups by key that a connection makes in a row, and the read transaction that they share.
///
/// Beginning and ending a transaction takes two locks of the file, which cost as much as finding the row. The transaction sees
/// the file as it was when it began. So each look-up compares the head of the log's index, which every commit of any process
/// changes before it returns, with the one of the beginning: it goes on only where a transaction of its own would read the
/// same.
struct LookUpRun {
    /// Look-ups that one transaction serves: as long as it is open the log can't start over.
    private static let limit = 1000

    /// Indicates whether runs are made. Set for a file with a log whose index is in shared memory.
    var isPermitted = false
    /// Look-ups since the last other statement.
    private(set) var count = 0
    /// Indicates whether the transaction is open.
    private(set) var isOpen = false
    /// Transactions that were begun.
    private(set) var transactions = 0
    private var head: UnsafeRawPointer?
    private var headAtBeginning = LogHead()
    private var begin: Statement?
    private var end: Statement?

    /// Counts a look-up. Returns whether it needs nothing else: the transaction is open and shows what the file holds now.
    @inline(__always)
    mutating func goesOn() -> Bool {
        count += 1
        guard isOpen, let head, count <= Self.limit else { return false }
        return LogHead(head) == headAtBeginning
    }

    /// Ends a transaction that doesn't show what the file holds now, and begins one if this is the second look-up or a later
    /// one. Returns whether it did.
    mutating func renew(on connection: Connection) throws -> Bool {
        if isOpen {
            endTransaction(on: connection)
            count = 2
        }
        // While a statement runs the connection goes on seeing what that one began with.
        guard count > 1, connection.lentStatements == 0, let head = connection.logIndex() else {
            return false
        }
        let begin = try begin ?? Statement("BEGIN", on: connection)
        let end = try end ?? Statement("COMMIT", on: connection)
        (self.begin, self.end) = (begin, end)
        // Before the transaction sees anything: a commit in between ends it, instead of being missed.
        headAtBeginning = LogHead(head)
        try begin.runUntraced()
        self.head = head
        isOpen = true
        transactions += 1
        return true
    }

    /// Ends the run, and the transaction if there is one.
    mutating func close(on connection: Connection) {
        count = 0
        if isOpen { endTransaction(on: connection) }
    }

    private mutating func endTransaction(on connection: Connection) {
        isOpen = false
        // SQLite has ended it by itself where the disk failed.
        if connection.isInAutocommit { return }
        do {
            try end?.runUntraced()
        } catch  where connection.isInAutocommit {
            // It ended, and tells once more of a damaged page, of which the look-up told.
        } catch {
            Log.warning("a transaction that only read couldn't be ended: \(error)")
        }
    }

    /// Gives the statements back, before the connection closes.
    mutating func removeStatements() { (begin, end) = (nil, nil) }
}

/// The head of a log's index (sqlite.org/walformat.html, 2.1): the number of the last frame and of changes, salts, checksums.
private struct LogHead: Equatable {
    /// The bytes of the first of its two copies, which a commit writes last.
    private var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

    init() {}

    @inline(__always)
    init(_ address: UnsafeRawPointer) {
        func word(_ number: Int) -> UInt64 {
            address.load(fromByteOffset: number * 8, as: UInt64.self)
        }
        words = (word(0), word(1), word(2), word(3), word(4), word(5))
    }

    @inline(__always)
    static func == (one: Self, other: Self) -> Bool { one.words == other.words }
}

extension Connection {
    /// Permits runs of look-ups, where the file has a log and others share its index.
    package func permitLookUpRuns() throws {
        guard !isInMemory, !isCopy, unlocked == nil, mode != .readOnly else { return }
        // In exclusive mode the index is in memory of the connection's own, and locks cost nothing.
        lookUps.isPermitted =
            try usesLog() && firstText("PRAGMA locking_mode")?.lowercased() == "normal"
    }

    /// Called before a look-up. It reads what the file holds now, in a transaction that the next one may share.
    @inline(__always)
    func beginLookUp() throws {
        guard lookUps.isPermitted, transactionDepth == 0, !lookUps.goesOn() else { return }
        try renewLookUps()
    }

    @inline(never)
    private func renewLookUps() throws {
        if try lookUps.renew(on: self) { whenLookUpsBegin?() }
    }

    /// Ends the transaction that look-ups share. Does nothing without one.
    @inline(__always)
    package func endLookUps() {
        if lookUps.count != 0 { lookUps.close(on: self) }
    }

    /// Transactions that were begun for look-ups.
    package var lookUpTransactions: Int { lookUps.transactions }

    /// Indicates whether look-ups have a transaction open.
    package var isLookingUp: Bool { lookUps.isOpen }

    /// The index of the log in the memory that all connections of the file share, as long as this one reads; `nil` where
    /// there is none.
    fileprivate func logIndex() -> UnsafeRawPointer? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
            let methods = file.pointee.pMethods?.pointee, methods.iVersion >= 2
        else { return nil }
        // The first region of the index, whose size SQLite fixes.
        var region: UnsafeMutableRawPointer?
        guard methods.xShmMap?(file, 0, 1 << 15, 0, &region) == SQLITE_OK else { return nil }
        return UnsafeRawPointer(region)
    }
}
