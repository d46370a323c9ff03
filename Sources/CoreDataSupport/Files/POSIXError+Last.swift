package import Foundation

extension POSIXError {
    /// The error of the system's last call on this thread that failed.
    package static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
