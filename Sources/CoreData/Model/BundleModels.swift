// Finds the model files in bundles.

import CoreDataFiles
import CoreDataSchema
import CoreDataSupport
import Foundation

/// Model files in bundles' resources, compiled or not: here a package's resources may hold the source model.
enum BundleModels {
    private static let kinds = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

    /// The models in the bundles, of versioned ones the current version; of a file that can't be read, nothing but a warning.
    /// The main bundle's for `nil`.
    static func models(in bundles: [Bundle]?) -> [ModelSchema] {
        urls(in: bundles).flatMap { url in sound(readable { [try ModelFile.read(url)] }, file: url) }
    }

    /// The versions of the models in a file and the bundles that may have one of these versions of entities, in that order, each
    /// read when it is its turn.
    static func versions(
        sharing hashes: [String: Data], in bundles: [Bundle]?, after file: URL? = nil
    ) -> some Sequence<ModelSchema> {
        let others = urls(in: bundles).filter { $0.standardizedFileURL != file?.standardizedFileURL }
        return ((file.map { [$0] } ?? []) + others).lazy.flatMap { url in
            sound(readable { try ModelFile.versions(of: url, sharing: hashes).map(\.schema) }, file: url)
        }
    }

    /// Nothing but a warning where a file or folder can't be read.
    static func readable<Found>(_ kind: String = "a model", _ read: () throws -> [Found]) -> [Found] {
        do {
            return try read()
        } catch {
            Log.warning("\(kind) is left out: \(error)")
            return []
        }
    }

    /// The models that hold together: others stop the process when they are used. A warning names each of those.
    private static func sound(_ models: [ModelSchema], file: URL) -> [ModelSchema] {
        models.filter { model in
            guard let flaw = ModelSoundness.flaw(in: model) else { return true }
            let error = ModelFileError(
                file: file.path, entity: flaw.entity, property: flaw.property, reason: flaw.reason)
            Log.warning("a model is left out: \(error)")
            return false
        }
    }

    /// The model files in the bundles, compiled ones first. Of a model that a bundle has compiled and as source, the
    /// compiled one.
    static func urls(in bundles: [Bundle]?) -> [URL] {
        var found: [URL] = []
        for bundle in bundles ?? searched {
            var names: Set<String> = []
            for kind in kinds {
                for url in bundle.urls(forResourcesWithExtension: kind, subdirectory: nil) ?? [] {
                    let url = url as URL
                    if names.insert(url.deletingPathExtension().lastPathComponent).inserted {
                        found.append(url)
                    }
                }
            }
        }
        return found.map { ($0, order($0)) }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// The compiled form of an entity knows its class's module, so it comes first where models are merged.
    private static func order(_ url: URL) -> (Int, String, String) {
        let isSource = url.pathExtension.hasPrefix("xc")
        return (isSource ? 1 : 0, url.deletingPathExtension().lastPathComponent, url.path)
    }

    /// All versions of the model of a name, and the versions of that name of other models.
    static func versions(named name: String, in bundles: [Bundle]?) -> [ModelSchema] {
        urls(in: bundles).flatMap { url -> [ModelSchema] in
            let versions = readable { try ModelFile.versions(of: url) }
            if url.deletingPathExtension().lastPathComponent == name { return versions.map(\.schema) }
            return versions.filter { $0.name == name }.map(\.schema)
        }
    }

    /// The main bundle, and the bundles of packages' resources, which lie beside the executable.
    static var searched: [Bundle] {
        let folder = Bundle.main.bundleURL
        let names = readable("the resources of packages beside the executable") {
            try FileManager.default.contentsOfDirectory(atPath: folder.path)
        }
        let packages = names.filter { $0.hasSuffix(".resources") }.sorted()
        return [Bundle.main] + packages.compactMap { Bundle(url: folder.appendingPathComponent($0)) }
    }
}
