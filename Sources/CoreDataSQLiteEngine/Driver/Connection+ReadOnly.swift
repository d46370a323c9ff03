// Reading a file without changing a byte of it or of its log, and without making companions.
//
//   the file's mode   log (-wal)   index (-shm)   how
//   write-ahead log   none         any            immutable: no locks, no companions
//                     no bytes     none           immutable
//                     any          exists         with SQLite's locks. SQLite marks in the index what is read, and makes
//                                                 an index anew that a process left behind when it died
//                     no frames    not writable   immutable: SQLite waits for ever for a log that is only a header
//                     has rows     none           nobody has the file open: a private copy of file and log
//   rollback journal                              with locks; if a process died and left a journal, a private copy,
//                                                 in which SQLite rolls back
//
// Somebody may open or close the file between the look at it and the reading. A way that failed because of that is chosen
// anew; one that read without locks tells by the files' stamps (`isOutdated`, `isOverwritten`).

import CSQLite
import CoreDataSupport
import Foundation

extension Connection {
    /// The way in which a file is read.
    private enum Way {
        case immutable
        case locked
        case copy
    }

    /// Opens a file so that it stays as it is.
    static func openForReading(_ path: String, options: OpeningOptions) throws -> Connection {
        let end = deadline(options)
        var state = FileState(path: path)
        while true {
            do {
                return try open(FileProbe(path: path), options: options)
            } catch let failure as EngineFailure where failure.mayBeOfAChange {
                let now = FileState(path: path)
                if now == state || .now > end { throw failure }
                state = now
            }
        }
    }

    /// Until when a file that others open, close and write is tried: as for a lock, and at most for five seconds.
    private static func deadline(_ options: OpeningOptions) -> ContinuousClock.Instant {
        .now + .milliseconds(Int(min(options.busyMilliseconds, 5000)))
    }

    private static func open(_ probe: FileProbe, options: OpeningOptions) throws -> Connection {
        try probe.checkAccess(.readOnly)
        let hasJournal = probe.hasJournal
        if !hasJournal { try probe.checkContents(.readOnly) }
        let way = hasJournal ? .locked : way(to: probe)
        do {
            return try open(probe, way: way, options: options)
        } catch let failure as EngineFailure
            where hasJournal && failure.asksForRollback
        {
            return try open(probe, way: .copy, options: options)
        }
    }

    private static func way(to probe: FileProbe) -> Way {
        guard probe.usesLog else { return .locked }
        guard probe.hasLogFile else { return .immutable }
        if probe.hasSharedIndex {
            return probe.sharedIndexIsWritable || probe.logHasFrames ? .locked : .immutable
        }
        return probe.hasLog ? .copy : .immutable
    }

    /// The tables of a file without what its log holds.
    static func mainFileTableNames(_ probe: FileProbe, options: OpeningOptions) throws -> [String] {
        let connection = try open(probe, way: .immutable, options: options)
        defer { connection.close() }
        return try connection.tableNames()
    }

    private static func open(_ probe: FileProbe, way: Way, options: OpeningOptions) throws -> Connection {
        let connection = Connection(
            path: probe.path, mode: .readOnly, statementCapacity: options.statementCapacity)
        switch way {
        case .copy: try connection.openCopy(probe, options: options)
        case .immutable:
            connection.unlocked = UnlockedFile(path: probe.path)
            try connection.openHandle(
                uri(probe.path) + "?mode=ro&immutable=1", flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
                options: options)
        case .locked:
            try connection.openHandle(
                uri(probe.path) + "?mode=ro", flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, options: options)
        }
        // The first read shows whether it is a database at all.
        _ = try connection.firstInteger("SELECT COUNT(*) FROM sqlite_master")
        try connection.registerStandardFunctions()
        return connection
    }

    /// Opens a file, has it read, and closes it. The closure runs again if somebody wrote over what it read without locks.
    static func reading<Result>(
        _ path: String, options: OpeningOptions, body: (Connection) throws -> Result
    ) throws -> Result {
        let end = deadline(options)
        while true {
            let connection = try openForReading(path, options: options)
            defer { connection.close() }
            let result = Swift.Result { try body(connection) }
            if !connection.isOverwritten { return try result.get() }
            if .now > end {
                throw EngineFailure(
                    .busy, message: "The file was written to whenever it was read.", path: path)
            }
        }
    }

    /// Indicates whether somebody has written to the file since it was opened, which
    /// this connection can't see.
    var isOutdated: Bool { unlocked.map { $0 != UnlockedFile(path: path) } ?? false }

    /// Indicates whether pages that this connection reads may have been written over meanwhile.
    var isOverwritten: Bool {
        guard !isCopy, let unlocked else { return false }
        return unlocked.database != UnlockedFile(path: path).database
    }

    /// Copies file, log and journal to a folder of our own and reads there. The copy has no name any more once it is open,
    /// so that a process that dies leaves none behind.
    private func openCopy(_ probe: FileProbe, options: OpeningOptions) throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appendingPathComponent("coredata-read-\(UUID().uuidString)")
        defer { try? files.removeItem(at: folder) }
        isCopy = true
        unlocked = UnlockedFile(path: path)
        let state = FileState(path: path)
        let copy = folder.appendingPathComponent("copy.sqlite").path
        do {
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
            for suffix in ["", "-wal", "-journal"] where files.fileExists(atPath: probe.path + suffix) {
                try DatabaseBytes.copy(probe.path + suffix, to: copy + suffix)
            }
        } catch {
            throw EngineFailure(
                .io, message: "The file and its log can't be copied for reading: \(error).", path: path)
        }
        guard state == FileState(path: path) else { throw EngineFailure.changed(path) }
        try openHandle(copy, flags: SQLITE_OPEN_READWRITE, options: options)
        _ = try firstInteger("SELECT COUNT(*) FROM sqlite_master")
        if FileProbe.size(copy) == 0 {
            throw EngineFailure(.truncated, message: "The file has no bytes.", path: path)
        }
        // A log could not be read without its name.
        try execute("PRAGMA journal_mode = DELETE; PRAGMA query_only = ON")
    }

    /// A path as the `file:` URI that SQLite parses.
    private static func uri(_ path: String) -> String {
        path.utf8.reduce(into: "file:") { text, byte in
            let isPlain = 45...57 ~= byte || 65...90 ~= byte & 0xDF || byte == 95
            text += isPlain ? String(UnicodeScalar(byte)) : "%" + [byte].hexadecimal
        }
    }
}

/// A database and its log when a connection without locks began to read them.
struct UnlockedFile: Equatable {
    let database: FileStamp?
    let log: FileStamp?

    init(path: String) {
        database = FileStamp(path: path)
        log = FileStamp(path: path + "-wal")
    }
}

/// The files of a database, with the state of each.
private struct FileState: Equatable {
    let stamps: [FileStamp?]

    init(path: String) {
        stamps = ["", "-wal", "-journal", "-shm"].map { FileStamp(path: path + $0, isEmptyToo: true) }
    }
}

extension EngineFailure {
    /// Indicates whether a file that appears, goes or is written at this moment can be the reason.
    fileprivate var mayBeOfAChange: Bool {
        [.missing, .readOnly, .notADatabase, .corrupt, .truncated, .io].contains(kind)
    }

    /// SQLITE_READONLY_ROLLBACK: a macro with arithmetic, which Swift doesn't import.
    fileprivate var asksForRollback: Bool {
        extendedCode == SQLITE_READONLY | 3 << 8 || kind == .notADatabase
    }

    fileprivate static func changed(_ path: String) -> EngineFailure {
        EngineFailure(.io, message: "The file was written to while it was copied.", path: path)
    }
}
