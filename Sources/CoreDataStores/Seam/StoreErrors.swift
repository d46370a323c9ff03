// Errors that every store throws alike.

package import Foundation

package enum StoreErrors {
    /// Somebody asks a store that isn't open any more.
    package static func removed(_ file: URL?) -> NSError {
        CoreDataError.make(
            ErrorCode.operation, "The store has been removed from its coordinator.", file: file)
    }
}
