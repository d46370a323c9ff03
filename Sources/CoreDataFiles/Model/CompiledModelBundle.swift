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
        return try version(current(of: url, list), of: url, list: list)
    }

    /// - Parameter wanted: hashes of entities by their names; versions that share none with them, by what the bundle states, are
    ///   left out unread. Nil for all versions.
    package static func list(of url: URL, sharing wanted: [String: Data]? = nil) throws -> ModelVersionList {
        let list = try versionList(of: url)
        let current = try? current(of: url, list)
        let names = try names(in: url).filter { name in
            wanted.map { Self.mayShare($0, version: name, list: list) } ?? true
        }
        return try ModelVersionList(names, current: current) { try version($0, of: url, list: list) }
    }

    /// Writes versions and their hashes. Exactly one must be current.
    ///
    /// - Parameter namesCurrent: whether the bundle says which one. An only version is current without.
    package static func write(_ versions: [ModelVersion], to url: URL, namesCurrent: Bool = true) throws {
        guard let current = versions.first(where: \.isCurrent), versions.filter(\.isCurrent).count == 1 else {
            throw ModelFileError(file: url.path, reason: "exactly one version must be current")
        }
        var hashes: [PropertyList.Entry] = []
        var checksums: [PropertyList.Entry] = []
        var uncertain: [PropertyList.Entry] = []
        for version in versions {
            try ModelFile.requireFileName(version.name, in: url)
            let all = VersionHash.hashes(of: ModelIndex(version.schema)).sorted { $0.key < $1.key }
            hashes.append(
                .init(
                    version.name, value: .dictionary(all.map { .init($0.key, value: .data($0.value.data)) })))
            let sum = VersionHash.checksum(
                of: Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0.value.data) }))
            checksums.append(.init(version.name, value: .string(sum)))
            let open = all.filter { !$0.value.isCertain }.map { PropertyList.string($0.key) }
            if !open.isEmpty { uncertain.append(.init(version.name, value: .array(open))) }
        }
        var entries: [PropertyList.Entry] = [
            .init(hashesKey, value: .dictionary(hashes)), .init(checksumsKey, value: .dictionary(checksums)),
        ]
        if namesCurrent || versions.count > 1 {
            entries.insert(.init(currentKey, value: .string(current.name)), at: 0)
        }
        if !uncertain.isEmpty { entries.append(.init(uncertainKey, value: .dictionary(uncertain))) }
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
        let names = try names(in: url)
        guard let name = list[currentKey]?.string ?? (names.count == 1 ? names[0] : nil) else {
            throw ModelFileError(
                file: url.path, reason: "VersionInfo.plist does not say which version is current")
        }
        guard let known = ModelFile.stored(name, among: names) else {
            throw ModelFileError(file: url.path, reason: "the current version \"\(name)\" is missing")
        }
        return known
    }

    /// The names of the versions, each of which is there as a plain model, an optimised one, or both.
    private static func names(in url: URL) throws -> [String] {
        let names = try ModelFile.names(in: url, withExtension: "mom")
        return try Set(names + ModelFile.names(in: url, withExtension: "omo")).sorted()
    }

    private static func version(_ name: String, of url: URL, list: PropertyList) throws -> ModelSchema {
        var model = try model(name, of: url, list: list)
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

    /// Returns whether a version may have one of these entities in the same form, as far as the bundle states its hashes.
    private static func mayShare(_ wanted: [String: Data], version name: String, list: PropertyList) -> Bool {
        guard let recorded = list[hashesKey]?[name] else { return true }
        if list[uncertainKey]?[name] != nil { return true }
        return wanted.contains { entity, hash in
            guard case .data(let stated)? = recorded[entity] else { return false }
            return stated == hash || stated.count != 32
        }
    }

    /// The optimised model, as Apple's framework prefers it. The plain one beside it replaces it if it holds
    /// unknown forms or has other hashes than the bundle states, or if both are one version but don't say the
    /// same, since the plain form is known wholly.
    private static func model(_ name: String, of url: URL, list: PropertyList) throws -> ModelSchema {
        let plain = url.appendingPathComponent(name + ".mom")
        let optimized = url.appendingPathComponent(name + ".omo")
        func readPlain() throws -> ModelSchema {
            try CompiledModelReader.read(ModelFile.data(at: plain), from: plain.path)
        }
        guard FileManager.default.fileExists(atPath: optimized.path) else { return try readPlain() }
        do {
            let model = try OptimizedModelReader.read(ModelFile.data(at: optimized), from: optimized.path)
            try check(model, has: list[hashesKey]?[name], file: optimized)
            if let known = try? readPlain(), isOneVersion(known, and: model), ordered(known) != ordered(model)
            {
                Log.warning(
                    "\(optimized.path) doesn't say the same as the plain model beside it, which is used")
                return known
            }
            return model
        } catch let error as ModelFileError {
            guard FileManager.default.fileExists(atPath: plain.path) else { throw error }
            let model = try readPlain()
            Log.warning("the plain model beside an optimised one is used: \(error)")
            return model
        }
    }

    /// Returns whether all version hashes of two models are the same.
    private static func isOneVersion(_ one: ModelSchema, and other: ModelSchema) -> Bool {
        VersionHash.hashes(of: ModelIndex(one)) == VersionHash.hashes(of: ModelIndex(other))
    }

    /// A model in an order that doesn't depend on its form.
    private static func ordered(_ model: ModelSchema) -> ModelSchema {
        var model = model
        model.entities.sort { $0.name < $1.name }
        for index in model.entities.indices { model.entities[index].properties.sort { $0.name < $1.name } }
        return model
    }

    private static func check(_ model: ModelSchema, has stated: PropertyList?, file: URL) throws {
        guard let stated else { return }
        for (name, hash) in VersionHash.hashes(of: ModelIndex(model)) {
            guard case .data(let data)? = stated[name], data == hash.data else {
                throw ModelFileError(
                    file: file.path, entity: name,
                    reason: "the hash is another one than VersionInfo.plist states")
            }
        }
    }
}
