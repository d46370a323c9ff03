// Folders for files that are made beside their place, or that nobody else is to see.
//
// The maker holds a lock on a file in it (`flock`) as long as it uses the folder, and the system lets go of the lock when
// the process dies, however it dies. A folder of this name that nobody has locked is therefore what a killed process left.
// Process numbers would not tell: a volume may be shared by systems that count their processes each by itself.

package import Foundation

/// A folder of this process, for as long as the value lives.
package final class ScratchFolder: Sendable {
    package let url: URL
    private let lock: FileLock

    /// Seconds for which a folder counts as in use without a look at its lock: its maker may be about to lock it.
    private static let grace: TimeInterval = 60

    /// Makes a folder whose name is the prefix and a UUID; others may not look into it.
    ///
    /// Throws a `POSIXError`.
    package init(in parent: URL, named prefix: String) throws {
        url = parent.appendingPathComponent(prefix + UUID().uuidString, isDirectory: true)
        guard mkdir(url.path, 0o700) == 0 else { throw POSIXError.last }
        do {
            lock = try FileLock(Self.lock(in: url).path, flags: O_RDWR | O_CREAT, mode: 0o600)
        } catch {
            rmdir(url.path)
            throw error
        }
        // If a file system has no locks, the folder never counts as abandoned either.
        _ = lock.take()
    }

    deinit { lock.release() }

    /// Removes the folder with everything in it.
    package func remove() throws { try FileManager.default.removeItem(at: url) }

    /// The folders of this prefix whose makers are dead.
    package static func abandoned(in parent: URL, named prefix: String) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        return names.filter {
            $0.hasPrefix(prefix) && UUID(uuidString: String($0.dropFirst(prefix.count))) != nil
        }
        .sorted().map { parent.appendingPathComponent($0, isDirectory: true) }.filter(isAbandoned)
    }

    private static func isAbandoned(_ folder: URL) -> Bool {
        guard FileStamp.age(of: folder) > grace else { return false }
        do {
            let lock = try FileLock(lock(in: folder).path, flags: O_RDWR | O_NOFOLLOW)
            defer { lock.release() }
            return lock.take() == 0
        } catch {
            // The maker died before it could lock the folder.
            return error.code == .ENOENT
        }
    }

    private static func lock(in folder: URL) -> URL { folder.appendingPathComponent(".lock") }
}
