// Metadata of stores, added or not.

public import Foundation

extension NSPersistentStoreCoordinator {
    /// Returns what a store that isn't open says about itself. The file stays as it is.
    ///
    /// ```swift
    /// let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    /// print(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    /// ```
    ///
    /// - Parameters:
    ///   - storeType: the store's type.
    ///   - storeURL: the store's file.
    ///   - options: not used.
    /// - Throws: `NSFileReadNoSuchFileError` (260) where there is no file; `NSFileReadCorruptFileError` (259)
    ///   or `NSPersistentStoreTypeMismatchError` (134010) for a file that is no store.
    public class func metadataForPersistentStore(
        type storeType: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: storeType.rawValue, at: storeURL, options: options)
    }

    /// Returns what a store that isn't open says about itself.
    ///
    /// - Parameters:
    ///   - storeType: the store's type; for nil the file's first bytes tell it.
    ///   - url: the store's file.
    /// - Throws: what `metadataForPersistentStore(ofType:at:options:)` throws.
    @_disfavoredOverload
    public class func metadataForPersistentStore(ofType storeType: String?, at url: URL) throws -> [String:
        Any]
    {
        try metadataForPersistentStore(
            ofType: storeType ?? StoreRegistry.type(ofFileAt: url) ?? NSSQLiteStoreType, at: url, options: nil
        )
    }

    /// Returns what a store that isn't open says about itself; the file's first bytes tell its type.
    ///
    /// - Throws: what `metadataForPersistentStore(ofType:at:options:)` throws.
    public class func metadataForPersistentStore(with url: URL) throws -> [AnyHashable: Any] {
        try metadataForPersistentStore(ofType: String?.none, at: url)
    }

    /// Replaces the metadata of a store that isn't open.
    ///
    /// - Parameters:
    ///   - metadata: the new metadata, property list values by key.
    ///   - storeType: the store's type.
    ///   - storeURL: the store's file.
    ///   - options: not used.
    /// - Throws: what `metadataForPersistentStore(ofType:at:options:)` throws, and
    ///   `NSFileWriteNoPermissionError` (513) for a file that can't be written.
    public class func setMetadata(
        _ metadata: [String: Any]?, type storeType: NSPersistentStore.StoreType, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(
            metadata, forPersistentStoreOfType: storeType.rawValue, at: storeURL, options: options)
    }

    /// Replaces the metadata of a store that isn't open.
    ///
    /// - Parameters:
    ///   - metadata: the new metadata, property list values by key.
    ///   - storeType: the store's type; for nil the file's first bytes tell it.
    ///   - url: the store's file.
    /// - Throws: what `metadataForPersistentStore(ofType:at:options:)` throws, and
    ///   `NSFileWriteNoPermissionError` (513) for a file that can't be written.
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
