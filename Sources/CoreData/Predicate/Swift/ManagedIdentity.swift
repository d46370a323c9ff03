// Identifiers of the package SwiftData as constants of predicates.

/// A value that stands for the ID of a managed object: a constant of a predicate may be one.
@_spi(SwiftData)
public protocol ManagedIdentity {
    /// The managed object ID; nil if the value means no object of the stores that are asked.
    var managedObjectID: AnyObject? { get }
}
