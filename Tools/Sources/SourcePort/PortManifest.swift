// The manifest of a package, as far as porting asks it. It is read as text: what isn't written out there isn't found.

import Foundation

/// A package's targets by their names and folders.
struct PortManifest {
    /// A target as the manifest declares it.
    struct Target {
        let name: String
        /// Its folder in the package where the manifest names it.
        let path: String?
        /// The text between the parentheses of `.target(name: "App", …)`.
        let declaration: String
    }

    /// The package's folder.
    let folder: URL
    let targets: [Target]

    /// The nearest manifest above a file or a folder.
    init?(above url: URL) {
        var above = url.standardizedFileURL
        while above.pathComponents.count > 1 {
            above.deleteLastPathComponent()
            let manifest = above.appendingPathComponent("Package.swift")
            guard let data = try? Data(contentsOf: manifest) else { continue }
            folder = above
            targets = Self.targets(SourceFile(path: "Package.swift", bytes: Array(data)))
            return
        }
        return nil
    }

    /// The target whose folder a file is in, if the manifest names that folder.
    func target(of file: URL) -> (target: Target, folder: URL)? {
        let path = file.standardizedFileURL.path
        let found = targets.compactMap { target in
            target.path.map {
                (target: target, folder: folder.appendingPathComponent($0).standardizedFileURL)
            }
        }
        return found.filter { path.hasPrefix($0.folder.path + "/") }
            .max { $0.folder.path.count < $1.folder.path.count }
    }

    private static func targets(_ file: SourceFile) -> [Target] {
        let kinds: Set<String> = ["target", "executableTarget", "testTarget"]
        return file.tokens.indices.compactMap { index in
            guard file.matches([".", "_", "(", "name", ":"], at: index),
                kinds.contains(file.tokens[index + 1].text), let name = file.token(index + 5),
                let close = file.closing(index + 2)
            else { return nil }
            return Target(
                name: unquoted(name.text), path: path(file, tokens: index + 3..<close),
                declaration: file.text(ofTokens: index + 2..<close))
        }
    }

    /// The argument `path:` of a target, not one of what stands in its other arguments.
    private static func path(_ file: SourceFile, tokens: Range<Int>) -> String? {
        var depth = 0
        for index in tokens {
            switch file.tokens[index].text {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "path" where depth == 0 && file.token(index + 1)?.is(":") == true:
                return file.token(index + 2).flatMap { $0.kind == .string ? unquoted($0.text) : nil }
            default: break
            }
        }
        return nil
    }

    private static func unquoted(_ text: String) -> String { text.trimmingCharacters(in: ["\""]) }
}

/// Manifests that were read, by the folders that were asked for.
struct PortManifests {
    private var known: [URL: PortManifest?] = [:]

    mutating func manifest(above file: URL) -> PortManifest? {
        let folder = file.standardizedFileURL.deletingLastPathComponent()
        if let manifest = known[folder] { return manifest }
        let manifest = PortManifest(above: file)
        known[folder] = manifest
        return manifest
    }
}
