// Migrating a store by a mapping model when it is added.

import Foundation

extension NSMappingModel {
    /// Replaces a store's file, which isn't open, by one of the newer version. The store keeps its identity.
    final func migrate(
        _ store: NSPersistentStore, at url: URL, from source: NSManagedObjectModel,
        to destination: ManagedModel
    ) throws {
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination.model)
        let place = MigrationPlace(url: url, type: store.type, options: store.options)
        try manager.migrate(place, to: place, by: self, keepsIdentity: true)
    }
}
