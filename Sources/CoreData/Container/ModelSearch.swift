// Finds a model among the program's resources.

import Foundation

/// Looks for model files where the package manager and people put them.
enum ModelSearch {
    /// Compiled models first, as Apple's container looks for them; raw ones are what packages ship off
    /// Apple's systems.
    private static let extensions = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

    /// The model of that name. The error says where it was looked for, or why the file found can't be read.
    static func model(named name: String) -> Result<NSManagedObjectModel, NSError> {
        let folders = folders
        for folder in folders {
            for ending in extensions {
                let url = folder.appendingPathComponent("\(name).\(ending)")
                guard FileManager.default.fileExists(atPath: url.path) else { continue }
                do {
                    return .success(try NSManagedObjectModel.read(from: url))
                } catch {
                    return .failure(error as NSError)
                }
            }
        }
        let searched = folders.map(\.path).joined(separator: ", ")
        return .failure(
            CoreDataError.make(
                NSFileReadNoSuchFileError, "There is no model named \"\(name)\".",
                userInfo: [CoreDataError.Key.reason: "No model of that name is in \(searched)."]))
    }

    /// The main bundle and the resource bundles beside the executable.
    private static var folders: [URL] {
        let main = Bundle.main
        var folders = [main.resourceURL, main.bundleURL].compactMap(\.self)
        let beside = [main.bundleURL, main.executableURL?.deletingLastPathComponent()].compactMap(\.self)
        for folder in beside {
            let contents = try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil)
            let bundles = (contents ?? []).filter { ["resources", "bundle"].contains($0.pathExtension) }
            folders += bundles.sorted { $0.path < $1.path }
        }
        var seen: Set<String> = []
        return folders.filter { seen.insert($0.standardizedFileURL.path).inserted }
    }
}
