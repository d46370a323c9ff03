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
            let permissions = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
            try Data(new.utf8).write(to: url, options: .atomic)
            if let permissions {
                try FileManager.default.setAttributes(
                    [.posixPermissions: permissions], ofItemAtPath: url.path)
            }
        }
    }

    private let entityNames: [String: String]

    /// `entityNames` gives the entity of a class where it isn't called as the class is.
    public init(entityNames: [String: String] = [:]) {
        self.entityNames = entityNames
    }

    /// Ports all Swift files at these paths, folders with what is in them, whether or not they name Core Data: a target
    /// builds only if all of its files do.
    public static func results(at urls: [URL]) throws -> [Result] {
        let files = try urls.flatMap(Self.files)
        let port = SourcePort(entityNames: entityNames(files.filter { $0.pathExtension == "xcdatamodeld" }))
        var results: [Result] = []
        for file in files where file.pathExtension == "swift" {
            let bytes = Array(try Data(contentsOf: file))
            let result = port.result(bytes, url: file)
            if result.isChanged || !result.remarks.isEmpty { results.append(result) }
        }
        return results
    }

    /// What a text becomes.
    public func ported(_ text: String, path: String = "Source.swift") -> (text: String, remarks: [PortRemark])
    {
        let file = SourceFile(path: path, bytes: Array(text.utf8))
        let findings = findings(file)
        return (String(decoding: findings.applied(to: file.bytes), as: UTF8.self), findings.remarks)
    }

    private func result(_ bytes: [UInt8], url: URL) -> Result {
        let file = SourceFile(path: url.relativePath, bytes: bytes)
        let findings = findings(file)
        return Result(
            url: url, path: url.relativePath, old: String(decoding: bytes, as: UTF8.self),
            new: String(decoding: findings.applied(to: bytes), as: UTF8.self), remarks: findings.remarks)
    }

    private func findings(_ file: SourceFile) -> Findings {
        var findings = Findings()
        ImportRule().apply(to: file, &findings)
        AttributeRule().apply(to: file, &findings)
        KeyPathRule().apply(to: file, &findings)
        FetchRequestRule(entityNames: entityNames).apply(to: file, &findings)
        PredicateRule().apply(to: file, &findings)
        ObserverRule().apply(to: file, &findings)
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
