// Stores of an older version of the model: finding that version, and the way from it to today's.

import CoreDataSchema
import CoreDataStores
import Foundation

extension NSPersistentStoreCoordinator {
    /// Returns whether a store that couldn't be opened is of another version, and is to be migrated.
    final func asksForMigration(_ store: NSPersistentStore, after error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == NSCocoaErrorDomain
            && error.code == NSPersistentStoreIncompatibleVersionHashError && !store.isReadOnly
            && (StoreOption.flag(store.options?[NSMigratePersistentStoresAutomaticallyOption])
                || stages(of: store) != nil)
    }

    private func stages(of store: NSPersistentStore) -> NSStagedMigrationManager? {
        store.options?[NSPersistentStoreStagedMigrationManagerOptionKey] as? NSStagedMigrationManager
    }

    /// Brings a store that isn't open to this coordinator's model.
    final func migrate(_ store: NSPersistentStore) throws {
        guard let url = store.url else { return }
        if let manager = stages(of: store) {
            let place = MigrationPlace(url: url, type: store.type, options: store.options)
            return try StagedMigration(manager: manager, place: place).run(to: managedObjectModel)
        }
        let source = try sourceModel(of: store, at: url, metadata(of: store, at: url))
        if let mapping = customMapping(from: source, to: managedObjectModel) {
            return try mapping.migrate(store, at: url, from: source, to: runtime)
        }
        guard StoreOption.flag(store.options?[NSInferMappingModelAutomaticallyOption]) else {
            throw MigrationFailure.missingMapping(from: source, to: managedObjectModel, file: url)
        }
        let difference = try MigrationFailure.inferring(from: source, to: managedObjectModel, file: url)
        try store.migrate(from: source.index, difference, to: runtime)
    }

    /// The metadata of a closed store. Clients' classes are asked by URL, ours by options as well.
    private func metadata(of store: NSPersistentStore, at url: URL) throws -> [String: Any] {
        if store.rowStore == nil { return try type(of: store).metadataForPersistentStore(with: url) }
        try store.loadMetadata()
        return store.metadata ?? [:]
    }

    /// The version that a store was made with: among all that lie beside the coordinator's model or in bundles, or that a
    /// stage of the migration names, else the one that the store keeps.
    final func sourceModel(
        of store: NSPersistentStore, at url: URL, _ metadata: [String: Any]
    ) throws -> NSManagedObjectModel {
        if let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] {
            if let known = Self.version(with: hashes, beside: managedObjectModel) { return known }
            if let staged = try stagedVersion(VersionHash.checksum(of: hashes)) { return staged }
        }
        if let kept = try store.keptModel() { return kept }
        throw CoreDataError.make(
            NSMigrationMissingSourceModelError,
            description: "Persistent store migration failed, missing source managed object model.", file: url,
            reason: "Can't find model for source store", userInfo: ["metadata": metadata])
    }

    /// The version with these hashes, of all that lie beside a model and in bundles.
    class func version(
        with hashes: [String: Data], beside model: NSManagedObjectModel
    ) -> NSManagedObjectModel? {
        let known = BundleModels.versions(sharing: hashes, in: nil, after: model.versionedFile)
        return ModelSchema.merging(known, forVersions: hashes).map { NSManagedObjectModel(schema: $0) }
    }

    /// A mapping that the developer wrote for these two versions; `nil` where there is none.
    private func customMapping(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel
    ) -> NSMappingModel? {
        BundleMappings.mapping(in: nil, from: source, to: destination).map { NSMappingModel(schema: $0) }
    }
}

extension MigrationFailure {
    static func inferring(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel, file: URL?
    ) throws -> SchemaDifference {
        do {
            return try MappingInference.difference(from: source.index, to: destination.index)
        } catch {
            if error.concernsMapping {
                throw missingMapping(from: source, to: destination, file: file, refusal: error)
            }
            throw inPlace(refusal(error), file: file)
        }
    }

    static func missingMapping(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel, file: URL?,
        refusal: InferenceRefusal? = nil
    ) -> NSError {
        CoreDataError.make(
            NSMigrationMissingMappingModelError,
            description: "Persistent store migration failed, missing mapping model.", file: file,
            entity: refusal?.entity,
            property: refusal?.property,
            reason: "Can't find or automatically infer mapping model for migration"
                + (refusal.map { ": \($0)" } ?? ""),
            underlying: refusal.map { self.refusal($0) },
            userInfo: ["sourceModel": source, "destinationModel": destination])
    }

    /// The error of an inference that the rules forbid.
    static func refusal(_ refusal: InferenceRefusal) -> NSError {
        var userInfo: [String: Any] = [:]
        if case .mergedRoots(let sources, let destination) = refusal.rule {
            userInfo["sourceRootEntities"] = sources
            userInfo["destinationRootEntity"] = destination
        }
        return CoreDataError.make(
            refusal.concernsMapping ? NSInferredMappingModelError : NSMigrationError,
            description: "The mapping model can't be inferred: \(refusal).", file: nil,
            entity: refusal.entity,
            property: refusal.property, reason: refusal.reason, userInfo: userInfo)
    }
}
