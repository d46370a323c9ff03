// One object's values, as an incremental store hands them over.

public import Foundation

/// The values of one object at one version.
nonisolated open class NSIncrementalStoreNode: NSObject {
    private final let identity: NSManagedObjectID
    private final var values: [String: Any]
    private final var number: UInt64

    /// A node with values by property name. To-one relationships are object IDs, `NSNull` for nil; to-many ones are
    /// not among the values.
    ///
    /// - Parameters:
    ///   - objectID: the object's ID.
    ///   - values: the values by property name.
    ///   - version: the row's version, which rises with each change.
    public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
        identity = objectID
        self.values = values
        number = version
        super.init()
    }

    /// The object's ID.
    open var objectID: NSManagedObjectID { identity }

    /// The version of the values; each save of the object should raise it.
    open var version: UInt64 { number }

    /// Replaces the values of the keys given, and the version.
    ///
    /// - Parameters:
    ///   - values: the new values by property name.
    ///   - version: the row's version, which rises with each change.
    open func update(withValues values: [String: Any], version: UInt64) {
        self.values.merge(values) { $1 }
        number = version
    }

    /// Returns the value of a property: `nil` if the node says nothing about it, `NSNull` for a to-one
    /// relationship that is nil.
    open func value(for prop: NSPropertyDescription) -> Any? { values[prop.name] }
}
