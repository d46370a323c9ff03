// The model that an SQLite store keeps a copy of.

import CoreDataStores
public import Foundation

extension NSPersistentStoreCoordinator {
    /// Returns the model that the store at a URL was made with, as the store keeps it.
    ///
    /// The file stays as it is. Stores of Mac OS X 10.11 and iOS 9 on keep their model; older ones don't.
    ///
    /// - Parameters:
    ///   - url: the store's file.
    ///   - options: those that the store is added with.
    /// - Throws: `NSMigrationMissingSourceModelError` (134130) if the store keeps no model; the errors of
    ///   opening a store (Docs/Errors.md).
    public class func cachedModelForPersistentStore(
        at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectModel {
        if let model = try model(inStoreAt: url, SQLiteStoreOptions(options)) { return model }
        throw CoreDataError.make(
            NSMigrationMissingSourceModelError, description: "The persistent store doesn't keep its model.",
            file: url,
            reason: "Z_MODELCACHE is missing or empty.")
    }

    class func model(inStoreAt url: URL, _ options: SQLiteStoreOptions) throws -> NSManagedObjectModel? {
        try SQLiteRowStore.keptModel(at: url, options).map(NSManagedObjectModel.init(schema:))
    }
}
