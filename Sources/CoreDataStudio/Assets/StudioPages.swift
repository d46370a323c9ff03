// The files that a browser loads: compiled in, or from a folder while somebody works on them.

package import Foundation

package struct StudioPages: Sendable {
    private let folder: URL?

    /// - Parameter folder: where to read the files each time they are asked for, in place of the embedded ones.
    package init(folder: URL? = nil) {
        self.folder = folder
    }

    /// A page's text by its path below the folder `Pages`. Paths are looked up, not opened.
    package func text(_ path: String) -> String? {
        guard let folder else { return EmbeddedPages.texts[path] }
        let walk = FileManager.default.enumerator(atPath: folder.path)
        for case let known as String in walk?.allObjects ?? [] where known == path {
            return try? String(contentsOf: folder.appending(path: known), encoding: .utf8)
        }
        return nil
    }

    package func response(_ path: String) -> StudioResponse {
        guard let type = Self.types[(path as NSString).pathExtension], let text = text(path) else {
            return .failure(404, message: "There is no page at \(path).")
        }
        return StudioResponse(
            status: 200, headers: ["Content-Type": type, "Cache-Control": "no-cache"], body: Data(text.utf8))
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
        "js": "text/javascript; charset=utf-8",
    ]
}
