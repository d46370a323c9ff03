// Finds a model among the program's resources.

import CoreDataStores
package import Foundation

/// Looks for model files where the package manager and people put them.
package struct ModelSearch {
    /// The program's own folders. A model there is taken before any in `packages`.
    let main: [URL]
    /// Packages' resource bundles, of which none comes before another.
    let packages: [URL]

    package init(main: [URL], packages: [URL]) {
        self.main = main
        self.packages = packages
    }

    /// Compiled models first, as Apple's container looks for them; raw ones are what packages ship off
    /// Apple's systems.
    private static let extensions = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

    /// The model of that name. The error says where it was looked for, why the file found can't be read, or that
    /// several packages have different models of that name.
    package func model(named name: String) -> Result<NSManagedObjectModel, NSError> {
        if let url = main.lazy.compactMap({ Self.file(named: name, in: $0) }).first { return Self.read(url) }
        let urls = packages.compactMap { Self.file(named: name, in: $0) }
        guard let first = urls.first else {
            let searched = (main + packages).map(\.path).joined(separator: ", ")
            return .failure(
                CoreDataError.make(
                    NSFileReadNoSuchFileError, description: "There is no model named \"\(name)\".", file: nil,
                    reason: "No model of that name is in \(searched)."))
        }
        let found = Self.read(first)
        guard case .success(let model) = found,
            urls.dropFirst().contains(where: { !Self.isSame($0, as: model) })
        else { return found }
        let places = urls.map(\.path).joined(separator: ", ")
        return .failure(
            CoreDataError.make(
                NSFileReadUnknownError, description: "There are several models named \"\(name)\".", file: nil,
                reason:
                    "Different models of that name are in \(places). Give the container the one that is meant: "
                    + "NSManagedObjectModel(contentsOf:) reads it from the module's own bundle."))
    }

    private static func file(named name: String, in folder: URL) -> URL? {
        extensions.lazy.map { folder.appendingPathComponent("\(name).\($0)") }.first {
            FileManager.default.fileExists(atPath: $0.path)
        }
    }

    private static func read(_ url: URL) -> Result<NSManagedObjectModel, NSError> {
        Result { try NSManagedObjectModel.read(from: url) }.mapError { $0 as NSError }
    }

    /// Returns whether a file has the same entities, with the same classes.
    private static func isSame(_ url: URL, as model: NSManagedObjectModel) -> Bool {
        guard case .success(let other) = read(url) else { return false }
        return other.entityVersionHashesByName == model.entityVersionHashesByName
            && classNames(other) == classNames(model)
    }

    private static func classNames(_ model: NSManagedObjectModel) -> [String: String] {
        model.entitiesByName.mapValues {
            $0.managedObjectClassName.isEmpty ? "NSManagedObject" : $0.managedObjectClassName
        }
    }

    /// The main bundle, and the resource bundles beside the executable, which are packages'.
    init() {
        let main = Bundle.main
        let beside = [main.bundleURL, main.executableURL?.deletingLastPathComponent()].compactMap(\.self)
        var packages: [URL] = []
        for folder in beside {
            let contents = try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil)
            let bundles = (contents ?? []).filter { ["resources", "bundle"].contains($0.pathExtension) }
            packages += bundles.sorted { $0.path < $1.path }
        }
        self.init(
            main: Self.once([main.resourceURL, main.bundleURL].compactMap(\.self)),
            packages: Self.once(packages))
    }

    private static func once(_ folders: [URL]) -> [URL] {
        var seen: Set<String> = []
        return folders.filter { seen.insert($0.standardizedFileURL.path).inserted }
    }
}
