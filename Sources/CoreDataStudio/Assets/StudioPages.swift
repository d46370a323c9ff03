// The files that a browser loads: compiled in, or from a folder while somebody works on them.

package import Foundation

package struct StudioPages: Sendable {
    private let folder: URL?

    /// - Parameter folder: where to read the files each time they are asked for, in place of the embedded ones.
    package init(folder: URL? = nil) {
        self.folder = folder
    }

    /// A page's text by its file name. Names are looked up, not put into paths.
    package func text(_ name: String) -> String? {
        guard let folder else { return EmbeddedPages.texts[name] }
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        for case let file as URL in walk?.allObjects ?? [] where file.lastPathComponent == name {
            return try? String(contentsOf: file, encoding: .utf8)
        }
        return nil
    }

    package func response(_ name: String) -> StudioResponse {
        guard let text = text(name), let type = Self.types[(name as NSString).pathExtension] else {
            return .failure(404, "There is no page named \(name).")
        }
        return StudioResponse(
            status: 200, headers: ["Content-Type": type, "Cache-Control": "no-cache"], body: Data(text.utf8))
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
        "js": "text/javascript; charset=utf-8",
    ]
}
