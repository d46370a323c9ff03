// Finds the real models and stores that tests read. They lie beside the checkout and may be absent.

package import Foundation

/// Files made by Apple's tools, in `shared/data` beside the checkout.
package enum SharedFiles {
    /// `shared/data`, found by walking up from this file; `nil` where it is absent.
    package static let root: URL? = {
        var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent("shared/data")
            if FileManager.default.fileExists(atPath: candidate.path) { return candidate }
            folder.deleteLastPathComponent()
        }
        return nil
    }()

    /// Condition for `.enabled(if:)`.
    package static var arePresent: Bool { root != nil }

    /// Reason to print when tests are skipped.
    package static let absence = "shared/data is not beside the checkout"

    /// All files and folders below a folder of `shared/data` whose name ends in `suffix`, sorted by path.
    package static func paths(under folder: String, suffix: String) -> [String] {
        guard let root,
            let names = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
        else { return [] }
        return names.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.sorted().map {
            "\(folder)/\($0)"
        }
    }

    /// The file at a path below `shared/data`.
    package static func url(_ path: String) throws -> URL {
        guard let root else { throw CocoaError(.fileNoSuchFile) }
        return root.appendingPathComponent(path)
    }
}
