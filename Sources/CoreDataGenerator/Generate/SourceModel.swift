// A model file that code is generated from and that is compiled: all its versions, and what is wrong with them.

package import CoreDataFiles
package import CoreDataSchema
public import Foundation

/// A model file, read and checked.
public struct SourceModel: Sendable {
    /// The model file.
    public let url: URL
    /// The doubtful points. Mistakes are thrown by the initialiser.
    public let warnings: [GenerationProblem]
    package let versions: [ModelVersion]
    /// The current version.
    package let schema: ModelSchema

    /// The name of the model: the file's, without its extension.
    public var name: String { url.deletingPathExtension().lastPathComponent }

    /// Reads any kind of model file. Another version than the current one is left out if it has mistakes, with a warning.
    ///
    /// - Throws: `GenerationFailure` with all mistakes of the current version.
    public init(contentsOf url: URL) throws(GenerationFailure) {
        let list: ModelVersionList
        do {
            list = try ModelFile.list(of: url)
            if !list.versions.contains(where: \.isCurrent) { _ = try ModelFile.read(url) }
        } catch {
            throw GenerationFailure([GenerationProblem(error, file: url)])
        }
        guard let current = list.versions.first(where: \.isCurrent) else {
            throw GenerationFailure([
                GenerationProblem(
                    .error, file: url.path, message: "no version of the model is the current one")
            ])
        }
        var warnings = list.failures.map { Self.leftOut(GenerationProblem($0, file: url)) }
        var versions: [ModelVersion] = []
        for version in list.versions {
            let found = Self.problems(of: version.schema, file: Self.path(of: version, in: url))
            let errors = found.filter { $0.severity == .error }
            if version.isCurrent {
                guard errors.isEmpty else { throw GenerationFailure(errors) }
                warnings += found
            }
            warnings += errors.map(Self.leftOut)
            if errors.isEmpty { versions.append(version) }
        }
        self.url = url
        self.versions = versions
        schema = current.schema
        self.warnings = warnings
    }

    private static func leftOut(_ problem: GenerationProblem) -> GenerationProblem {
        var problem = problem
        problem.severity = .warning
        problem.message += ": this version is left out"
        return problem
    }

    /// The path of the current version.
    package var path: String {
        versions.first(where: \.isCurrent).map { Self.path(of: $0, in: url) } ?? url.path
    }

    /// The path of a version's file.
    static func path(of version: ModelVersion, in url: URL) -> String {
        switch url.pathExtension {
        case "xcdatamodeld": url.appendingPathComponent(version.name + ".xcdatamodel").path
        case "momd": url.appendingPathComponent(version.name + ".mom").path
        default: url.path
        }
    }

    private static func problems(of schema: ModelSchema, file: String) -> [GenerationProblem] {
        let found = ModelValidator.problems(in: schema).map { GenerationProblem($0, file: file) }
        guard !found.contains(where: { $0.severity == .error }), let flaw = ModelSoundness.flaw(in: schema)
        else { return found }
        return found + [GenerationProblem(flaw, file: file)]
    }
}

/// The reason why nothing was generated.
public struct GenerationFailure: Error, Sendable, CustomStringConvertible {
    /// Everything that is wrong, errors and warnings.
    public let problems: [GenerationProblem]

    /// A failure with its problems.
    public init(_ problems: [GenerationProblem]) { self.problems = problems }

    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
