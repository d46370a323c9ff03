// The model that an SQLite store keeps a copy of.

import CoreDataStores
import Foundation

extension NSPersistentStoreCoordinator {
    class func keptModel(at url: URL, options: [AnyHashable: Any]?) throws -> NSManagedObjectModel {
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
