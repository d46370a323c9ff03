// Whether a store is of a model: entity by entity, by version hash.

import CoreDataSQL
import CoreDataSchema
import Foundation

/// Compares a model's version hashes with those in a store's metadata.
struct VersionCheck {
    /// The hashes of the entities that the store is to hold.
    let hashes: [String: EntityHash]

    init(_ index: ModelIndex, _ members: Set<String>?) {
        hashes = VersionHash.hashes(of: index).filter { members?.contains($0.key) ?? true }
    }

    /// The entities that differ, by name.
    ///
    /// A hash that our formula isn't certain of decides nothing: the entity must be in the store, and opening
    /// it finds every property's place or fails.
    func differences(from metadata: StoreMetadata) throws -> [String] {
        let stored = try metadata.versionHashes()
        return Set(stored.keys).union(hashes.keys).filter { name in
            guard let own = hashes[name], let other = stored[name] else { return true }
            return own.isCertain && own.data != other
        }.sorted()
    }

    /// The entities whose hashes differ without deciding anything, by name.
    func undecided(from metadata: StoreMetadata) throws -> [String] {
        let stored = try metadata.versionHashes()
        return hashes.filter { !$1.isCertain && stored[$0] != nil && stored[$0] != $1.data }.keys.sorted()
    }

    /// Throws `NSPersistentStoreIncompatibleVersionHashError` if the store is of another model.
    func check(_ metadata: StoreMetadata, file: URL?) throws {
        let differing = try differences(from: metadata)
        if !differing.isEmpty { throw Self.incompatible(differing, metadata, file: file) }
    }

    /// The error for a store of another version.
    static func incompatible(_ differing: [String], _ metadata: StoreMetadata, file: URL?) -> NSError {
        let list = differing.map { "\"\($0)\"" }.joined(separator: ", ")
        return CoreDataError.make(
            NSPersistentStoreIncompatibleVersionHashError,
            "The managed object model version used to open the persistent store is incompatible with the one that "
                + "was used to create the persistent store.",
            file: file,
            reason:
                "The store was made with another version of \(differing.count == 1 ? "entity" : "entities") \(list).",
            userInfo: ["entities": differing, "metadata": metadata.dictionary])
    }
}
