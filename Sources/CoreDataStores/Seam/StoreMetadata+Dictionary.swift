// Metadata between a store's property list and the dictionary that clients see.

package import CoreDataSQL
package import CoreDataSchema
package import CoreDataSupport
import Foundation

extension StoreMetadata {
    /// As clients see it, with `NSStoreType` and `NSStoreUUID`.
    package var dictionary: [String: Any] {
        var result: [String: Any] = [:]
        for entry in entries { result[entry.key] = entry.value.any }
        result[Key.uuid] = uuid
        result[Key.type] = result[Key.type] ?? StoreTypeName.sqlite
        return result
    }
}

extension StoreMetadata {
    /// Names the model whose rows the store holds.
    package mutating func name(_ model: ModelRuntime) {
        let hashes = VersionHash.hashes(of: model.index).mapValues(\.data)
        setModel(
            hashes: hashes, digest: VersionHash.digest(of: hashes),
            checksum: VersionHash.checksum(of: hashes),
            identifiers: model.index.model.versionIdentifiers)
    }
}

extension PropertyList {
    /// A value that a client put into metadata. Throws `MetadataFailure` for one that no property list can
    /// hold.
    package init(any: Any) throws {
        switch Value(any) {
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .real(number)
        case .decimal(let number): self = .real(NSDecimalNumber(decimal: number).doubleValue)
        case .string(let text): self = .string(text)
        case .date(let date): self = .date(date)
        case .data(let bytes): self = .data(bytes)
        case .uuid(let uuid): self = .string(uuid.uuidString)
        case .url(let url): self = .string(url.absoluteString)
        case .array(let values): self = .array(try values.map { try PropertyList(any: $0.any ?? NSNull()) })
        case .dictionary(let pairs):
            self = .dictionary(
                try pairs.map { key, value in
                    guard case .string(let name) = key else {
                        throw MetadataFailure(reason: "the key \(key) isn't a string")
                    }
                    return Entry(name, value: try PropertyList(any: value.any ?? NSNull()))
                }.sorted { $0.key < $1.key })
        case .null, .set, .object: throw MetadataFailure(reason: "\(any) isn't a property list value")
        }
    }

    /// As Foundation would read it.
    package var any: Any {
        switch self {
        case .null: NSNull()
        case .bool(let flag): NSNumber(value: flag)
        case .integer(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .date(let date): date
        case .data(let bytes): bytes
        case .string(let text): text
        case .uid(let number): NSNumber(value: number)
        case .array(let values), .set(let values): plainArray(values)
        case .dictionary(let entries): plainDictionary(entries)
        }
    }

    /// Arrays of strings as `[String]`, so that a cast to it succeeds.
    private func plainArray(_ values: [PropertyList]) -> Any {
        let texts = values.compactMap(\.string)
        return texts.count == values.count ? texts : values.map(\.any)
    }

    /// Dictionaries of bytes as `[String: Data]`: the version hashes.
    private func plainDictionary(_ entries: [Entry]) -> Any {
        let bytes = entries.compactMap { entry -> (String, Data)? in
            if case .data(let data) = entry.value { return (entry.key, data) }
            return nil
        }
        if bytes.count == entries.count { return Dictionary(bytes, uniquingKeysWith: { first, _ in first }) }
        return Dictionary(entries.map { ($0.key, $0.value.any) }, uniquingKeysWith: { first, _ in first })
    }
}

extension PropertyList {
    /// The entries of metadata that a client gave. Throws `MetadataFailure` for what no property list can hold.
    package static func entries(of metadata: [String: Any]) throws -> [Entry] {
        try metadata.sorted { $0.key < $1.key }.map { Entry($0.key, value: try PropertyList(any: $0.value)) }
    }
}
