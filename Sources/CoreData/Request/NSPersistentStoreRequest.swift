// A request of a context to stores.

import CoreDataSupport
public import Foundation

/// The kinds of requests, with Apple's raw values.
public enum NSPersistentStoreRequestType: UInt, Sendable {
    /// A fetch.
    case fetchRequestType = 1
    /// A save.
    case saveRequestType = 2
    /// An insertion of many rows past the context.
    case batchInsertRequestType = 5
    /// A change of many rows past the context.
    case batchUpdateRequestType = 6
    /// A deletion of many rows past the context.
    case batchDeleteRequestType = 7
}

/// A request of a context to stores. Its subclasses state the work.
open class NSPersistentStoreRequest: NSObject, NSCopying {
    /// The stores that the request goes to; all of the coordinator's for `nil`.
    open var affectedStores: [NSPersistentStore]?

    /// The kind of request.
    open var requestType: NSPersistentStoreRequestType {
        raise(.internalInconsistency, "\(type(of: self)) doesn't say what kind of request it is.")
    }

    public override init() {
        super.init()
    }

    /// Returns a copy with everything that the request says.
    open func copy(with zone: NSZone? = nil) -> Any {
        raise(.internalInconsistency, "\(type(of: self)) can't be copied.")
    }
}

/// The result of a request that isn't a fetch or a save.
open class NSPersistentStoreResult: NSObject {
    public override init() {
        super.init()
    }
}
