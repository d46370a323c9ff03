// The version hashes of a model, by which stores recognise their model; beside a store's own.

package import CoreData
import CoreDataSchema

/// Hashes in base64, as metadata and Xcode's bundles have them.
package struct ModelHashes: Sendable, Hashable, Encodable {
    package struct Property: Sendable, Hashable, Encodable {
        package let name: String
        package let hash: String
    }

    package struct Entity: Sendable, Hashable, Encodable {
        package let name: String
        package let hash: String
        /// The reason why Apple's framework may compute another one; nil if the formula is known.
        package let doubt: String?
        /// The store's hash; nil without a store, or if it doesn't know the entity.
        package let stored: String?
        package let properties: [Property]
    }

    /// The sum over all entities, as in a bundle's `VersionChecksums`.
    package let checksum: String
    package let entities: [Entity]
    /// The store's file name.
    package let store: String?
    /// Entities that only the store has.
    package let missing: [String]

    /// Throws `ModelFileError` for a model that can't be used.
    package init(_ root: ModelNode, store: URL? = nil) throws {
        let index = ModelIndex(try root.schema())
        let hashes = VersionHash.hashes(of: index)
        let metadata = try store.map {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: $0, options: nil)
        }
        let stored = metadata.map { $0[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:] }
        checksum = VersionHash.checksum(of: hashes.mapValues(\.data))
        self.store = store?.lastPathComponent
        missing = (stored ?? [:]).keys.filter { hashes[$0] == nil }.sorted()
        entities = index.entityNames.compactMap { name in
            guard let hash = hashes[name], let entity = index.entity(name) else { return nil }
            let properties = entity.schema.properties.compactMap { property in
                VersionHash.hash(of: property).map {
                    Property(name: property.name, hash: $0.base64EncodedString())
                }
            }
            return Entity(
                name: name, hash: hash.data.base64EncodedString(), doubt: hash.isCertain ? nil : hash.reason,
                stored: stored?[name]?.base64EncodedString(), properties: properties)
        }
    }
}
