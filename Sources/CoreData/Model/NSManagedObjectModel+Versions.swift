// Version hashes: how a store recognises the model that it was made with.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation
import Synchronization

extension NSManagedObjectModel {
    /// The version hash of every entity.
    public var entityVersionHashesByName: [String: Data] { versionHashes.mapValues(\.data) }

    /// A checksum over the version hashes, which names the version of the model.
    public var versionChecksum: String { VersionHash.checksum(of: entityVersionHashesByName) }

    /// Returns whether a store with this metadata can be opened with a configuration.
    ///
    /// The store must hold the same versions of the configuration's entities, or, for `nil`, of exactly the
    /// model's. False for metadata without version hashes, and for a configuration that the model doesn't
    /// have.
    ///
    /// - Parameters:
    ///   - configuration: the configuration's name, or nil.
    ///   - metadata: a store's metadata.
    public func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool {
        guard let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data],
            let entities = entities(forConfigurationName: configuration)
        else { return false }
        let hashes = entityVersionHashesByName
        if configuration == nil || configuration == Self.defaultConfigurationName { return stored == hashes }
        return entities.compactMap(\.name).allSatisfy { stored[$0] != nil && stored[$0] == hashes[$0] }
    }

    /// The hashes with what is known about their certainty: computed once for a model in use, and before that once after
    /// each change of any model.
    final var versionHashes: [String: EntityHash] {
        if let frozen { return frozen.hashes }
        let changes = ModelChanges.count
        if let latest = latestHashes.withLock({ $0 }), latest.changes == changes { return latest.hashes }
        let hashes = VersionHash.hashes(of: index)
        latestHashes.withLock { $0 = (changes, hashes) }
        return hashes
    }
}

extension NSEntityDescription {
    /// The hash by which a store recognises the entity: 32 bytes over everything that shapes its data.
    public var versionHash: Data {
        let name = name ?? ""
        if let owningModel, let hash = owningModel.versionHashes[name] { return hash.data }
        let alone = ModelSchema(entities: ancestry.map { EntitySchema($0) })
        return VersionHash.hashes(of: ModelIndex(alone))[name]?.data ?? Data()
    }
}

extension NSPropertyDescription {
    /// The property's part in its entity's version hash; empty for fetched properties and expressions, which
    /// have no part in it.
    public var versionHash: Data {
        isKindOfEntityProperty ? VersionHash.hash(of: PropertySchema(self)) ?? Data() : Data()
    }
}
