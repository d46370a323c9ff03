// The target that sources belong to: what its files see of each other, and whether it has a bundle.

import Foundation

/// A folder of sources that are compiled together.
struct PortTarget: Hashable {
    let folder: URL

    /// The target of a file: a folder below `Sources` or `Tests` of a package, else the folder that was asked for.
    init(of file: URL, in root: URL) {
        var folder = file.deletingLastPathComponent()
        while folder.pathComponents.count > 2 {
            let above = folder.deletingLastPathComponent()
            if ["Sources", "Tests"].contains(above.lastPathComponent) {
                self.folder = folder
                return
            }
            folder = above
        }
        self.folder = root.pathExtension == "swift" ? root.deletingLastPathComponent() : root
    }

    /// Whether the package's manifest gives the target resources, so that `Bundle.module` is there. The manifest is read as
    /// text: for a target that isn't written out the answer is no.
    var hasBundle: Bool {
        guard let text = manifest, let declaration = declaration(in: text) else { return false }
        return declaration.contains("resources:") || declaration.contains("CoreDataModelPlugin") && hasModel
    }

    /// The products of other packages that the package's manifest gives the target.
    var products: Set<String> {
        guard let declaration = manifest.flatMap(declaration(in:)) else { return [] }
        let file = SourceFile(path: "Package.swift", bytes: Array(declaration.utf8))
        let names = file.tokens.indices.filter { file.matches([".", "product", "(", "name", ":"], at: $0) }
        return Set(names.compactMap { file.token($0 + 5)?.text.trimmingCharacters(in: ["\""]) })
    }

    private var manifest: String? {
        var above = folder.standardizedFileURL
        while above.pathComponents.count > 1 {
            above.deleteLastPathComponent()
            let url = above.appendingPathComponent("Package.swift")
            if let text = try? String(contentsOf: url, encoding: .utf8) { return text }
        }
        return nil
    }

    /// The text between the parentheses of `.target(name: "App", …)`.
    private func declaration(in text: String) -> String? {
        let file = SourceFile(path: "Package.swift", bytes: Array(text.utf8))
        for index in file.tokens.indices
        where file.matches([".", "_", "(", "name", ":", "\"\(folder.lastPathComponent)\""], at: index) {
            let kinds: Set<String> = ["target", "executableTarget", "testTarget"]
            if kinds.contains(file.tokens[index + 1].text), let close = file.closing(index + 2) {
                return file.text(ofTokens: index + 2..<close)
            }
        }
        return nil
    }

    private var hasModel: Bool {
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let url = walk?.nextObject() as? URL {
            if ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) { return true }
        }
        return false
    }
}
