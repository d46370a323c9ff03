// Metadata of stores, added or not.

public import Foundation

extension NSPersistentStoreCoordinator {
    /// What a store of this coordinator says about itself, `NSStoreType` and `NSStoreUUID` among it.
    public func metadata(for store: NSPersistentStore) -> [String: Any] {
        withLock { store.metadata ?? [:] }
    }

    /// Replaces a store's metadata; the next save writes it. What describes the file itself, such as the
    /// version hashes, stays as it is.
    public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        withLock { store.metadata = metadata }
    }

    /// What a store that isn't open says about itself. The file stays as it is.
    public class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try StoreRegistry.storeClass(storeType).metadataForPersistentStore(with: url)
    }

    /// What a store that isn't open says about itself. The file stays as it is.
    public class func metadataForPersistentStore(
        type storeType: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: storeType.rawValue, at: storeURL, options: options)
    }

    /// What a store that isn't open says about itself. Without a type the file's first bytes tell it.
    @_disfavoredOverload
    public class func metadataForPersistentStore(ofType storeType: String?, at url: URL) throws -> [String:
        Any]
    {
        try metadataForPersistentStore(
            ofType: storeType ?? StoreRegistry.type(ofFileAt: url) ?? NSSQLiteStoreType, at: url, options: nil
        )
    }

    /// What a store that isn't open says about itself; the file's first bytes tell its type.
    public class func metadataForPersistentStore(with url: URL) throws -> [AnyHashable: Any] {
        try metadataForPersistentStore(ofType: String?.none, at: url)
    }

    /// Replaces the metadata of a store that isn't open.
    public class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try StoreRegistry.storeClass(storeType).setMetadata(metadata, forPersistentStoreAt: url)
    }

    /// Replaces the metadata of a store that isn't open.
    public class func setMetadata(
        _ metadata: [String: Any]?, type storeType: NSPersistentStore.StoreType, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(
            metadata, forPersistentStoreOfType: storeType.rawValue, at: storeURL, options: options)
    }

    /// Replaces the metadata of a store that isn't open. Without a type the file's first bytes tell it.
    @_disfavoredOverload
    public class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String?, at url: URL
    ) throws {
        try setMetadata(
            metadata,
            forPersistentStoreOfType: storeType ?? StoreRegistry.type(ofFileAt: url) ?? NSSQLiteStoreType,
            at: url, options: nil)
    }
}
