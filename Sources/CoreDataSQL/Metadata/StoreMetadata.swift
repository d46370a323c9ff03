// A store's data about itself: the row of Z_METADATA.

package import CoreDataSupport
package import Foundation

/// A store's metadata. Entries that are not ours to know keep their value and their place.
package struct StoreMetadata: Sendable, Hashable {
    /// The keys that the framework itself uses.
    package enum Key {
        package static let type = "NSStoreType"
        package static let uuid = "NSStoreUUID"
        package static let frameworkVersion = "NSPersistenceFrameworkVersion"
        package static let hashes = "NSStoreModelVersionHashes"
        package static let hashesVersion = "NSStoreModelVersionHashesVersion"
        package static let hashesDigest = "NSStoreModelVersionHashesDigest"
        package static let checksum = "NSStoreModelVersionChecksumKey"
        package static let identifiers = "NSStoreModelVersionIdentifiers"
        package static let autoVacuumLevel = "_NSAutoVacuumLevel"
    }

    /// The framework version whose layout we write.
    package static let frameworkVersion: Int64 = 1344

    /// Z_UUID, which is not part of the property list.
    package var uuid: String
    package var entries: [PropertyList.Entry]

    package init(uuid: String, entries: [PropertyList.Entry] = []) {
        self.uuid = uuid
        self.entries = entries
    }

    /// The metadata of a new SQLite store. The hashes, their digest and the model's checksum are the caller's.
    package init(
        uuid: String, hashes: [String: Data], digest: String, checksum: String, identifiers: [String]
    ) {
        self.init(uuid: uuid)
        self[Key.type] = .string("SQLite")
        self[Key.autoVacuumLevel] = .string("2")
        setModel(hashes: hashes, digest: digest, checksum: checksum, identifiers: identifiers)
    }

    package subscript(key: String) -> PropertyList? {
        get { entries.first { $0.key == key }?.value }
        set {
            let position = entries.firstIndex { $0.key == key }
            switch (position, newValue) {
            case (let position?, let value?): entries[position] = PropertyList.Entry(key, value: value)
            case (let position?, nil): entries.remove(at: position)
            case (nil, let value?): entries.append(PropertyList.Entry(key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Says that the store is of another model from now on.
    package mutating func setModel(
        hashes: [String: Data], digest: String, checksum: String, identifiers: [String]
    ) {
        let sorted = hashes.sorted { $0.key < $1.key }
        self[Key.hashes] = .dictionary(sorted.map { PropertyList.Entry($0.key, value: .data($0.value)) })
        self[Key.hashesVersion] = .integer(3)
        self[Key.hashesDigest] = .string(digest)
        self[Key.checksum] = .string(checksum)
        self[Key.identifiers] = .array(identifiers.map { .string($0) })
        self[Key.frameworkVersion] = .integer(Self.frameworkVersion)
    }

    /// Takes over what a client set. Entries that describe the file stay, as does the UUID.
    package mutating func setClientEntries(_ new: [PropertyList.Entry]) {
        let own = [
            Key.type, Key.frameworkVersion, Key.hashes, Key.hashesVersion, Key.hashesDigest, Key.checksum,
            Key.identifiers, Key.autoVacuumLevel,
        ]
        let kept = entries.filter { own.contains($0.key) }
        entries = kept + new.filter { $0.key != Key.uuid && !own.contains($0.key) }
        if let identifiers = new.first(where: { $0.key == Key.identifiers }) {
            self[Key.identifiers] = identifiers.value
        }
    }
}
