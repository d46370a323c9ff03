// The common part of all configurations of stores.

/// A store of a container as a client describes it.
public protocol DataStoreConfiguration: Hashable {
    /// The type of the store.
    associatedtype Store: DataStore where Store.Configuration == Self
    /// The name.
    var name: String { get }
    /// The models of the store; nil for all of the container's.
    var schema: Schema? { get set }
    /// Checks the configuration before the store is opened.
    ///
    /// - Throws: whatever is wrong with it.
    func validate() throws
}

extension DataStoreConfiguration {
    /// Finds nothing wrong.
    public func validate() throws {}
}
