// One object of an atomic store.

public import Foundation

/// The data of one object in an atomic store: its values, with other nodes for relationships.
nonisolated open class NSAtomicStoreCacheNode: NSObject {
    private final let identity: NSManagedObjectID

    /// A node for the object of that ID, without values.
    public init(objectID moid: NSManagedObjectID) {
        identity = moid
        super.init()
    }

    /// The object's ID.
    open var objectID: NSManagedObjectID { identity }

    /// The values by property name. A to-one relationship is a node, a to-many one a set (or an ordered set) of
    /// nodes.
    open var propertyCache: NSMutableDictionary?

    /// Returns the value of a property; from `propertyCache` unless overridden.
    open func value(forKey key: String) -> Any? { propertyCache?[key] }

    /// Sets the value of a property, in `propertyCache` unless overridden.
    ///
    /// - Parameters:
    ///   - value: the value, or nil.
    ///   - key: the property's name.
    open func setValue(_ value: Any?, forKey key: String) {
        let cache = propertyCache ?? NSMutableDictionary()
        cache[key] = value
        propertyCache = cache
    }
}
