// Version hashes: how a store recognises the model that it was made with.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation
import Synchronization

extension NSManagedObjectModel {

    final func configuration(
        _ configuration: String?, fits metadata: [String: Any]
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
    final var computedVersionHash: Data {
        let name = name ?? ""
        if let owningModel, let hash = owningModel.versionHashes[name] { return hash.data }
        let alone = ModelSchema(entities: ancestry.map { EntitySchema($0) })
        return VersionHash.hashes(of: ModelIndex(alone))[name]?.data ?? Data()
    }
}
