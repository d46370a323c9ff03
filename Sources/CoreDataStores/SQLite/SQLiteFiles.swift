// The files of an SQLite store that this process doesn't have open: database, log, and external values.

import CoreDataSQLiteEngine
import CoreDataSupport
package import Foundation

/// An SQLite database with its log and the files of its external values.
package struct SQLiteFiles: StoreFiles {
    package let location: StoreLocation

    package init(at location: StoreLocation) {
        self.location = location
    }

    var path: String { location.url.path }
    var settings: SQLiteStoreOptions { SQLiteStoreOptions(location.options) }

    /// Opens the file, or makes it, if nobody else has it open, and keeps others out until it is closed.
    ///
    /// Throws an `EngineFailure`, `.notAStore` for a database of something else.
    func openAlone(pragmas: [(name: String, value: String)] = []) throws -> SQLiteEngine {
        var opening = settings.opening(.create)
        opening.isExclusive = true
        opening.pragmas = pragmas
        opening.busyMilliseconds = Int32(clamping: Int64(max(0, min(location.timeout, 2e6)) * 1000))
        return try SQLiteEngine(path: path, opening)
    }

    // MARK: Life

    package func holdsStore() throws -> Bool {
        guard location.hasFile, FileStamp(location.url) != nil else { return false }
        return try SQLiteEngine.reading(path: path, options: settings.opening(.readOnly)) {
            try !$0.isEmpty()
        }
    }

    package func destroy(force: Bool) throws {
        guard location.hasFile else { return }
        do {
            try destroyDatabase()
        } catch {
            if !force { throw ErrorMapping.error(error, occasion: .saving, file: location.url) }
            try StoreFileError.removing(location.url, body: removeFiles)
        }
    }

    /// A process that is killed on the way leaves the store, or an empty database and its log, which has the external
    /// files removed when a store is made there.
    private func destroyDatabase() throws {
        let engine = try openAlone(pragmas: [("journal_mode", "WAL"), ("synchronous", "FULL")])
        do {
            try engine.removeContents()
            engine.close()
        } catch {
            engine.close()
            throw error
        }
        var opening = settings.opening(.create)
        opening.pragmas = []
        let empty = try SQLiteEngine(path: path, opening)
        defer { empty.close() }
        try empty.keepLogFiles()
    }

    /// Main file first: a store must not lack external files.
    package func withdraw() throws {
        try FileManager.default.removeItem(at: location.url)
        try removeFiles()
    }

    /// Main file last: without it the others are nobody's.
    private func removeFiles() throws {
        for path in [SQLiteEngine.supportFolder(ofStoreAt: path).path] + SQLiteEngine.files(ofStoreAt: path)
        where FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
    }

    // MARK: A draft, and the place that it takes

    /// The draft's last connection may have been unable to write the log into the file, which alone would lack what the
    /// log holds.
    package func finish() throws {
        func log() -> FileStamp? {
            ["-wal", "-journal"].lazy.compactMap { FileStamp(path: path + $0) }.first
        }
        guard log() != nil else { return }
        do {
            let engine = try SQLiteEngine(path: path, OpeningOptions(.readWrite))
            defer { engine.close() }
            try engine.emptyLog()
        }
        if log() == nil { return }
        throw EngineFailure(
            .io, message: "The new store's log couldn't be written into its file.", path: path)
    }

    package func takeContents(of draft: URL) throws -> Bool {
        let engine = try openAlone(pragmas: [("journal_mode", "DELETE"), ("synchronous", "FULL")])
        defer { engine.close() }
        let draft = try SQLiteEngine(path: draft.path, OpeningOptions(.readWrite))
        defer { draft.close() }
        try engine.takeContents(of: draft)
        return true
    }

    /// Without a log, which the file of another kind would be taken to have.
    package func giveWay(_ body: () throws -> Void) throws {
        let engine = try openAlone(pragmas: [("journal_mode", "DELETE")])
        defer { engine.close() }
        try body()
        _ = SQLiteEngine.removeExternalFiles(ofAbsentStoreAt: path)
    }

    /// SQLite would take them for the new file's.
    package func clearPlace() throws {
        for path in SQLiteEngine.files(ofStoreAt: path).dropLast() where unlink(path) != 0 && errno != ENOENT
        {
            throw POSIXError.last
        }
    }

    package func moveCompanions(to url: URL, _ body: () throws -> Void) throws {
        try SQLiteEngine.moveExternalFiles(ofStoreAt: path, to: url.path, body)
    }
}
