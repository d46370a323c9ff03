// Parts of the real files for tests: compiled models, and the models and metadata inside stores.

import CoreDataTestSupport
import CSQLite
import CoreDataFiles
import CoreDataSchema
import CoreDataSupport
import Foundation
import Testing

/// A compiled model with what its makers say about it.
struct CompiledSample: Sendable, CustomTestStringConvertible {
    let path: String
    let data: Data
    /// Hashes of the entities, the digest and the checksum as Apple's framework computed them.
    var hashes: [String: Data] = [:]
    var digest: String?
    var checksum: String?

    var testDescription: String { path }

    func model() throws -> ModelSchema { try CompiledModelReader.read(data, from: path) }

    static let inBundles: [CompiledSample] = SharedFiles.paths(under: "compiled", suffix: ".mom").compactMap {
        path in
        guard let url = try? SharedFiles.url(path), let data = try? Data(contentsOf: url) else { return nil }
        var sample = CompiledSample(path: path, data: data)
        let bundle = url.deletingLastPathComponent()
        guard let plist = try? Data(contentsOf: bundle.appendingPathComponent("VersionInfo.plist")),
            let list = try? PropertyListSerialization.propertyList(from: plist, format: nil) as? [String: Any]
        else { return sample }
        let version = url.deletingPathExtension().lastPathComponent
        let hashes = list["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]]
        sample.hashes = hashes?[version] ?? [:]
        sample.checksum = (list["NSManagedObjectModel_VersionChecksums"] as? [String: String])?[version]
        return sample
    }

    static let inStores: [CompiledSample] = SharedFiles.paths(under: "stores", suffix: ".sqlite").compactMap {
        try? sample(inStore: $0)
    }

    static let all = inBundles + inStores

    private static func sample(inStore path: String) throws -> CompiledSample? {
        let folder = try TemporaryFolder()
        let copy = try folder.copy(ofStore: SharedFiles.url(path))
        guard let content = blob("SELECT Z_CONTENT FROM Z_MODELCACHE", in: copy) else { return nil }
        var sample = CompiledSample(path: path, data: try Deflate.inflate(content, limit: 1 << 24))
        let metadata = try metadata(at: copy)
        sample.hashes = metadata["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
        sample.digest = metadata["NSStoreModelVersionHashesDigest"] as? String
        sample.checksum = metadata["NSStoreModelVersionChecksumKey"] as? String
        return sample
    }

    /// The hashes in a store's metadata.
    static func hashes(inStore path: String) throws -> [String: Data] {
        let folder = try TemporaryFolder()
        let metadata = try metadata(at: folder.copy(ofStore: SharedFiles.url(path)))
        return metadata["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
    }

    private static func metadata(at file: URL) throws -> [String: Any] {
        guard let plist = blob("SELECT Z_PLIST FROM Z_METADATA", in: file) else { return [:] }
        return try PropertyListSerialization.propertyList(from: plist, format: nil) as? [String: Any] ?? [:]
    }

    /// The first column of the first row.
    private static func blob(_ sql: String, in file: URL) -> Data? {
        var database: OpaquePointer?
        var statement: OpaquePointer?
        defer {
            sqlite3_finalize(statement)
            sqlite3_close(database)
        }
        guard sqlite3_open_v2(file.path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
            sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW, let bytes = sqlite3_column_blob(statement, 0)
        else { return nil }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, 0)))
    }
}
