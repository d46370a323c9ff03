// The check that a store is of a model: entity by entity, by version hash.

package import CoreDataSQL
package import CoreDataSchema
package import Foundation

/// Compares a model's version hashes with those in a store's metadata.
package struct VersionCheck {
    /// The hashes of all entities of the model: those that the metadata of its stores have.
    package let hashes: [String: EntityHash]
    /// The entities that the store is opened for; `nil` for all. Other entities that it
    /// holds don't matter then.
    private let members: Set<String>?
    /// The hashes that our formula gives for the model that the store keeps.
    private var hashesOfKept: [String: Data] = [:]

    package init(_ index: ModelIndex, members: Set<String>?) {
        hashes = VersionHash.hashes(of: index)
        self.members = members?.intersection(hashes.keys)
    }

    /// - Parameter kept: returns the model that the store keeps; asked only if the hashes alone don't decide.
    package init(
        _ index: ModelIndex, members: Set<String>?, of metadata: StoreMetadata, kept: () -> ModelSchema?
    ) throws {
        self.init(index, members: members)
        if try !undecided(from: metadata).isEmpty, let model = kept() {
            hashesOfKept = VersionHash.hashes(of: ModelIndex(model)).mapValues(\.data)
        }
    }

    /// Returns whether the hash of a store, which differs from the model's, is of another version for sure: our formula is
    /// certain, or it gives the store's hash for the model that the store keeps, so that it is right here.
    private func decides(_ name: String, own: EntityHash, stored: Data) -> Bool {
        own.isCertain || hashesOfKept[name] == stored
    }

    /// The entities that differ, by name.
    ///
    /// A hash that our formula isn't certain of decides nothing, unless the store's own is by the same formula: the entity must be
    /// in the store, and opening it finds every property's place or fails.
    package func differences(from metadata: StoreMetadata) throws -> [String] {
        let stored = try metadata.versionHashes()
        return (members ?? Set(stored.keys).union(hashes.keys)).filter { name in
            guard let own = hashes[name], let other = stored[name] else { return true }
            return own.data != other && decides(name, own: own, stored: other)
        }.sorted()
    }

    /// The entities whose hashes differ without deciding anything, by name.
    package func undecided(from metadata: StoreMetadata) throws -> [String] {
        let stored = try metadata.versionHashes()
        return hashes.filter { name, own in
            guard members?.contains(name) ?? true, let other = stored[name], other != own.data else {
                return false
            }
            return !decides(name, own: own, stored: other)
        }.keys.sorted()
    }

    /// Returns whether the store holds its configuration's entities and no others, as stores of earlier
    /// releases do: every entity of the model is to have its place.
    package func isPart(_ metadata: StoreMetadata) throws -> Bool {
        guard let members, members.count < hashes.count else { return false }
        return try Set(metadata.versionHashes().keys) == members && differences(from: metadata).isEmpty
    }

    /// Throws `NSPersistentStoreIncompatibleVersionHashError` if the store is of another model.
    package func check(_ metadata: StoreMetadata, file: URL?) throws {
        let differing = try differences(from: metadata)
        if !differing.isEmpty { throw Self.incompatible(differing, metadata: metadata, file: file) }
    }

    /// The error for a store of another version.
    package static func incompatible(_ differing: [String], metadata: StoreMetadata, file: URL?) -> NSError {
        let list = differing.map { "\"\($0)\"" }.joined(separator: ", ")
        return CoreDataError.make(
            ErrorCode.incompatibleVersionHash,
            description:
                "The managed object model version used to open the persistent store is incompatible with the one that "
                + "was used to create the persistent store.",
            file: file,
            reason:
                "The store was made with another version of \(differing.count == 1 ? "entity" : "entities") \(list).",
            userInfo: ["entities": differing, "metadata": metadata.dictionary])
    }
}
