// A lock on a file or folder that other processes, and other threads of this one, respect if they ask for it.

package import Foundation

/// An open file that can be locked. The caller that opens one releases it.
package struct FileLock: Sendable {
    private let descriptor: Int32

    /// Opens the file or folder and locks nothing. `flags` are those of `open`, `mode` is for a file that it makes.
    ///
    /// Throws a `POSIXError`.
    package init(_ path: String, flags: Int32 = O_RDONLY, mode: mode_t = 0) throws(POSIXError) {
        descriptor = open(path, flags | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw POSIXError.last }
    }

    /// Takes the lock if nobody has it, without waiting, and returns 0 or the system's error: `EWOULDBLOCK` if somebody has.
    package func take() -> Int32 { flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno }

    /// Lets go of the lock and closes the file.
    package func release() {
        // A process that is being started has a copy of the descriptor for a moment, with which the lock would stay.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
