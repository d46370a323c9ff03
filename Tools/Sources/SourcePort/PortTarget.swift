// The target that sources belong to: what its files see of each other, and whether it has a bundle.

import Foundation

/// A folder of sources that are compiled together.
struct PortTarget: Hashable {
    let folder: URL
    /// The target's name in the manifest.
    private let name: String

    /// The target of a file: the folder that the package's manifest names, or a folder below `Sources` or `Tests` of a
    /// package, else the folder that was asked for.
    init(of file: URL, in root: URL, _ manifest: PortManifest?) {
        if let found = manifest?.target(of: file) {
            folder = found.folder
            name = found.target.name
            return
        }
        var folder = file.deletingLastPathComponent()
        while folder.pathComponents.count > 2 {
            let above = folder.deletingLastPathComponent()
            if ["Sources", "Tests"].contains(above.lastPathComponent) {
                self.folder = folder
                name = folder.lastPathComponent
                return
            }
            folder = above
        }
        self.folder = root.pathExtension == "swift" ? root.deletingLastPathComponent() : root
        name = self.folder.lastPathComponent
    }

    /// Returns whether the package's manifest gives the target resources, so that `Bundle.module` is there.
    /// For a target that isn't written out the answer is no.
    func hasBundle(_ manifest: PortManifest?) -> Bool {
        guard let declaration = declaration(manifest) else { return false }
        return declaration.contains("resources:") || declaration.contains("CoreDataModelPlugin") && hasModel
    }

    /// The products of other packages that the package's manifest gives the target.
    func products(_ manifest: PortManifest?) -> Set<String> {
        guard let declaration = declaration(manifest) else { return [] }
        let file = SourceFile(path: "Package.swift", bytes: Array(declaration.utf8))
        let names = file.tokens.indices.filter { file.matches([".", "product", "(", "name", ":"], at: $0) }
        return Set(names.compactMap { file.token($0 + 5)?.text.trimmingCharacters(in: ["\""]) })
    }

    /// Returns whether the package's manifest has the target's declarations belong to the main actor unless they say otherwise.
    func isOnMainActor(_ manifest: PortManifest?) -> Bool {
        declaration(manifest)?.contains("defaultIsolation(MainActor") == true
    }

    private func declaration(_ manifest: PortManifest?) -> String? {
        manifest?.targets.first { $0.name == name }?.declaration
    }

    private var hasModel: Bool {
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let url = walk?.nextObject() as? URL {
            if ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) { return true }
        }
        return false
    }
}
