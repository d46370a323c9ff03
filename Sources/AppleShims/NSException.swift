// Exceptions of the Objective-C runtime: raised, never caught.

import CoreDataSupport
public import Foundation

/// An exception with its name, reason and what else there is to say.
///
/// Differs from Apple's in that nothing can catch it: `raise()` ends the process, with name and reason on standard error.
open class NSException: NSObject, @unchecked Sendable {  // nothing of it changes
    /// The kind of exception.
    open private(set) var name: NSExceptionName
    /// A sentence for people, about what went wrong.
    open private(set) var reason: String?
    /// Further values by key.
    open private(set) var userInfo: [AnyHashable: Any]?

    /// An exception, which nothing happens to until it is raised.
    ///
    /// - Parameters:
    ///   - name: its kind.
    ///   - reason: a sentence for people.
    ///   - userInfo: further values by key.
    public init(name: NSExceptionName, reason: String?, userInfo: [AnyHashable: Any]? = nil) {
        (self.name, self.reason, self.userInfo) = (name, reason, userInfo)
    }

    /// Ends the process with the exception's name and reason.
    open func raise() -> Never {
        // As on Apple's systems, where nobody catches it.
        CoreDataSupport.raise(exception: name.rawValue, reason ?? "no reason was given")
    }

    open override var description: String { reason ?? name.rawValue }
}

extension NSExceptionName {
    /// Anything that no other name says.
    public static let genericException = NSExceptionName("NSGenericException")
    /// A position beyond the bounds.
    public static let rangeException = NSExceptionName("NSRangeException")
    /// An argument that a function can't take.
    public static let invalidArgumentException = NSExceptionName("NSInvalidArgumentException")
    /// A state that should not be.
    public static let internalInconsistencyException = NSExceptionName("NSInternalInconsistencyException")
    /// No memory is left.
    public static let mallocException = NSExceptionName("NSMallocException")
    /// An object that can't be reached.
    public static let objectInaccessibleException = NSExceptionName("NSObjectInaccessibleException")
    /// An object that isn't there.
    public static let objectNotAvailableException = NSExceptionName("NSObjectNotAvailableException")
    /// A place that can't be written to.
    public static let destinationInvalidException = NSExceptionName("NSDestinationInvalidException")
    /// An archive that was written wrongly.
    public static let invalidArchiveOperationException = NSExceptionName("NSInvalidArchiveOperationException")
    /// An archive that was read wrongly.
    public static let invalidUnarchiveOperationException = NSExceptionName(
        "NSInvalidUnarchiveOperationException")
    /// A key that an object doesn't have.
    public static let undefinedKeyException = NSExceptionName("NSUnknownKeyException")
}
