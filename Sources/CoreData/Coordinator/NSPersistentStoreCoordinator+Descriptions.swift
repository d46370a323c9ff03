// Metadata and models of stores that need more than a URL to be reached: beyond what Apple's class offers.

import Foundation

extension NSPersistentStoreCoordinator {
    /// Returns what a store that isn't open says about itself.
    ///
    /// An addition to Apple's class, for stores on servers: the description's options hold what its URL may not show.
    ///
    /// - Parameter description: where the store is, and its options.
    /// - Throws: what `metadataForPersistentStore(ofType:at:options:)` throws.
    public class func metadataForPersistentStore(
        with description: NSPersistentStoreDescription
    ) throws -> [String: Any] {
        let store = try closedStore(description)
        try store.loadMetadata()
        return store.metadata ?? [:]
    }

    /// Returns the model that a store which isn't open keeps; nil if it keeps none.
    ///
    /// An addition to Apple's class, for stores on servers: the description's options hold what its URL may not show.
    ///
    /// - Parameter description: where the store is, and its options.
    /// - Throws: the errors of opening a store (Docs/Errors.md).
    public class func model(inStoreWith description: NSPersistentStoreDescription) throws
        -> NSManagedObjectModel?
    {
        let store = try closedStore(description)
        try store.loadMetadata()
        return try store.keptModel()
    }

    private class func closedStore(_ description: NSPersistentStoreDescription) throws -> NSPersistentStore {
        let storeClass = try StoreRegistry.storeClass(description.type)
        try storeClass.checkPlace(description.url)
        return storeClass.make(
            NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel()),
            configurationName: description.configuration,
            at: description.url ?? URL(fileURLWithPath: "/"), options: description.options)
    }
}
