// The location of a store of a migration, and the way to open it.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// A store's place, type and options.
struct MigrationPlace {
    var url: URL
    let type: String
    var options: [AnyHashable: Any]?

    /// Options that say what becomes of the store later, not while it is migrated.
    private static let others: Set<String> = [
        NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
        NSPersistentStoreStagedMigrationManagerOptionKey,
        NSPersistentStoreDeferredLightweightMigrationOptionKey, NSPersistentHistoryTrackingKey,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey, NSReadOnlyPersistentStoreOption,
        NSSQLiteAnalyzeOption, NSSQLiteManualVacuumOption,
    ]

    /// The store in a coordinator of its own, with a context. Objects of it are plain ones.
    func open(
        _ model: NSManagedObjectModel, readOnly: Bool
    ) throws -> (NSManagedObjectContext, NSManagedObjectModel, NSPersistentStore) {
        let plain = Self.plain(model)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: plain)
        var options = (options ?? [:]).filter { !Self.others.contains($0.key.base as? String ?? "") }
        if readOnly { options[NSReadOnlyPersistentStoreOption] = NSNumber(value: true) }
        let store: NSPersistentStore
        do {
            store = try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: url, options: options)
        } catch {
            throw MappingFailure.store(
                readOnly ? NSMigrationManagerSourceStoreError : NSMigrationManagerDestinationStoreError,
                sentence: readOnly
                    ? "The migration failed: the old store can't be opened."
                    : "The migration failed: the new store can't be opened.", file: url, error: error)
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return (context, plain, store)
    }

    /// The place with further options of ours, which only stores of SQLite know.
    func adding(_ others: [String: Any]) -> MigrationPlace {
        guard type == NSSQLiteStoreType else { return self }
        var place = self
        place.options = (options ?? [:]).merging(others) { $1 }
        return place
    }

    private static func plain(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
        var schema = model.schema
        for index in schema.entities.indices { schema.entities[index].className = nil }
        return NSManagedObjectModel(schema: schema)
    }

    var location: StoreLocation { StoreLocation(url: url, options: options) }

    /// Indicates whether the store is a file that can be written elsewhere and moved. Clients' classes make their files
    /// themselves.
    var isFile: Bool { location.canHaveFile && StoreRegistry.classes[type]?.files != nil }

    /// The files of the store. Throws 260 if it can have none, 3328 if it lies on a server, 134000 if its type isn't known.
    func files() throws -> any StoreFiles {
        guard url.isFileURL || type == NSInMemoryStoreType else {
            throw CoreDataError.make(
                CocoaError.Code.featureUnsupported.rawValue,
                description: "Only stores in files can be copied as they are.", file: url,
                reason: "The objects of a store on a server are copied by migratePersistentStore.")
        }
        guard type != NSInMemoryStoreType, location.canHaveFile else {
            throw CoreDataError.make(
                NSFileReadNoSuchFileError, description: "A store in memory has no file that could be copied.",
                file: url)
        }
        return try (StoreRegistry.storeClass(type).files ?? PlainFiles.self).init(at: location)
    }

    func isSame(as other: MigrationPlace) -> Bool {
        if !url.isFileURL { return url.absoluteString == other.url.absoluteString }
        return other.url.isFileURL
            && url.standardizedFileURL.resolvingSymlinksInPath().path
                == other.url.standardizedFileURL.resolvingSymlinksInPath().path
    }
}
