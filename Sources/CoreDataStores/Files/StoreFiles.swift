// The operations on the files of a store that this process doesn't have open: an ability of stores in files.

import CoreDataSQLiteEngine
import CoreDataSupport
package import Foundation

/// The files of a store that isn't open in this process.
///
/// The members have a default: those of a store that is one file, which is written beside its place and renamed.
/// Errors are those of Errors.md, or an `EngineFailure`.
package protocol StoreFiles {
    init(at location: StoreLocation)

    var location: StoreLocation { get }

    // MARK: Life

    /// Throws if the file is none of a store of the kind. A kind whose operations find that out by themselves need not.
    func check() throws

    /// Returns whether there is a store: neither no file, nor one that is empty in the way of its kind, as a destroyed store is.
    func holdsStore() throws -> Bool

    /// Destroys what the store holds. Nothing happens if there is no file.
    ///
    /// - Parameter force: whether a file goes that isn't such a store, or that others have open.
    func destroy(force: Bool) throws

    /// Removes the files of a store that nobody has used.
    func withdraw() throws

    /// Writes what the store holds now, whoever has it open, to a new file, which is on the disk then.
    func copy(to url: URL) throws

    /// Returns the damage of the file that its own format tells, in lines; empty if it is sound. All of it is read.
    func damage() throws -> [String]

    // MARK: A draft, and the place that it takes

    /// Has the file alone hold what the store holds. Called once the draft's store is closed.
    func finish() throws

    /// Makes the store hold what a draft of the same kind holds, in one step, and the file stay: others may wait for its lock.
    /// Returns `false`, and does nothing, if the draft's file is to be renamed over this one instead.
    func takeContents(of draft: URL) throws -> Bool

    /// Has the closure put another kind's file in the place of this one, which nobody else may have open, and removes
    /// the files that belonged to this one.
    func giveWay(_ body: () throws -> Void) throws

    /// Removes files that lie at the place without the file that they belong to.
    func clearPlace() throws

    /// Moves the files that belong to a draft to another place, and has the closure put the draft's own file there. When it
    /// throws, they are gone.
    func moveCompanions(to url: URL, _ body: () throws -> Void) throws

    // MARK: Leftovers

    /// Removes the files that killed processes left, before the store is opened for writing.
    func removeAfterKill()

    /// Returns the files that belong to a store of the kind and that it doesn't use. Throws `.busy` if they are to be removed
    /// and somebody has the store open.
    func unusedFiles(removing: Bool) throws -> [URL]
}

extension StoreFiles {
    package func check() throws {}

    package func holdsStore() throws -> Bool { location.hasFile && FileStamp(location.url) != nil }

    package func destroy(force: Bool) throws {
        guard location.hasFile else { return }
        if !force { try check() }
        try StoreFileError.removing(location.url) { try FileManager.default.removeItem(at: location.url) }
    }

    package func withdraw() throws { try FileManager.default.removeItem(at: location.url) }

    /// Such a file is replaced by another one when it is saved: who opened it reads one state.
    package func copy(to url: URL) throws {
        try check()
        try FileManager.default.copyItem(at: location.url, to: url)
        try synchronizeFile(url)
    }

    package func damage() throws -> [String] { [] }
    package func finish() throws {}
    package func takeContents(of draft: URL) throws -> Bool { false }
    package func giveWay(_ body: () throws -> Void) throws { try body() }
    package func clearPlace() throws {}
    package func moveCompanions(to url: URL, _ body: () throws -> Void) throws { try body() }

    package func removeAfterKill() {
        guard location.canHaveFile else { return }
        StoreLeftovers.removeDrafts(of: location.url)
        StoreLeftovers.removeTemporaryFiles(of: location.url)
    }

    package func unusedFiles(removing: Bool) throws -> [URL] { [] }
}

/// The file of a store of which nothing else is known: of a client's class.
package struct PlainFiles: StoreFiles {
    package let location: StoreLocation

    package init(at location: StoreLocation) {
        self.location = location
    }
}

/// The errors of work on a store's files.
package enum StoreFileError {
    package static func exists(_ url: URL) -> NSError {
        CoreDataError.make(
            NSFileWriteFileExistsError, description: "The store can't be put there.", file: url,
            reason: "There is a file at \(url.path) already.")
    }

    /// Runs a closure that removes the files of a store, and says so of its errors.
    static func removing(_ url: URL, body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw CoreDataError.make(
                NSFileWriteUnknownError, description: "The files of the persistent store can't be removed.",
                file: url,
                reason: "\(error)", underlying: error)
        }
    }

    /// Returns the system's error about a file as one of Apple's. Others pass unchanged.
    static func error(_ error: any Error, sentence: String, url: URL) -> any Error {
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
            code, description: sentence, file: url, reason: String(cString: strerror(failure.code.rawValue)),
            underlying: failure)
    }
}
