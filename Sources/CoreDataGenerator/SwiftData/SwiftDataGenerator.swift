// From a model to classes for SwiftData.

import CoreDataSchema
import Foundation

/// Makes Swift sources of a model: classes with `@Model`, for SwiftData here and on Apple's systems.
///
/// Each entity becomes a class of the entity's name, since SwiftData names entities after classes; a composite
/// attribute's type becomes a `Codable` structure. Of the options `entities`, `access`, `module` and `isOneFile`
/// count.
public struct SwiftDataGenerator {
    /// The files, sorted by name. All are for people to edit.
    public let files: [GeneratedFile]
    /// Everything in the model that classes for SwiftData can't say, entity by entity. The model's own warnings are
    /// `SourceModel`'s.
    public let warnings: [GenerationProblem]

    /// Generates classes for the current version.
    ///
    /// - Parameters:
    ///   - model: the model as its file has it.
    ///   - options: how to generate.
    /// - Throws: `GenerationFailure` with everything that is wrong.
    public init(_ model: SourceModel, options: GenerationOptions = .init()) throws(GenerationFailure) {
        let unknown = (options.entities ?? []).subtracting(model.schema.entities.map(\.name))
        guard unknown.isEmpty else {
            throw GenerationFailure(
                unknown.sorted().map {
                    GenerationProblem(
                        .error, file: model.url.path, entity: $0, message: "the model has no such entity")
                })
        }
        var planner = ModelClassPlanner(model.schema, file: model.path, options: options)
        let classes = planner.classes()
        let errors = planner.problems.filter { $0.severity == .error }
        guard errors.isEmpty else { throw GenerationFailure(errors) }
        warnings = planner.problems
        let writer = ModelClassWriter(
            modelName: model.name, access: options.access.level, names: planner.names)
        files = writer.files(classes, structures: planner.structures, isOneFile: options.isOneFile)
    }
}
