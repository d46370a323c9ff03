// The model that an SQLite store keeps a copy of.

import CoreDataFiles
import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
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
            NSMigrationMissingSourceModelError, "The persistent store doesn't keep its model.", file: url,
            reason: "Z_MODELCACHE is missing or empty.")
    }

    class func model(inStoreAt url: URL, _ options: SQLiteStoreOptions) throws -> NSManagedObjectModel? {
        do {
            let found = try SQLiteEngine.reading(path: url.path, options.opening(.readOnly)) { engine in
                (try engine.modelCache(), try engine.metadata(of: url).versionHashes())
            }
            guard let content = found.0, !content.isEmpty else { return nil }
            var schema = try CachedModel.read(content, from: url.path)
            let hashes = found.1
            for position in schema.entities.indices {
                schema.entities[position].recordedVersionHash = hashes[schema.entities[position].name]
            }
            return NSManagedObjectModel(schema: schema)
        } catch {
            throw ErrorMapping.error(error, .opening, file: url)
        }
    }
}
