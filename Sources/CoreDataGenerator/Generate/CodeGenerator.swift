// From a model to source files.

import CoreDataSchema
public import Foundation

/// Makes Swift sources of a model: typed classes that compile against Apple's framework as well.
public struct CodeGenerator {
    /// The files, sorted by name.
    public let files: [GeneratedFile]
    /// The doubtful points of the sources; the model's own warnings are `SourceModel`'s.
    public let warnings: [GenerationProblem]
    /// The classes that the files declare.
    package let declaredClasses: Set<String>
    /// The classes whose companions are in the files.
    package let classes: Set<String>
    /// The properties that the files give classes.
    package let properties: [String: StoredProperties.Generated]

    /// Generates code for the current version.
    ///
    /// - Parameters:
    ///   - model: the model as its file has it.
    ///   - options: how to generate.
    /// - Throws: `GenerationFailure` with everything that is wrong.
    public init(_ model: SourceModel, options: GenerationOptions = .init()) throws(GenerationFailure) {
        try self.init(model, options: options, beside: HandWritten())
    }

    /// Generates code for a target that has these Swift files.
    ///
    /// Companions state the calculated properties, custom accessors and validators that classes have there,
    /// so that they are found by key. Generated files among them don't count.
    ///
    /// - Parameters:
    ///   - model: the model as its file has it.
    ///   - options: how to generate.
    ///   - sources: the target's Swift files.
    /// - Throws: `GenerationFailure` with everything that is wrong.
    public init(
        _ model: SourceModel, options: GenerationOptions = .init(), sources: [URL]
    ) throws(GenerationFailure) {
        let written = sources.filter { file in
            !["+CoreDataProperties.swift", "+CoreDataModel.swift"].contains(where: file.path.hasSuffix)
        }
        let scan: SourceScan
        do {
            scan = try SourceScan(files: written, moduleName: options.module ?? "App")
        } catch {
            throw GenerationFailure([GenerationProblem(error)])
        }
        try self.init(model, options: options, beside: HandWritten(scan))
    }

    /// Generates code that stands beside hand-written sources.
    package init(
        _ model: SourceModel, options: GenerationOptions, beside written: HandWritten
    ) throws(GenerationFailure) {
        let schema = options.module == nil ? Self.unqualified(model.schema) : model.schema
        let unknown = (options.entities ?? []).subtracting(schema.entities.map(\.name))
        guard unknown.isEmpty else {
            throw GenerationFailure(
                unknown.sorted().map {
                    GenerationProblem(
                        .error, file: model.url.path, entity: $0, message: "the model has no such entity")
                })
        }
        var planner = ClassPlanner(schema, file: model.path, options: options, written: written)
        let plans = planner.plans()
        let errors = planner.problems.filter { $0.severity == .error }
        guard errors.isEmpty else { throw GenerationFailure(errors) }
        warnings = planner.problems
        declaredClasses = Set(plans.filter(\.declaresClass).map(\.name))
        classes = Set(plans.map(\.name))
        properties = Dictionary(
            uniqueKeysWithValues: plans.map { plan in
                let names = plan.properties.map(\.name)
                return (plan.name, StoredProperties.Generated(superclass: plan.superclass, names: names))
            })
        let writer = FileWriter(
            modelName: model.name, planner: planner, written: written, options: options,
            stored: written.stored(properties))
        files =
            options.isOneFile
            ? [writer.file(plans)] : plans.flatMap(writer.files).sorted { $0.name < $1.name }
    }

    /// The model with the modules of classes left out.
    private static func unqualified(_ schema: ModelSchema) -> ModelSchema {
        var schema = schema
        for number in schema.entities.indices {
            let name = schema.entities[number].className
            schema.entities[number].className = name?.split(separator: ".").last.map(String.init)
            schema.entities[number].classModule = nil
        }
        return schema
    }
}
