// The models and mapping models of a target and all files that they are made of.

import Foundation

/// A model or mapping model in a target's folder.
struct ModelFolder {
    let url: URL
    /// Everything inside, so that any edit makes the build run the tool again.
    let files: [URL]

    var name: String { url.deletingPathExtension().lastPathComponent }

    /// All models below a folder, sorted by path. Versions inside a versioned model are none of their own.
    static func models(in folder: URL) -> [ModelFolder] {
        found(["xcdatamodeld", "xcdatamodel"], in: folder)
    }

    /// All mapping models below a folder, sorted by path.
    static func mappings(in folder: URL) -> [ModelFolder] { found(["xcmappingmodel"], in: folder) }

    private static func found(_ extensions: Set<String>, in folder: URL) -> [ModelFolder] {
        guard let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else {
            return []
        }
        var found: [URL] = []
        for case let url as URL in walk
        where extensions.contains(url.pathExtension) {
            walk.skipDescendants()
            found.append(url)
        }
        return found.sorted { $0.path < $1.path }.map { ModelFolder(url: $0, files: files(in: $0)) }
    }

    private static func files(in model: URL) -> [URL] {
        let walk = FileManager.default.enumerator(at: model, includingPropertiesForKeys: [.isRegularFileKey])
        let urls = (walk?.compactMap { $0 as? URL } ?? []).filter {
            (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
        }
        return urls.sorted { $0.path < $1.path }
    }
}
