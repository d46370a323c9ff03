// Opening a database file so that a file that isn't ours, or that may only be read, stays as it is.

import CSQLite
import Foundation

extension Connection {
    /// Opens a store's file. Throws an `EngineFailure` and leaves the file alone if it is no store.
    package static func open(path: String, _ options: OpeningOptions) throws -> Connection {
        if options.isInMemory { return try openInMemory(path: path, options) }
        let path = FileProbe.target(of: path)
        if options.mode == .readOnly { return try openForReading(path, options: options) }
        try rollBack(path, options: options)
        let probe = try FileProbe(path: path)
        try probe.checkAccess(options.mode)
        try probe.checkContents(options.mode)
        if probe.size > 0 { try checkIsStore(probe, options: options) }
        let connection = Connection(
            path: path, mode: options.mode, statementCapacity: options.statementCapacity)
        connection.madeFile = !probe.exists
        let create = options.mode == .create ? SQLITE_OPEN_CREATE : 0
        try connection.openHandle(path, flags: SQLITE_OPEN_READWRITE | create, options: options)
        try connection.registerStandardFunctions()
        try connection.prepareForWriting(isNew: probe.size == 0, options)
        try connection.noteLog()
        return connection
    }

    /// An empty database in memory; the path is what failures name.
    static func inMemory(path: String, _ options: OpeningOptions) throws -> Connection {
        let connection = Connection(
            path: path, mode: options.mode, statementCapacity: options.statementCapacity)
        connection.isInMemory = true
        try connection.openHandle(
            ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, options: options)
        return connection
    }

    /// A store in memory in place of a file.
    private static func openInMemory(path: String, _ options: OpeningOptions) throws -> Connection {
        let connection = try inMemory(path: path, options)
        try connection.registerStandardFunctions()
        try connection.prepareForWriting(isNew: true, options)
        return connection
    }

    /// Has SQLite roll back what a process that died left half written, if there is such a journal and the file may be
    /// written. A file that was being made then has no bytes again.
    static func rollBack(_ path: String, options: OpeningOptions) throws {
        let path = FileProbe.target(of: path)
        guard FileProbe.hasJournal(path), FileManager.default.isWritableFile(atPath: path) else { return }
        var options = options
        options.isExclusive = false
        let connection = Connection(
            path: path, mode: .readWrite, statementCapacity: options.statementCapacity)
        defer { connection.close() }
        do {
            try connection.openHandle(path, flags: SQLITE_OPEN_READWRITE, options: options)
            _ = try connection.firstInteger("SELECT COUNT(*) FROM sqlite_master")
        } catch let failure as EngineFailure where [.notADatabase, .corrupt].contains(failure.kind) {
            // The caller that opens the file judges its contents once it is rolled back.
        }
    }

    func openHandle(_ name: String, flags: Int32, options: OpeningOptions) throws {
        let flags = flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(name, &handle, flags, nil)
        if code != SQLITE_OK {
            let failure = failure(code)
            close()
            throw failure
        }
        busyMilliseconds = options.busyMilliseconds
        waitForLocks(milliseconds: busyMilliseconds)
        // Before the first access: in write-ahead mode others' open connections are noticed only then.
        if options.isExclusive { try execute("PRAGMA locking_mode = EXCLUSIVE") }
        // Files come from outside: what their schema says must not run with side effects. No part of a file is mapped:
        // a file that somebody else cuts short would end the process (Docs/Decisions/0038-no-memory-map.md).
        try execute("PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0")
        try execute("PRAGMA cache_size = -\(WritingRoom.smallestCache)")
    }

    /// Sets what a file that we write needs. The pragmas that change a file come after the check that it is ours.
    private func prepareForWriting(isNew: Bool, _ options: OpeningOptions) throws {
        if try isNew || firstInteger("SELECT COUNT(*) FROM sqlite_master") == 0 {
            try execute("PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL")
        }
        if !options.pragmas.contains(where: { $0.name.lowercased() == "journal_mode" }) {
            try change("PRAGMA journal_mode = WAL", options: options)
        }
        // See Docs/Decisions/0005-synchronous.md.
        try execute("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF")
        try apply(options)
    }

    private func apply(_ options: OpeningOptions) throws {
        for (name, value) in options.pragmas {
            guard Self.isWord(name), Self.isWord(value.hasPrefix("-") ? String(value.dropFirst()) : value)
            else {
                throw EngineFailure(
                    .other, message: "The pragma \(name) = \(value) isn't a name and a plain value.",
                    path: path)
            }
            if name.lowercased() == "busy_timeout", let milliseconds = Int32(value) {
                busyMilliseconds = milliseconds
                waitForLocks(milliseconds: milliseconds)
            } else {
                try change("PRAGMA \(name) = \(value)", options: options)
            }
        }
    }

    /// Changes a setting of the file. SQLite waits for a lock, but not for one beyond a lock that it has: where two change the
    /// journal of a new file at once, each may read it, and one is refused at once. Such a one waits here, its lock given up.
    private func change(_ pragma: String, options: OpeningOptions) throws {
        let end = ContinuousClock.now + .milliseconds(Int(busyMilliseconds))
        while true {
            do {
                return try execute(pragma)
            } catch let failure as EngineFailure
                where failure.kind == .busy && !options.isExclusive && ContinuousClock.now < end
            {
                usleep(2000)
            }
        }
    }

    /// Pragmas take no bindings, so that only plain words may become part of their text.
    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 == 95 || (48...57 ~= $0) || (65...90 ~= $0 & 0xDF) }
    }

    /// Throws `.notAStore` unless the database has a store's tables, or no tables where one is to be created.
    private static func checkIsStore(_ probe: FileProbe, options: OpeningOptions) throws {
        var options = options
        options.isExclusive = false
        // The main file alone nearly always tells; where it doesn't, its log has to be read with it, which may mean a copy
        // of both.
        if let names = try? mainFileTableNames(probe, options: options), names.contains("Z_METADATA") {
            return
        }
        let names = try reading(probe.path, options: options) { try $0.tableNames() }
        if names.contains("Z_METADATA") || (names.isEmpty && options.mode == .create) { return }
        throw EngineFailure(.notAStore, message: "The database has no table Z_METADATA.", path: probe.path)
    }

    func tableNames() throws -> [String] {
        try texts("SELECT name FROM sqlite_master WHERE type = 'table'")
    }
}
