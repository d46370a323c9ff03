// The models and mapping models of a target and all files that they are made of.

import Foundation

/// A model or mapping model in a target's folder.
struct ModelFolder {
    let url: URL
    /// Everything inside, so that any edit makes the build run the tool again.
    let files: [URL]

    var name: String { url.deletingPathExtension().lastPathComponent }

    /// All models below a folder, sorted by path. Versions inside a versioned model are none of their own.
    ///
    /// - Parameters:
    ///   - folder: The target's folder.
    ///   - files: The target's files, without what its manifest excludes: folders that are one resource are one file.
    static func models(in folder: URL, of files: [URL]) -> [ModelFolder] {
        found(["xcdatamodeld", "xcdatamodel"], in: folder, of: files)
    }

    /// All mapping models below a folder, sorted by path.
    static func mappings(in folder: URL, of files: [URL]) -> [ModelFolder] {
        found(["xcmappingmodel"], in: folder, of: files)
    }

    /// Whether a folder is among files, holds one of them, or lies in one that is a folder.
    private static func isPart(_ folder: URL, of files: [[String]]) -> Bool {
        let path = folder.standardizedFileURL.pathComponents
        return files.contains { $0.starts(with: path) || path.starts(with: $0) }
    }

    private static func found(
        _ extensions: Set<String>, in folder: URL, of files: [URL]
    ) -> [ModelFolder] {
        let paths = files.map(\.standardizedFileURL.pathComponents)
        guard let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else {
            return []
        }
        var found: [URL] = []
        for case let url as URL in walk
        where extensions.contains(url.pathExtension) {
            walk.skipDescendants()
            if isPart(url, of: paths) { found.append(url) }
        }
        return found.sorted { $0.path < $1.path }.map { ModelFolder(url: $0, files: Self.files(in: $0)) }
    }

    private static func files(in model: URL) -> [URL] {
        let walk = FileManager.default.enumerator(at: model, includingPropertiesForKeys: [.isRegularFileKey])
        let urls = (walk?.compactMap { $0 as? URL } ?? []).filter {
            (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
        }
        return urls.sorted { $0.path < $1.path }
    }
}
