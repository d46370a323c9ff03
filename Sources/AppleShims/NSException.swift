// Exceptions of the Objective-C runtime: raised, never caught.

import CoreDataSupport
public import Foundation

/// An exception with its name, reason and what else there is to say.
///
/// Differs from Apple's in that nothing can catch it: `raise()` ends the process, with name and reason on standard error.
open class NSException: NSObject, @unchecked Sendable {  // nothing of it changes
    open private(set) var name: NSExceptionName
    open private(set) var reason: String?
    open private(set) var userInfo: [AnyHashable: Any]?

    public init(name: NSExceptionName, reason: String?, userInfo: [AnyHashable: Any]? = nil) {
        (self.name, self.reason, self.userInfo) = (name, reason, userInfo)
    }

    /// Ends the process.
    open func raise() -> Never {
        // As on Apple's systems, where nobody catches it.
        CoreDataSupport.raise(exception: name.rawValue, reason ?? "no reason was given")
    }

    open override var description: String { reason ?? name.rawValue }
}

extension NSExceptionName {
    public static let genericException = NSExceptionName("NSGenericException")
    public static let rangeException = NSExceptionName("NSRangeException")
    public static let invalidArgumentException = NSExceptionName("NSInvalidArgumentException")
    public static let internalInconsistencyException = NSExceptionName("NSInternalInconsistencyException")
    public static let mallocException = NSExceptionName("NSMallocException")
    public static let objectInaccessibleException = NSExceptionName("NSObjectInaccessibleException")
    public static let objectNotAvailableException = NSExceptionName("NSObjectNotAvailableException")
    public static let destinationInvalidException = NSExceptionName("NSDestinationInvalidException")
    public static let invalidArchiveOperationException = NSExceptionName("NSInvalidArchiveOperationException")
    public static let invalidUnarchiveOperationException = NSExceptionName(
        "NSInvalidUnarchiveOperationException")
    public static let undefinedKeyException = NSExceptionName("NSUnknownKeyException")
}
