// Reading a file without changing a byte of it or of its companions, and without making new companions.
//
//   log (-wal)   index (-shm)   how
//   none, empty  any            immutable: no locks, no companions
//   has rows     exists         read-only index: SQLite reads the index that a writer maintains, or builds one in
//                               memory if nobody has the file open
//   has rows     none           nobody has the file open: a private copy of file and log
//   rollback journal with contents: a private copy, in which SQLite rolls back
//
// A file in rollback mode is opened with locks, so that a writer beside us can't show us half a change.

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
        if ignoringLog || (!probe.hasLog && probe.usesLog) {
            parameters = "mode=ro&immutable=1"
        } else if probe.hasJournal || (probe.hasLog && !probe.hasSharedIndex) {
            return try connection.openCopy(probe, options)
        } else {
            parameters = probe.hasLog ? "mode=ro&readonly_shm=1" : "mode=ro"
        }
        try connection.openHandle(
            uri(probe.path) + "?" + parameters, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, options)
        // The first read shows whether it is a database at all.
        _ = try connection.firstInteger("SELECT COUNT(*) FROM sqlite_master")
        try connection.registerStandardFunctions()
        return connection
    }

    /// Copies file, log and journal to a folder of our own and reads there.
    private func openCopy(_ probe: FileProbe, _ options: OpeningOptions) throws -> Connection {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appendingPathComponent("coredata-read-\(UUID().uuidString)")
        privateCopy = folder
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
