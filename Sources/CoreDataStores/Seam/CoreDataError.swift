// Makes the errors that the store, context and migration layers throw: Apple's domain and codes, and
// enough in the user info to act on.

package import Foundation

/// Factory of errors in `NSCocoaErrorDomain`.
package enum CoreDataError {
    /// Keys of the user info beside Foundation's and Core Data's own.
    package enum Key {
        package static let entity = "entity"
        package static let property = "property"
        package static let reason = "reason"
    }

    package static func make(_ code: Int, description: String, userInfo: [String: Any] = [:]) -> NSError {
        var userInfo = userInfo
        userInfo[NSLocalizedDescriptionKey] = userInfo[NSLocalizedDescriptionKey] ?? description
        return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: userInfo)
    }

    /// An error about a file and what is in it; `reason` says why, `underlying` what failed below.
    package static func make(
        _ code: Int, description: String, file: URL?, entity: String? = nil, property: String? = nil,
        reason: String? = nil, underlying: (any Error)? = nil, userInfo: [String: Any] = [:]
    ) -> NSError {
        var userInfo = userInfo
        userInfo[NSFilePathErrorKey] = file?.path
        userInfo[NSURLErrorKey] = file
        userInfo[Key.entity] = entity
        userInfo[Key.property] = property
        userInfo[Key.reason] = reason
        userInfo[NSLocalizedFailureReasonErrorKey] = reason
        userInfo[NSUnderlyingErrorKey] = underlying
        return make(code, description: description, userInfo: userInfo)
    }

    /// An error of SQLite: its own code and message stand in the user info, under SQLite's domain.
    package static func sqlite(
        _ code: Int, description: String, file: URL?, resultCode: Int, message: String
    ) -> NSError {
        make(
            code, description: description, file: file, reason: message,
            userInfo: [ErrorKey.sqlite: resultCode])
    }
}
