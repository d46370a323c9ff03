// Bundles of compiled models (.momd): versions, which one is current, and the hashes of all their entities.

package import CoreDataSchema
import CoreDataSupport
package import Foundation

/// Reads and writes `.momd` folders. Throws `ModelFileError`.
package enum CompiledModelBundle {
    private static let currentKey = "NSManagedObjectModel_CurrentVersionName"
    private static let hashesKey = "NSManagedObjectModel_VersionHashes"
    private static let checksumsKey = "NSManagedObjectModel_VersionChecksums"
    /// Ours: the entities whose hash above is computed by a formula that is not settled for them.
    private static let uncertainKey = "OpenCoreData_UncertainVersionHashes"

    package static func read(_ url: URL) throws -> ModelSchema {
        let list = try versionList(of: url)
        return try version(current(of: url, list), of: url, list)
    }

    package static func list(of url: URL) throws -> ModelVersionList {
        let list = try versionList(of: url)
        let current = try? current(of: url, list)
        return try ModelVersionList(ModelFile.names(in: url, withExtension: "mom"), current: current) {
            try version($0, of: url, list)
        }
    }

    /// Writes versions and their hashes. Exactly one must be current.
    package static func write(_ versions: [ModelVersion], to url: URL) throws {
        guard let current = versions.first(where: \.isCurrent), versions.filter(\.isCurrent).count == 1 else {
            throw ModelFileError(file: url.path, reason: "exactly one version must be current")
        }
        var hashes: [PropertyList.Entry] = []
        var checksums: [PropertyList.Entry] = []
        var uncertain: [PropertyList.Entry] = []
        for version in versions {
            try ModelFile.requireFileName(version.name, in: url)
            let all = VersionHash.hashes(of: ModelIndex(version.schema)).sorted { $0.key < $1.key }
            hashes.append(.init(version.name, .dictionary(all.map { .init($0.key, .data($0.value.data)) })))
            let sum = VersionHash.checksum(
                of: Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0.value.data) }))
            checksums.append(.init(version.name, .string(sum)))
            let open = all.filter { !$0.value.isCertain }.map { PropertyList.string($0.key) }
            if !open.isEmpty { uncertain.append(.init(version.name, .array(open))) }
        }
        var entries: [PropertyList.Entry] = [
            .init(currentKey, .string(current.name)), .init(hashesKey, .dictionary(hashes)),
            .init(checksumsKey, .dictionary(checksums)),
        ]
        if !uncertain.isEmpty { entries.append(.init(uncertainKey, .dictionary(uncertain))) }
        try ModelFileError.locating(url.path) {
            let files = try versions.map { ($0.name, try CompiledModelWriter.data(for: $0.schema)) }
            try ModelFile.createFolder(url)
            for (name, data) in files {
                try data.write(to: url.appendingPathComponent(name + ".mom"), options: .atomic)
            }
            let list = BinaryPropertyListWriter.data(for: .dictionary(entries))
            try list.write(to: url.appendingPathComponent("VersionInfo.plist"), options: .atomic)
        }
    }

    // MARK: Parts

    private static func versionList(of url: URL) throws -> PropertyList {
        let file = url.appendingPathComponent("VersionInfo.plist")
        guard FileManager.default.fileExists(atPath: file.path) else { return .dictionary([]) }
        return try ModelFileError.locating(file.path) { try PropertyList.read(ModelFile.data(at: file)) }
    }

    private static func current(of url: URL, _ list: PropertyList) throws -> String {
        let names = try ModelFile.names(in: url, withExtension: "mom")
        guard let name = list[currentKey]?.string ?? (names.count == 1 ? names[0] : nil) else {
            throw ModelFileError(
                file: url.path, reason: "VersionInfo.plist does not say which version is current")
        }
        guard names.contains(name) else {
            throw ModelFileError(file: url.path, reason: "the current version \"\(name)\" is missing")
        }
        return name
    }

    private static func version(_ name: String, of url: URL, _ list: PropertyList) throws -> ModelSchema {
        let file = url.appendingPathComponent(name + ".mom")
        var model = try CompiledModelReader.read(ModelFile.data(at: file), from: file.path)
        guard let recorded = list[hashesKey]?[name] else { return model }
        let uncertain = list[uncertainKey]?[name]?.elements?.compactMap(\.string) ?? []
        var hashes: [String: Data] = [:]
        for entity in model.entities {
            if case .data(let hash)? = recorded[entity.name], hash.count == 32,
                !uncertain.contains(entity.name)
            {
                hashes[entity.name] = hash
            }
        }
        model.record(hashes)
        return model
    }
}
