// What `coredata port` does, without the command line: sources in, diffs and remarks out.

import CoreData
public import Foundation

/// Rewrites Core Data code so that it builds on Apple's systems and off them.
public struct SourcePort {
    /// A file that changes, or that somebody has to look at.
    public struct Result {
        public let url: URL
        public let path: String
        public let old: String
        public let new: String
        public let remarks: [PortRemark]

        public var isChanged: Bool { old != new }

        /// The change as a unified diff; empty if there is none.
        public var diff: String { UnifiedDiff.text(path: path, old: old, new: new) }

        /// Lines that aren't what they were.
        public var changedLines: Int {
            let old = old.split(separator: "\n", omittingEmptySubsequences: false)
            let new = new.split(separator: "\n", omittingEmptySubsequences: false)
            return new.difference(from: old).insertions.count
        }

        /// Replaces the file, whose permissions stay.
        public func write() throws {
            let isThere = FileManager.default.fileExists(atPath: url.path)
            let permissions =
                isThere ? try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] : nil
            try Data(new.utf8).write(to: url, options: .atomic)
            if let permissions {
                try FileManager.default.setAttributes(
                    [.posixPermissions: permissions], ofItemAtPath: url.path)
            }
        }
    }

    private let entityNames: [String: String]
    private let isInPackage: Bool

    /// - Parameters:
    ///   - entityNames: The entity of a class where it isn't called as the class is.
    ///   - isInPackage: Whether the sources are a target of a package, so that `Bundle.module` is there.
    public init(entityNames: [String: String] = [:], isInPackage: Bool = false) {
        self.entityNames = entityNames
        self.isInPackage = isInPackage
    }

    /// Ports all Swift files at these paths, folders with what is in them, whether or not they name Core Data: a target
    /// builds only if all of its files do.
    public static func results(at urls: [URL]) throws -> [Result] {
        let files = try urls.flatMap(Self.files)
        let port = SourcePort(
            entityNames: entityNames(files.filter { $0.pathExtension == "xcdatamodeld" }),
            isInPackage: urls.contains(where: isInPackage))
        let sources = files.filter { $0.pathExtension == "swift" }
        let old = try sources.map {
            SourceFile(path: $0.relativePath, bytes: Array(try Data(contentsOf: $0)))
        }
        let new = port.ported(old)
        var results = zip(zip(sources, old), new).map { source, new in
            Result(
                url: source.0, path: source.1.path, old: String(decoding: source.1.bytes, as: UTF8.self),
                new: new.text, remarks: new.remarks)
        }
        let needing = zip(sources, new).filter(\.1.needsSupport).map(\.0)
        results += Set(needing.map(targetFolder)).sorted { $0.path < $1.path }.map { folder in
            let url = folder.appendingPathComponent(PortSupport.name)
            return Result(
                url: url, path: url.relativePath, old: (try? String(contentsOf: url, encoding: .utf8)) ?? "",
                new: PortSupport.text, remarks: [])
        }
        return results.filter { $0.isChanged || !$0.remarks.isEmpty }
    }

    /// The folder of the target that a file belongs to: below `Sources` or `Tests` of a package, else the file's own.
    private static func targetFolder(_ file: URL) -> URL {
        var folder = file.deletingLastPathComponent()
        let own = folder
        while folder.pathComponents.count > 2 {
            let above = folder.deletingLastPathComponent()
            if ["Sources", "Tests"].contains(above.lastPathComponent) { return folder }
            folder = above
        }
        return own
    }

    /// Whether a folder above has a package's manifest.
    private static func isInPackage(_ url: URL) -> Bool {
        var folder = url.standardizedFileURL
        while folder.pathComponents.count > 1 {
            folder.deleteLastPathComponent()
            let manifest = folder.appendingPathComponent("Package.swift").path
            if FileManager.default.fileExists(atPath: manifest) { return true }
        }
        return false
    }

    /// What a text becomes.
    public func ported(_ text: String, path: String = "Source.swift") -> (text: String, remarks: [PortRemark])
    {
        let file = ported([SourceFile(path: path, bytes: Array(text.utf8))])[0]
        return (file.text, file.remarks)
    }

    private struct PortedFile {
        let text: String
        let remarks: [PortRemark]
        let needsSupport: Bool
    }

    /// What the files of a target become.
    private func ported(_ files: [SourceFile]) -> [PortedFile] {
        let (moved, remarks) = ExtensionOverrides.moved(files)
        let classes = moved.flatMap { file in
            file.tokens.indices.filter { file.matches(["class", "_"], at: $0) }.map {
                file.tokens[$0 + 1].text
            }
        }
        let counts = Dictionary(classes.map { ($0, 1) }, uniquingKeysWith: +)
        return zip(moved, remarks).map { file, remarks in
            let findings = findings(file, counts)
            return PortedFile(
                text: String(decoding: findings.applied(to: file.bytes), as: UTF8.self),
                remarks: remarks + findings.remarks, needsSupport: findings.needsSupport)
        }
    }

    private func findings(_ file: SourceFile, _ classCounts: [String: Int]) -> Findings {
        var findings = Findings()
        ImportRule().apply(to: file, &findings)
        ShimRule().apply(to: file, &findings)
        ManagedClassRule(classCounts: classCounts).apply(to: file, &findings)
        for part in [file] + file.interpolated {
            AttributeRule().apply(to: part, &findings)
            KeyPathRule().apply(to: part, &findings)
            FetchRequestRule(entityNames: entityNames).apply(to: part, &findings)
            PredicateRule().apply(to: part, &findings)
            ObserverRule().apply(to: part, &findings)
            SetLiteralRule().apply(to: part, &findings)
            TestingRule().apply(to: part, &findings)
            BundleRule(isInPackage: isInPackage).apply(to: part, &findings)
        }
        return findings
    }

    // MARK: Files

    /// Swift files and models, in the order of their paths. What was built or fetched isn't the client's.
    private static func files(_ url: URL) throws -> [URL] {
        let values = try url.resourceValues(forKeys: [.isDirectoryKey])
        guard values.isDirectory == true, url.pathExtension != "xcdatamodeld" else { return [url] }
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
        return try names.filter { !$0.hasPrefix(".") && $0 != "Pods" && $0 != "Carthage" }.flatMap { name in
            let inner = URL(fileURLWithPath: url.relativePath + "/" + name)
            let isFolder = try inner.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
            return isFolder || ["swift"].contains(inner.pathExtension)
                ? try files(URL(fileURLWithPath: url.relativePath + "/" + name)) : []
        }
    }

    /// The entities of classes that are called otherwise.
    private static func entityNames(_ models: [URL]) -> [String: String] {
        var names: [String: String] = [:]
        for model in models.compactMap(NSManagedObjectModel.init(contentsOf:)) {
            for entity in model.entities {
                let className = entity.managedObjectClassName.split(separator: ".").last.map(String.init)
                if let className, let name = entity.name { names[className] = name }
            }
        }
        return names
    }
}
