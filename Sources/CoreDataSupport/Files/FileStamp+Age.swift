// The age of a file, and bringing the file to the disk.

package import Foundation

extension FileStamp {
    /// Seconds since the file was last changed; 0 for a file that is not there.
    package static func age(of url: URL) -> TimeInterval {
        var facts = stat()
        guard lstat(url.path, &facts) == 0 else { return 0 }
        return Date().timeIntervalSince1970 - TimeInterval(facts.st_mtim.tv_sec)
    }
}

/// Waits until a file's bytes, or a folder's names, are on the disk.
///
/// Never for the file of a store that may be open: closing its descriptor drops SQLite's locks on it.
package func synchronizeFile(_ url: URL) throws {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError.last }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw POSIXError.last }
}
