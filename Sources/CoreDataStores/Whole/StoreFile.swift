// A file that is read and replaced as a whole: by a temporary one that is renamed, so that nobody sees half of it.

import CoreDataSQLiteEngine
import CoreDataSupport
package import Foundation

package enum StoreFile {
    package static func read(_ url: URL) throws -> Data {
        do {
            return try DatabaseBytes.contents(ofFileAt: url.path)
        } catch let failure as EngineFailure {
            let code =
                switch failure.kind {
                case .missing: NSFileReadNoSuchFileError
                case .permission: NSFileReadNoPermissionError
                default: NSFileReadUnknownError
                }
            throw CoreDataError.make(
                code, description: "The persistent store could not be read.", file: url,
                reason: failure.message)
        }
    }

    /// Returns the first 4,096 bytes of a file, or what it has, by which its kind is told.
    package static func start(_ url: URL) throws -> Data {
        try DatabaseBytes.start(ofFileAt: url.path, count: 4096)
    }

    /// Throws if the folder in which a file is to be made isn't there.
    package static func requireFolder(of url: URL) throws {
        let folder = url.resolvingSymlinksInPath().deletingLastPathComponent()
        if FileManager.default.fileExists(atPath: folder.path) { return }
        throw CoreDataError.make(NSFileNoSuchFileError, description: StoreErrors.noFolder, file: url)
    }

    /// Puts the bytes in the place of the file, whole or not at all, and waits until they are on disk.
    package static func replace(_ url: URL, with data: Data) throws {
        let url = url.resolvingSymlinksInPath()
        try checkIsNoDevice(url)
        let folder = url.deletingLastPathComponent()
        let temporary = folder.appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
        do {
            try write(data, to: temporary.path, mode: mode(of: url))
            guard rename(temporary.path, url.path) == 0 else { throw POSIXError.last }
        } catch {
            unlink(temporary.path)
            throw failure(error as? POSIXError ?? POSIXError(.EIO), url: url)
        }
        // The new name is on disk once its folder is. The file is replaced either way, and not every file system can do it.
        try? synchronizeFile(folder)
    }

    /// Renaming a file over a device would do away with the device.
    private static func checkIsNoDevice(_ url: URL) throws {
        var facts = stat()
        guard stat(url.path, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG else { return }
        throw CoreDataError.make(
            NSFileWriteUnknownError, description: "The persistent store could not be saved.", file: url,
            reason: "There is a folder or a device at the store's path.")
    }

    /// The folders that are locked by whoever runs now: a save may write to several stores of one folder.
    @TaskLocal private static var locked: Set<String> = []
    /// Seconds to wait for a lock; two saves that wait for each other's folders end so.
    private static let timeout: TimeInterval = 30

    /// Runs the closure while no one else, in this process or another, does so for a file of the same folder.
    package static func exclusively<Result>(_ url: URL, body: () throws -> Result) throws -> Result {
        let folder = url.resolvingSymlinksInPath().deletingLastPathComponent().path
        if locked.contains(folder) { return try body() }
        let lock: FileLock
        do { lock = try FileLock(folder) } catch { throw failure(error, url: url) }
        defer { lock.release() }
        let end = Date(timeIntervalSinceNow: timeout)
        while case let code = lock.take(), code != 0 {
            // If a file system has no locks, the version check alone guards against other writers.
            guard code == EWOULDBLOCK || code == EINTR else { break }
            if Date() > end {
                throw CoreDataError.make(
                    ErrorCode.timeout, description: "The persistent store is locked by another process.",
                    file: url)
            }
            usleep(2000)
        }
        return try $locked.withValue(locked.union([folder])) { try body() }
    }

    /// Runs the closure if nobody runs `exclusively` for a file of the folder; nobody does meanwhile.
    package static func ifUnlocked(_ url: URL, body: () -> Void) {
        let folder = url.resolvingSymlinksInPath().deletingLastPathComponent().path
        guard let lock = try? FileLock(folder) else { return }
        defer { lock.release() }
        if lock.take() == 0 { body() }
    }

    private static func write(_ data: Data, to path: String, mode: mode_t) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw POSIXError.last }
        defer { close(descriptor) }
        try data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = Foundation.write(
                    descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written < 0 {
                    if errno == EINTR { continue }
                    throw POSIXError.last
                }
                rest = rest.dropFirst(written)
            }
        }
        guard fsync(descriptor) == 0 else { throw POSIXError.last }
    }

    /// The permissions of the file that is replaced.
    private static func mode(of url: URL) -> mode_t {
        var facts = stat()
        return stat(url.path, &facts) == 0 ? facts.st_mode & 0o777 : 0o644
    }

    // MARK: Errors

    private static func failure(_ error: POSIXError, url: URL) -> NSError {
        let meaning =
            switch error.code {
            case .ENOENT: NSFileNoSuchFileError
            case .EACCES, .EPERM, .EROFS: NSFileWriteNoPermissionError
            case .ENOSPC, .EDQUOT: NSFileWriteOutOfSpaceError
            default: NSFileWriteUnknownError
            }
        return CoreDataError.make(
            meaning, description: "The persistent store could not be saved.", file: url,
            reason: String(cString: strerror(error.code.rawValue)),
            underlying: NSError(domain: NSPOSIXErrorDomain, code: Int(error.code.rawValue)))
    }
}
