// The sources that a whole target needs: of all its models, and for its hand-written classes.

import CoreDataFiles
import CoreDataSchema
package import Foundation

/// Everything that the build plugin puts into a target.
package struct TargetGeneration {
    /// One file for each model, `Hero+CoreDataModel.swift`, and one for hand-written classes, `App+Managed.swift`.
    package private(set) var files: [GeneratedFile]
    package let warnings: [GenerationProblem]

    /// Throws a `GenerationFailure` with everything that is wrong in models and sources. `dependencies` are the sources
    /// of modules whose types the target may name, by module.
    ///
    /// A build plugin isn't told whether the build is for debugging. If sources ask with
    /// `#if DEBUG`, the files do too.
    package init(
        models urls: [URL], sources: [URL], module: String, dependencies: [String: [URL]] = [:],
        conditions: [String] = [], options: GenerationOptions = .init()
    ) throws(GenerationFailure) {
        let all = sources + dependencies.values.joined()
        let asks = !conditions.contains("DEBUG") && all.contains { Self.text(of: $0, has: "DEBUG") }
        self = try Self(
            urls, sources: sources, module: module, dependencies: dependencies, conditions: conditions,
            options: options)
        guard asks else { return }
        let debug = try Self(
            urls, sources: sources, module: module, dependencies: dependencies,
            conditions: conditions + ["DEBUG"], options: options)
        files = zip(debug.files, files).map { debug, release in
            if debug == release { return release }
            return GeneratedFile(
                name: release.name, text: "#if DEBUG\n\(debug.text)#else\n\(release.text)#endif\n")
        }
    }

    private static func text(of file: URL, has word: String) -> Bool {
        (try? String(contentsOf: file, encoding: .utf8))?.contains(word) == true
    }

    /// Makes the sources under these conditions.
    private init(
        _ urls: [URL], sources: [URL], module: String, dependencies: [String: [URL]],
        conditions: [String], options: GenerationOptions
    ) throws(GenerationFailure) {
        let models = try Self.models(urls)
        let modules = Set(dependencies.keys)
        let scan = try Self.scan(sources, module: module, conditions: conditions, modules: modules)
        var options = options
        (options.module, options.isOneFile) = (module, true)
        files = []
        var warnings = models.flatMap(\.warnings)
        var problems: [GenerationProblem] = []
        var owners: [String: SourceModel] = [:]
        var declared: Set<String> = []
        var properties: [String: StoredProperties.Generated] = [:]
        for model in models {
            do {
                let code = try CodeGenerator(model, options: options, beside: HandWritten(scan))
                for name in code.classes.sorted() {
                    guard let other = owners.updateValue(model, forKey: name) else { continue }
                    problems.append(Self.clash(name, model: model, other: other))
                }
                declared.formUnion(code.declaredClasses)
                properties.merge(code.properties) { first, _ in first }
                files += code.files
                warnings += code.warnings
            } catch {
                problems += error.problems
            }
        }
        let managed = ManagedSources(
            scan, dependencies: try Self.scans(dependencies, for: sources, conditions: conditions),
            places: ClassPlaces(models.map(\.schema), moduleName: module), declared: declared,
            generated: Set(properties.keys), properties: properties)
        warnings += managed.warnings.map { GenerationProblem($0, severity: .warning) }
        problems += managed.problems.map { GenerationProblem($0) }
        guard problems.isEmpty else { throw GenerationFailure(problems) }
        files.append(GeneratedFile(name: Self.managedName(module), text: managed.text))
        self.warnings = warnings
    }

    package static func managedName(_ module: String) -> String { module + "+Managed.swift" }

    /// The classes of a model that the target declares: those that are generated, and those in its sources.
    package static func classes(
        of model: SourceModel, sources: [URL], module: String, conditions: [String] = [],
        options: GenerationOptions = .init()
    ) throws(GenerationFailure) -> Set<String> {
        var options = options
        options.module = module
        let generated = try CodeGenerator(model, options: options).classes
        let named = Set(
            model.versions.flatMap(\.schema.entities).compactMap {
                ClassPlaces.className($0, moduleName: module)
            })
        let missing = named.subtracting(generated)
        if missing.isEmpty { return generated }
        let written = HandWritten(try scan(sources, module: module, conditions: conditions))
        return generated.union(missing.filter { written.access(of: $0) != nil })
    }

    private static func models(_ urls: [URL]) throws(GenerationFailure) -> [SourceModel] {
        var models: [SourceModel] = []
        var problems: [GenerationProblem] = []
        for url in urls {
            do {
                models.append(try SourceModel(contentsOf: url))
            } catch {
                problems += error.problems
            }
        }
        guard problems.isEmpty else { throw GenerationFailure(problems) }
        return models
    }

    private static func scan(
        _ sources: [URL], module: String, conditions: [String], modules: Set<String> = []
    ) throws(GenerationFailure) -> SourceScan {
        do {
            return try SourceScan(
                files: sources, moduleName: module, conditions: conditions, modules: modules)
        } catch {
            throw GenerationFailure([GenerationProblem(error)])
        }
    }

    /// The other modules, whose types only managed properties ask for, and subclasses of their migration policies.
    private static func scans(
        _ dependencies: [String: [URL]], for sources: [URL], conditions: [String]
    ) throws(GenerationFailure) -> [SourceScan] {
        let classes = ["NSEntityMigrationPolicy", "NSMigrationManager"]
        let asks =
            sources.contains { text(of: $0, has: "@NSManaged") }
            || dependencies.values.joined().contains { file in classes.contains { text(of: file, has: $0) } }
        var scans: [SourceScan] = []
        for (module, files) in dependencies.sorted(by: { $0.key < $1.key }) where asks {
            scans.append(
                try scan(files, module: module, conditions: conditions, modules: Set(dependencies.keys)))
        }
        return scans
    }

    private static func clash(
        _ name: String, model: SourceModel, other: SourceModel
    ) -> GenerationProblem {
        GenerationProblem(
            .error, file: model.path,
            message:
                "the class \(name) is generated from the model \(other.name) as well; let one of the models state another "
                + "class, or \"Manual/None\" as its code generation")
    }
}

extension GenerationProblem {
    init(_ problem: ScanProblem, severity: Severity = .error) {
        self.init(
            severity, file: problem.line.map { "\(problem.path):\($0)" } ?? problem.path,
            message: problem.reason)
    }
}
