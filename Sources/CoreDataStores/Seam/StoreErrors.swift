// Errors that every store throws alike.

package import Foundation

package enum StoreErrors {
    /// Somebody asks a store that isn't open any more.
    package static func removed(_ file: URL?) -> NSError {
        CoreDataError.make(
            ErrorCode.operation, description: "The store has been removed from its coordinator.", file: file)
    }

    /// The sentence for a file that is to be made in a folder that isn't there.
    package static let noFolder = "The folder of the persistent store's file doesn't exist."

    /// The key under which `true` stands in the user info of an error of a save that may be kept all the same.
    package static let unknownOutcome = "StoreOutcomeUnknown"

    /// Indicates whether a save may be kept though it failed.
    package static func isUnknownOutcome(_ error: any Error) -> Bool {
        (error as NSError).userInfo[unknownOutcome] as? Bool == true
    }

    /// SQLITE_ERROR_SNAPSHOT: a macro with arithmetic, which Swift doesn't import.
    private static let snapshotCode = 1 | 3 << 8

    /// Somebody reads a snapshot that has ended.
    package static func expiredSnapshot(_ file: URL?) -> NSError {
        let cause =
            file?.isFileURL == false
            ? "the server ended it, after idle_in_transaction_session_timeout or with the connection"
            : "the store's write-ahead log outgrew its limit"
        let reason =
            "Its state is no longer kept: \(cause), or the store was closed. "
            + "Pin the context anew with setQueryGenerationFrom(_:)."
        return CoreDataError.make(
            ErrorCode.operation, description: "The query generation has expired.", file: file, reason: reason,
            underlying: NSError(
                domain: ErrorKey.sqlite, code: snapshotCode,
                userInfo: [NSLocalizedDescriptionKey: "The snapshot is no longer available."]),
            userInfo: [ErrorKey.sqlite: snapshotCode])
    }

    /// Indicates whether a read failed because its snapshot had ended.
    package static func isExpiredSnapshot(_ error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == NSCocoaErrorDomain && error.code == ErrorCode.operation
            && error.userInfo[ErrorKey.sqlite] as? Int == snapshotCode
    }
}
