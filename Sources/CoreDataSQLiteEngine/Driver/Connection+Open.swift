// Opening a database file so that a file that isn't ours, or that may only be read, stays as it is.

import CSQLite
import Foundation

/// How to open a store's file.
package struct OpeningOptions: Sendable {
    package var mode: Connection.Mode
    /// Pragmas of the client (`journal_mode`, `synchronous`, …) that come after ours.
    package var pragmas: [(name: String, value: String)] = []
    /// How long to wait for another connection's lock.
    package var busyMilliseconds: Int32 = 5000
    package var statementCapacity = 100
    /// Whether to fail (`.busy`) while anybody else has the file open, and keep others out until it is closed. A file
    /// without write-ahead log tells only of those that are reading or writing.
    package var isExclusive = false

    package init(_ mode: Connection.Mode) {
        self.mode = mode
    }
}

extension Connection {
    /// Opens a store's file. Throws an `EngineFailure` and leaves the file alone if it is no store.
    package static func open(path: String, _ options: OpeningOptions) throws -> Connection {
        let path = FileProbe.target(of: path)
        let probe = try FileProbe(path: path)
        try probe.check(options.mode)
        if options.mode == .readOnly { return try openForReading(probe, options) }
        if probe.size > 0 { try checkIsStore(probe, options) }
        let connection = Connection(
            path: path, mode: options.mode, statementCapacity: options.statementCapacity)
        let create = options.mode == .create ? SQLITE_OPEN_CREATE : 0
        try connection.openHandle(path, SQLITE_OPEN_READWRITE | create, options)
        try connection.registerStandardFunctions()
        try connection.prepareForWriting(isNew: probe.size == 0, options)
        return connection
    }

    func openHandle(_ name: String, _ flags: Int32, _ options: OpeningOptions) throws {
        let flags = flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(name, &handle, flags, nil)
        if code != SQLITE_OK {
            let failure = failure(code)
            close()
            throw failure
        }
        busyMilliseconds = options.busyMilliseconds
        sqlite3_busy_timeout(handle, busyMilliseconds)
        // Before the first access: in write-ahead mode others' open connections are noticed only then.
        if options.isExclusive { try execute("PRAGMA locking_mode = EXCLUSIVE") }
        // Files come from outside: what their schema says must not run with side effects. The map makes looking up rows of
        // small stores faster; pages of it count as the process's memory, so that it isn't larger (Docs/Performance.md).
        try execute("PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 12582912; PRAGMA cache_size = -8000")
    }

    /// Sets what a file that we write needs. The pragmas that change a file come after the check that it is ours.
    private func prepareForWriting(isNew: Bool, _ options: OpeningOptions) throws {
        if try isNew || firstInteger("SELECT COUNT(*) FROM sqlite_master") == 0 {
            try execute("PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL")
        }
        if !options.pragmas.contains(where: { $0.name.lowercased() == "journal_mode" }) {
            try execute("PRAGMA journal_mode = WAL")
        }
        // See Docs/Decisions/0005-synchronous.md.
        try execute("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF")
        try apply(options.pragmas)
    }

    private func apply(_ pragmas: [(name: String, value: String)]) throws {
        for (name, value) in pragmas {
            guard Self.isWord(name), Self.isWord(value.hasPrefix("-") ? String(value.dropFirst()) : value)
            else {
                throw EngineFailure(
                    .other, message: "The pragma \(name) = \(value) isn't a name and a plain value.",
                    path: path)
            }
            try execute("PRAGMA \(name) = \(value)")
        }
    }

    /// Pragmas take no bindings, so that only plain words may become part of their text.
    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 == 95 || (48...57 ~= $0) || (65...90 ~= $0 & 0xDF) }
    }

    /// Throws `.notAStore` unless the database has a store's tables, or no tables where one is to be created.
    private static func checkIsStore(_ probe: FileProbe, _ options: OpeningOptions) throws {
        var options = options
        options.isExclusive = false
        // The main file alone nearly always tells; where it doesn't, its log has to be read with it.
        let names = try? openForReading(probe, options, ignoringLog: true).tableNames()
        if let names, names.contains("Z_METADATA") { return }
        if let names, names.isEmpty, options.mode == .create, !probe.hasLog { return }
        let all = try openForReading(probe, options).tableNames()
        if all.contains("Z_METADATA") || (all.isEmpty && options.mode == .create) { return }
        throw EngineFailure(.notAStore, message: "The database has no table Z_METADATA.", path: probe.path)
    }

    func tableNames() throws -> [String] {
        try texts("SELECT name FROM sqlite_master WHERE type = 'table'")
    }
}
