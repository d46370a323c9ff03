// Finds the mapping model between two models in bundles.

import CoreDataFiles
import CoreDataSchema
import CoreDataSupport
import Foundation
import Synchronization

/// Mapping models in bundles' resources, compiled or not.
enum BundleMappings {
    /// The mapping model that leads from one model to another. Of several, one that has a mapping for every entity
    /// that changed comes first.
    static func mapping(
        in bundles: [Bundle]?, from source: NSManagedObjectModel, to destination: NSManagedObjectModel
    ) -> MappingSchema? {
        let match = MappingMatch(source.versionHashes, destination: destination.versionHashes)
        var partial: MappingSchema?
        // One that can't be read may be for other models.
        let mappings = urls(in: bundles).lazy.flatMap { url in
            BundleModels.readable("a mapping model") { [try read(url)] }
        }
        for mapping in mappings where match.fits(mapping) {
            if match.covers(mapping) { return mapping }
            partial = partial ?? mapping
        }
        return partial
    }

    /// Compiled sources, for as long as their files stay as they are: compiling takes longer than a migration may.
    private static let compiled = Mutex<[String: (stamp: FileStamp, mapping: MappingSchema)]>([:])
    private static let compiledLimit = 64

    private static func read(_ url: URL) throws -> MappingSchema {
        guard url.pathExtension == "xcmappingmodel", let stamp = FileStamp(MappingFile.contents(of: url))
        else {
            return try MappingFile.read(url)
        }
        if let known = compiled.withLock({ $0[url.path] }), known.stamp == stamp { return known.mapping }
        let mapping = try MappingFile.read(url)
        compiled.withLock {
            if $0.count >= compiledLimit { $0.removeAll() }
            $0[url.path] = (stamp, mapping)
        }
        return mapping
    }

    private static func urls(in bundles: [Bundle]?) -> [URL] {
        (bundles ?? BundleModels.searched).flatMap { bundle in
            // A source beside its compiled form takes long to read and says the same.
            var names: Set<String> = []
            return MappingFile.extensions.flatMap { kind -> [URL] in
                let found = (bundle.urls(forResourcesWithExtension: kind, subdirectory: nil) ?? []).map {
                    $0 as URL
                }
                .filter { !names.contains($0.deletingPathExtension().lastPathComponent) }
                names.formUnion(found.map { $0.deletingPathExtension().lastPathComponent })
                return found.sorted { $0.path < $1.path }
            }
        }
    }
}

/// Compares mappings with two models by version hash.
struct MappingMatch {
    private let source: [String: EntityHash]
    private let destination: [String: EntityHash]

    init(_ source: [String: EntityHash], destination: [String: EntityHash]) {
        self.source = source
        self.destination = destination
    }

    /// Returns whether the models have all entities that a mapping model maps, in these versions.
    func fits(_ mapping: MappingSchema) -> Bool {
        !mapping.entityMappings.isEmpty
            && mapping.entityMappings.allSatisfy {
                Self.agree($0.sourceEntityName, hash: $0.sourceVersionHash, hashes: source)
                    && Self.agree(
                        $0.destinationEntityName, hash: $0.destinationVersionHash, hashes: destination)
            }
    }

    /// Returns whether there is a mapping to every entity that is new or changed.
    func covers(_ mapping: MappingSchema) -> Bool {
        let mapped = Set(mapping.entityMappings.compactMap(\.destinationEntityName))
        return destination.allSatisfy { name, hash in
            mapped.contains(name) || source[name]?.data == hash.data
        }
    }

    /// A hash that the known formula can't settle decides nothing.
    private static func agree(_ name: String?, hash: Data?, hashes: [String: EntityHash]) -> Bool {
        guard let name else { return true }
        guard let own = hashes[name] else { return false }
        return !own.isCertain || hash == own.data
    }
}
