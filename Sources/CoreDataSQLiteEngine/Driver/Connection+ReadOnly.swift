// Reading a file without changing a byte of it or of its companions, and without making new companions.
//
//   log (-wal)   index (-shm)   how
//   none         any            immutable: no locks, no companions
//   empty        none           immutable
//   other        exists         read-only index: SQLite reads the index that a writer maintains, or builds one in
//                               memory if nobody has the file open
//   has rows     none           nobody has the file open: a private copy of file and log
//   rollback journal with contents: a private copy, in which SQLite rolls back
//
// A file in rollback mode is opened with locks, so that a writer beside us can't show us half a change. Without locks
// nobody tells us of one that comes later: `isOutdated` says whether one has, and who reads opens the file anew then.

import CSQLite
import CoreDataSupport
import Foundation

extension Connection {
    static func openForReading(
        _ probe: FileProbe, _ options: OpeningOptions, ignoringLog: Bool = false
    ) throws -> Connection {
        let connection = Connection(
            path: probe.path, mode: .readOnly, statementCapacity: options.statementCapacity)
        let parameters: String
        let isOpenElsewhere = probe.hasLogFile && probe.hasSharedIndex
        if ignoringLog || (!probe.hasLog && probe.usesLog && !isOpenElsewhere) {
            parameters = "mode=ro&immutable=1"
            connection.unlocked = UnlockedFile(path: probe.path)
        } else if probe.hasJournal || (probe.hasLog && !probe.hasSharedIndex) {
            return try connection.openCopy(probe, options)
        } else {
            parameters = probe.usesLog ? "mode=ro&readonly_shm=1" : "mode=ro"
        }
        try connection.openHandle(
            uri(probe.path) + "?" + parameters, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, options)
        // The first read shows whether it is a database at all.
        _ = try connection.firstInteger("SELECT COUNT(*) FROM sqlite_master")
        try connection.registerStandardFunctions()
        return connection
    }

    /// Whether somebody has written to the file since it was opened, which this connection can't see.
    var isOutdated: Bool { unlocked.map { $0 != UnlockedFile(path: path) } ?? false }

    /// Whether pages that this connection reads may have been written over meanwhile.
    var isOverwritten: Bool {
        guard privateCopy == nil, let unlocked else { return false }
        return unlocked.database != UnlockedFile(path: path).database
    }

    /// Copies file, log and journal to a folder of our own and reads there.
    private func openCopy(_ probe: FileProbe, _ options: OpeningOptions) throws -> Connection {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appendingPathComponent("coredata-read-\(UUID().uuidString)")
        privateCopy = folder
        unlocked = UnlockedFile(path: path)
        let copy = folder.appendingPathComponent("copy.sqlite").path
        do {
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
            for suffix in ["", "-wal", "-journal"] where files.fileExists(atPath: probe.path + suffix) {
                try files.copyItem(atPath: probe.path + suffix, toPath: copy + suffix)
                try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy + suffix)
            }
        } catch {
            throw EngineFailure(
                .io, message: "The file and its log can't be copied for reading: \(error).", path: path)
        }
        try openHandle(copy, SQLITE_OPEN_READWRITE, options)
        _ = try firstInteger("SELECT COUNT(*) FROM sqlite_master")
        try execute("PRAGMA query_only = ON")
        try registerStandardFunctions()
        return self
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
