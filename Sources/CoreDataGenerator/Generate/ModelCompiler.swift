// Compiled models: what a program's bundle holds.

import CoreDataFiles
import CoreDataSchema
public import Foundation

/// Makes `.momd` folders.
public enum ModelCompiler {
    /// Compiles all versions of a model to `url`, a `.momd`.
    ///
    /// Entities whose class is in the current product's module get the name `module` with it, so that the class
    /// is found by its name. Throws a `GenerationFailure`.
    public static func compile(
        _ model: SourceModel, module: String?, to url: URL
    ) throws(GenerationFailure) {
        let versions = model.versions.map { version in
            var version = version
            version.schema = qualified(version.schema, module: module).compiled
            return version
        }
        do {
            try CompiledModelBundle.write(versions, to: url)
        } catch {
            throw GenerationFailure([GenerationProblem(error, file: url)])
        }
    }

    private static func qualified(_ schema: ModelSchema, module: String?) -> ModelSchema {
        guard let module else { return schema }
        var schema = schema
        for index in schema.entities.indices where schema.entities[index].classModule == "." {
            let name = schema.entities[index].className ?? ""
            let bare = name.hasPrefix(".") ? String(name.dropFirst()) : name
            if !bare.isEmpty, !bare.contains(".") { schema.entities[index].className = module + "." + bare }
        }
        return schema
    }
}
