// The work of `coredata port`, without the command line: sources in, diffs and remarks out.

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
    private let hasBundle: Bool
    private let products: Set<String>
    /// The classes of the target's models; those that its sources declare aren't generated.
    private var generated = GeneratedClasses()

    /// - Parameters:
    ///   - entityNames: The entity of a class where it isn't called as the class is.
    ///   - hasBundle: Indicates whether the sources are a target of a package that has resources, so that
    ///     `Bundle.module` is there.
    ///   - products: The products of other packages that the target of the sources has.
    public init(entityNames: [String: String] = [:], hasBundle: Bool = false, products: Set<String> = []) {
        self.entityNames = entityNames
        self.hasBundle = hasBundle
        self.products = products
    }

    /// Ports all Swift files at these paths, folders with what is in them, whether or not they name Core Data: a target
    /// builds only if all of its files do.
    public static func results(at urls: [URL]) throws -> [Result] {
        var entityNames: [String: String] = [:]
        var targets: [PortTarget: [URL]] = [:]
        var classes: [PortTarget: Set<String>] = [:]
        var order: [PortTarget] = []
        var manifests = PortManifests()
        for url in urls {
            let files = try files(url)
            for model in files where Self.models.contains(model.pathExtension) {
                let names = Self.entityNames(model)
                entityNames.merge(names) { first, _ in first }
                let target = PortTarget(of: model, in: url, manifests.manifest(above: model))
                classes[target, default: []].formUnion(names.keys)
            }
            for file in files where file.pathExtension == "swift" {
                let target = PortTarget(of: file, in: url, manifests.manifest(above: file))
                if targets[target] == nil { order.append(target) }
                targets[target, default: []].append(file)
            }
        }
        return try order.flatMap { target in
            let manifest = targets[target]?.first.flatMap { manifests.manifest(above: $0) }
            var port = SourcePort(
                entityNames: entityNames, hasBundle: target.hasBundle(manifest),
                products: target.products(manifest))
            port.generated = GeneratedClasses(
                names: classes[target] ?? [], areOnMainActor: target.isOnMainActor(manifest))
            return try port.results(targets[target] ?? [], of: target)
        }
    }

    private func results(_ sources: [URL], of target: PortTarget) throws -> [Result] {
        let old = try sources.map {
            SourceFile(path: $0.relativePath, bytes: Array(try Data(contentsOf: $0)))
        }
        let new = ported(old)
        var results = zip(zip(sources, old), new).map { source, new in
            Result(
                url: source.0, path: source.1.path, old: String(decoding: source.1.bytes, as: UTF8.self),
                new: new.text, remarks: new.remarks)
        }
        let support = new.reduce(into: Set()) { $0.formUnion($1.support) }
        if !support.isEmpty {
            let url = URL(fileURLWithPath: target.folder.relativePath + "/" + PortSupport.name)
            let old = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
            results.append(
                Result(
                    url: url, path: url.relativePath, old: old,
                    new: PortSupport.text(of: support, existing: old), remarks: []))
        }
        return results.filter { $0.isChanged || !$0.remarks.isEmpty }
    }

    /// Returns the ported text.
    public func ported(_ text: String, path: String = "Source.swift") -> (text: String, remarks: [PortRemark])
    {
        let file = ported([SourceFile(path: path, bytes: Array(text.utf8))])[0]
        return (file.text, file.remarks)
    }

    private struct PortedFile {
        let text: String
        let remarks: [PortRemark]
        let support: Set<PortSupport>
    }

    /// Modules of Apple's that a product of the target takes the place of.
    private var replacedModules: Set<String> {
        Set(ShimRule.substitutes.filter { products.contains($0.value) }.keys)
    }

    /// Ports the files of a target together.
    private func ported(_ files: [SourceFile]) -> [PortedFile] {
        let opened = ExtensionRule.applied(
            SystemLists.opened(files, besides: replacedModules), besides: replacedModules)
        let guarded = ClassMakingRule.applied(
            ClusterOverrideRule.applied(MethodExchangeRule.applied(opened)))
        let (collected, remarks) = ExtensionOverrides.moved(guarded.map(\.file), generated: generated)
        let moved = BaseOverrideRule.applied(collected)
        let classes = moved.flatMap { file in
            file.tokens.indices.filter { file.matches(["class", "_"], at: $0) }.map {
                file.tokens[$0 + 1].text
            }
        }
        let counts = Dictionary(classes.map { ($0, 1) }, uniquingKeysWith: +)
        return zip(zip(moved, remarks), guarded).map { file, guarded in
            let findings = findings(file.0, classCounts: counts)
            return PortedFile(
                text: String(decoding: findings.applied(to: file.0.bytes), as: UTF8.self),
                remarks: guarded.remarks + file.1 + findings.remarks, support: findings.support)
        }
    }

    private func findings(_ file: SourceFile, classCounts: [String: Int]) -> Findings {
        var findings = Findings()
        ImportRule(products: products).apply(to: file, &findings)
        ShimRule(products: products).apply(to: file, &findings)
        ManagedClassRule(classCounts: classCounts).apply(to: file, &findings)
        for part in [file] + file.interpolated {
            AttributeRule().apply(to: part, &findings)
            KeyPathRule().apply(to: part, &findings)
            FetchRequestRule(entityNames: entityNames).apply(to: part, &findings)
            ResultsControllerRule().apply(to: part, &findings)
            PredicateRule().apply(to: part, &findings)
            LogRule().apply(to: part, &findings)
            SortSelectorRule().apply(to: part, &findings)
            ObserverRule().apply(to: part, &findings)
            SetLiteralRule().apply(to: part, &findings)
            MutableSetRule().apply(to: part, &findings)
            TestingRule().apply(to: part, &findings)
            ThrowingClosureRule().apply(to: part, &findings)
            KeyValueRule().apply(to: part, &findings)
            FoundationRule().apply(to: part, &findings)
            SelfRule().apply(to: part, &findings)
            ClassRule().apply(to: part, &findings)
            BlockRule().apply(to: part, &findings)
            BundleRule(hasBundle: hasBundle, classes: Set(classCounts.keys)).apply(to: part, &findings)
        }
        // Another rule may have added the import already.
        FoundationImportRule().apply(to: file, &findings)
        return findings
    }

    // MARK: Files

    /// Swift files and models, in the order of their paths. Built or fetched files aren't the client's.
    private static func files(_ url: URL) throws -> [URL] {
        let values = try url.resourceValues(forKeys: [.isDirectoryKey])
        guard values.isDirectory == true, !models.contains(url.pathExtension) else { return [url] }
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
        return try names.filter { !$0.hasPrefix(".") && $0 != "Pods" && $0 != "Carthage" }.flatMap { name in
            let inner = URL(fileURLWithPath: url.relativePath + "/" + name)
            let isFolder = try inner.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
            return isFolder || ["swift"].contains(inner.pathExtension)
                ? try files(URL(fileURLWithPath: url.relativePath + "/" + name)) : []
        }
    }

    private static let models: Set<String> = ["xcdatamodeld", "xcdatamodel"]

    /// The entities of a model by their classes.
    private static func entityNames(_ url: URL) -> [String: String] {
        var names: [String: String] = [:]
        for entity in NSManagedObjectModel(contentsOf: url)?.entities ?? [] {
            let className = entity.managedObjectClassName.split(separator: ".").last.map(String.init)
            if let className, let name = entity.name { names[className] = name }
        }
        return names
    }
}
