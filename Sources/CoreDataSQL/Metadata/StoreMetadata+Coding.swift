// Reads and writes the row of Z_METADATA.

import CoreDataSupport
package import Foundation

/// The reason why a store's metadata can't be read.
package struct MetadataFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package var reason: String

    package init(reason: String) {
        self.reason = reason
    }

    package var description: String { "Z_METADATA: \(reason)" }
}

extension StoreMetadata {
    /// Z_UUID and Z_PLIST.
    package static let query = SQLStatement("SELECT Z_UUID, Z_PLIST FROM Z_METADATA WHERE Z_VERSION = 1")

    /// Reads the two columns of the row; some stores have no property list. Throws `MetadataFailure`.
    package init(uuid: String?, propertyList: Data?) throws {
        guard let uuid, !uuid.isEmpty else { throw MetadataFailure(reason: "the store has no UUID") }
        guard let propertyList, !propertyList.isEmpty else {
            self.init(uuid: uuid)
            return
        }
        let list: PropertyList
        do {
            list = try BinaryPropertyListReader.read(propertyList)
        } catch {
            throw MetadataFailure(reason: "Z_PLIST: \(error)")
        }
        guard case .dictionary(let entries) = list else {
            throw MetadataFailure(reason: "Z_PLIST isn't a dictionary")
        }
        self.init(uuid: uuid, entries: entries)
        _ = try versionHashes()
    }

    /// Z_PLIST's content.
    package func propertyList() -> Data {
        BinaryPropertyListWriter.data(for: .dictionary(entries))
    }

    /// Writes the property list of an existing store.
    package func update() -> SQLStatement {
        SQLStatement(
            "UPDATE Z_METADATA SET Z_UUID = ?, Z_PLIST = ? WHERE Z_VERSION = 1",
            bindings: [.text(uuid), .blob(propertyList())])
    }

    /// The hash of each entity of the model that the store was made or migrated with.
    package func versionHashes() throws -> [String: Data] {
        guard let list = self[Key.hashes] else { return [:] }
        guard case .dictionary(let entries) = list else {
            throw MetadataFailure(reason: "\(Key.hashes) isn't a dictionary")
        }
        var hashes: [String: Data] = [:]
        for entry in entries {
            guard case .data(let hash) = entry.value, hash.count == 32 else {
                throw MetadataFailure(reason: "the version hash of entity \"\(entry.key)\" isn't 32 bytes")
            }
            hashes[entry.key] = hash
        }
        return hashes
    }

    /// The model's version identifiers.
    package var versionIdentifiers: [String] {
        (self[Key.identifiers]?.elements ?? []).compactMap(\.string)
    }

    /// The version of the framework that wrote the store, 0 if the store doesn't say.
    package var frameworkVersion: Int64 {
        if case .integer(let version)? = self[Key.frameworkVersion] { return version }
        return 0
    }
}
