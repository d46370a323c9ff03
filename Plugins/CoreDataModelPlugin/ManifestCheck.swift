// Targets that have managed properties and don't use the plugin: their accessors are missing, which only the linker would
// say, without a file or a line.

import Foundation
import PackagePlugin

/// Looks through the manifest of a package. It is read as text, since plugins aren't told which targets use them: where it
/// isn't written out which plugins a target has, nothing is said.
struct ManifestCheck {
    private static let plugin = "CoreDataModelPlugin"

    private let package: Package
    private let manifest: String

    init(_ package: Package) {
        self.package = package
        let file = package.directoryURL.appending(path: "Package.swift")
        manifest = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }

    /// Warns of targets without the plugin, once for the package: with the first target that uses it.
    func run(for target: SwiftSourceModuleTarget) {
        // A manifest that changes plugins afterwards may give any target any.
        if manifest.contains(".plugins") { return }
        let targets = package.targets(ofType: SwiftSourceModuleTarget.self)
        let users = targets.filter { declaration(of: $0)?.contains(Self.plugin) == true }
        guard users.first?.id == target.id else { return }
        for other in targets {
            guard let text = declaration(of: other), !text.contains("plugins:"),
                let place = managed(in: other)
            else { continue }
            Diagnostics.warning(
                "\(other.name) has managed properties, but doesn't use \(Self.plugin): their accessors will be "
                    + "missing when it is linked. Add plugins: [.plugin(name: \"\(Self.plugin)\", package: "
                    + "\"OpenCoreData\")] to the target", file: place.file.path, line: place.line)
        }
    }

    /// The text between the parentheses of a target's declaration, if it is written out: `.target(name: "App", …)`.
    private func declaration(of target: SwiftSourceModuleTarget) -> Substring? {
        let name = NSRegularExpression.escapedPattern(for: target.name)
        let pattern = "\\.(?:target|executableTarget|testTarget)\\(\\s*name:\\s*\"\(name)\""
        guard let start = manifest.range(of: pattern, options: .regularExpression) else { return nil }
        var depth = 1
        var end = start.upperBound
        while end < manifest.endIndex, depth > 0 {
            switch manifest[end] {
            case "(": depth += 1
            case ")": depth -= 1
            default: break
            }
            end = manifest.index(after: end)
        }
        return manifest[start.upperBound..<end]
    }

    /// Returns the place of a target's first managed property. Those for Apple's systems, as in sources that
    /// `coredata generate` wrote, don't count.
    private func managed(in target: SwiftSourceModuleTarget) -> (file: URL, line: Int)? {
        for file in target.sourceFiles(withSuffix: "swift").map(\.url) {
            guard let text = try? String(contentsOf: file, encoding: .utf8), text.contains("@NSManaged")
            else {
                continue
            }
            var isApples = false
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let line = line.drop(while: \.isWhitespace)
                if line.hasPrefix("#if canImport(ObjectiveC)") { isApples = true }
                if line.hasPrefix("#else") || line.hasPrefix("#endif") { isApples = false }
                let isManaged =
                    line.hasPrefix("@NSManaged") || (line.hasPrefix("@") && line.contains(" @NSManaged "))
                if isManaged, !isApples { return (file, number + 1) }
            }
        }
        return nil
    }
}
