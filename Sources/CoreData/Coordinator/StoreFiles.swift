// The files of a store that this process doesn't have open.

import CoreDataSQLiteEngine
import CoreDataStores
import CoreDataSupport
import Foundation

/// A store's files, and how to get at them alone.
struct StoreFiles {
    let url: URL
    let options: [AnyHashable: Any]?

    /// Seconds to wait for others where the options don't say. A process that has a store open will
    /// hardly let go of it soon.
    private static let timeout = 10.0

    init(url: URL, options: [AnyHashable: Any]?) {
        self.url = Self.target(of: url)
        self.options = options
    }

    init(_ place: MigrationPlace) {
        self.init(url: place.url, options: place.options)
    }

    /// The file that a URL leads to, through symbolic links.
    static func target(of url: URL) -> URL {
        url.isFileURL ? URL(fileURLWithPath: SQLiteEngine.target(of: url.path)) : url
    }

    var settings: SQLiteStoreOptions { SQLiteStoreOptions(options) }

    var timeout: Double {
        options?[NSPersistentStoreTimeoutOption] == nil ? Self.timeout : settings.timeout
    }

    /// Returns whether the store has a file at all, whatever its type.
    func hasFile(_ type: String) -> Bool {
        type != NSInMemoryStoreType && url.isFileURL && url.path != "/dev/null"
            && !url.path.hasPrefix("/dev/null/")
    }

    func checkHasFile(_ type: String) throws {
        if hasFile(type) { return }
        throw CoreDataError.make(
            NSFileReadNoSuchFileError, "A store in memory has no file that could be copied.", file: url)
    }

    /// Opens the SQLite file, or makes it, if nobody else has it open, and keeps others out until it is closed.
    ///
    /// Throws an `EngineFailure`, `.notAStore` for a database of something else.
    func openAlone(pragmas: [(name: String, value: String)] = []) throws -> SQLiteEngine {
        var opening = settings.opening(.create)
        opening.isExclusive = true
        opening.pragmas = pragmas
        opening.busyMilliseconds = Int32(clamping: Int64(max(0, min(timeout, 2e6)) * 1000))
        return try SQLiteEngine(path: url.path, opening)
    }

    // MARK: Destroying

    func destroy(type: String, force: Bool) throws {
        guard hasFile(type), FileManager.default.fileExists(atPath: url.path) else { return }
        if type != NSSQLiteStoreType {
            if !force { try checkIsStore(type) }
            return try removing { try FileManager.default.removeItem(at: url) }
        }
        do {
            try destroyDatabase()
        } catch {
            if !force { throw ErrorMapping.error(error, .saving, file: url) }
            try removing { try removeFiles() }
        }
    }

    /// Throws if a file is there that isn't a store of a type that is kept in one file of ours.
    func checkIsStore(_ type: String) throws {
        guard FileManager.default.fileExists(atPath: url.path),
            case let storeClass = try StoreRegistry.storeClass(type), storeClass.fileKind == .whole
        else { return }
        _ = try storeClass.metadataForPersistentStore(with: url)
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
        let empty = try SQLiteEngine(path: url.path, opening)
        defer { empty.close() }
        try empty.keepLogFiles()
    }

    /// Removes the files of a store that nobody has used. Main file first: a store must not lack external files.
    func withdraw() throws {
        try FileManager.default.removeItem(at: url)
        try removeFiles()
    }

    /// Main file last: without it the others are nobody's.
    private func removeFiles() throws {
        for path in [SQLiteEngine.supportFolder(ofStoreAt: url.path).path]
            + SQLiteEngine.files(ofStoreAt: url.path)
        where FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
    }

    private func removing(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw CoreDataError.make(
                NSFileWriteUnknownError, "The files of the persistent store can't be removed.", file: url,
                reason: "\(error)", underlying: error)
        }
    }

    // MARK: Errors

    static var posixFailure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    static func exists(_ url: URL) -> NSError {
        CoreDataError.make(
            NSFileWriteFileExistsError, "The store can't be put there.", file: url,
            reason: "There is a file at \(url.path) already.")
    }

    /// Returns the system's error about a file as one of Apple's. Others pass unchanged.
    static func failure(_ error: any Error, _ sentence: String, _ url: URL) -> any Error {
        guard let failure = error as? POSIXError else { return error }
        let code =
            switch failure.code {
            case .ENOENT, .ENOTDIR: NSFileReadNoSuchFileError
            case .EACCES, .EPERM, .EROFS: NSFileWriteNoPermissionError
            case .ENOSPC, .EDQUOT: NSFileWriteOutOfSpaceError
            case .EEXIST: NSFileWriteFileExistsError
            default: NSFileWriteUnknownError
            }
        return CoreDataError.make(
            code, sentence, file: url, reason: String(cString: strerror(failure.code.rawValue)),
            underlying: failure)
    }
}
