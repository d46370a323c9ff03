// Version hashes of entities and properties, and the two sums over a whole model.

import CoreDataSupport
package import Foundation

/// The hash by which a store recognises an entity, and how sure we are of it.
package struct EntityHash: Sendable, Hashable {
    /// 32 bytes.
    package let data: Data
    /// Indicates that Apple's framework computes this hash, or that the model file states it.
    package let isCertain: Bool
    /// The reason why the hash is uncertain.
    package let reason: String?
}

/// The formulas.
package enum VersionHash {
    /// The hash of every entity. A hash that came with the model wins where the formula is not settled.
    package static func hashes(of index: ModelIndex) -> [String: EntityHash] {
        var hashes: [String: EntityHash] = [:]
        for schema in index.model.entities {
            guard let entity = index.entity(schema.name) else { continue }
            // Ancestors first: an entity's hash contains its parent's.
            for name in entity.ancestry.reversed() where hashes[name] == nil {
                guard let ancestor = index.entity(name) else { continue }
                let parent = ancestor.ancestry.dropFirst().first
                hashes[name] = hash(of: ancestor, parent: parent.flatMap { hashes[$0] })
            }
        }
        return hashes
    }

    /// The hash of one attribute or relationship; `nil` for a fetched property, which has none.
    package static func hash(of property: PropertySchema) -> Data? {
        var bytes = Array(SHA256.hash(base(of: property)))
        switch property.kind {
        case .attribute(let traits):
            append(UInt32(truncatingIfNeeded: traits.type.rawValue), to: &bytes)
            if traits.allowsExternalBinaryDataStorage || traits.preservesValueInHistoryOnDeletion {
                bytes.append(1)
            }
            // Apple's way with elements isn't known; without them a store that lacks one would count as of this version.
            for element in traits.elements { bytes += hash(of: element) ?? Data() }
        case .relationship(let traits):
            bytes += traits.destinationEntityName.utf8
            bytes += (traits.inverseName ?? "").utf8
            append(UInt32(truncatingIfNeeded: traits.maxCount), to: &bytes)
            append(UInt32(truncatingIfNeeded: traits.minCount), to: &bytes)
            if traits.isOrdered { bytes += [1, 0] }
        case .fetched: return nil
        }
        return SHA256.hash(bytes)
    }

    /// `NSStoreModelVersionHashesDigest`: base64 of the SHA-512 over names and hashes.
    package static func digest(of hashes: [String: Data]) -> String {
        SHA512.hash(sorted(hashes).flatMap { Array($0.key.utf8) + $0.value }).base64EncodedString()
    }

    /// `NSStoreModelVersionChecksumKey` and a bundle's `VersionChecksums`: base64 of the SHA-256 over the hashes.
    package static func checksum(of hashes: [String: Data]) -> String {
        SHA256.hash(sorted(hashes).flatMap { Array($0.value) }).base64EncodedString()
    }

    private static func sorted(_ hashes: [String: Data]) -> [(key: String, value: Data)] {
        hashes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    // MARK: Parts

    private static func base(of property: PropertySchema) -> [UInt8] {
        var bytes = Array(property.name.utf8)
        bytes += [(property.isOptional ? 1 : 0) | (property.isTransient ? 2 : 0), 0]
        return bytes + (property.versionHashModifier ?? "").utf8
    }

    private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func hash(of entity: ModelIndex.Entity, parent: EntityHash?) -> EntityHash {
        let reason = uncertainty(of: entity) ?? (parent?.isCertain == false ? parent?.reason : nil)
        if let reason {
            if let recorded = entity.schema.recordedVersionHash {
                return EntityHash(data: recorded, isCertain: true, reason: nil)
            }
            return EntityHash(data: computed(entity, parent: parent), isCertain: false, reason: reason)
        }
        return EntityHash(data: computed(entity, parent: parent), isCertain: true, reason: nil)
    }

    private static func computed(_ entity: ModelIndex.Entity, parent: EntityHash?) -> Data {
        var bytes = Array(entity.name.utf8)
        bytes.append(entity.schema.isAbstract ? 1 : 0)
        if let parent { bytes += parent.data }
        let stored = entity.properties.filter { !$0.isTransient }
        for property in stored.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
            if let hash = hash(of: property) { bytes += hash }
        }
        bytes += (entity.schema.versionHashModifier ?? "").utf8
        let constraints = entity.schema.uniquenessConstraints.map { $0.joined(separator: ".") }
        for constraint in constraints.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            bytes += constraint.utf8
        }
        return SHA256.hash(bytes)
    }
}
