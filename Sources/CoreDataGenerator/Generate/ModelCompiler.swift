// Compiled models: what a program's bundle holds.

import CoreDataFiles
import CoreDataSchema
public import Foundation

/// Makes `.momd` folders and `.mom` files.
public enum ModelCompiler {
    /// Compiles all versions of a model to a `.momd`, or the current one to a `.mom`.
    ///
    /// Without an Objective-C runtime a class is found by its name only with its module. Entities whose class
    /// is in the current product's module, or among `classes`, get the name `module` with it.
    ///
    /// - Parameters:
    ///   - model: the model as its file has it.
    ///   - module: the name of the module that declares the classes, or nil.
    ///   - classes: the classes that the module is known to declare.
    ///   - url: the folder or file to make.
    /// - Throws: `GenerationFailure`.
    public static func compile(
        _ model: SourceModel, module: String?, classes: Set<String> = [], to url: URL
    ) throws(GenerationFailure) {
        let versions = model.versions.map { version in
            var version = version
            version.schema = qualified(version.schema, module: module, classes: classes).compiled
            return version
        }
        do {
            if url.pathExtension == "mom" {
                try ModelFile.write(versions, to: url)
            } else {
                // Public tests that pass on Apple's systems show that Xcode names no current version where its source names none.
                let names =
                    model.url.pathExtension != "xcdatamodeld" || SourceModelBundle.namesCurrent(model.url)
                try CompiledModelBundle.write(versions, to: url, namesCurrent: names)
            }
        } catch {
            throw GenerationFailure([GenerationProblem(error, file: url)])
        }
    }

    /// Compiles a mapping model, `.xcmappingmodel`, to a `.cdm`.
    ///
    /// - Parameters:
    ///   - source: the file to read.
    ///   - url: the file to make.
    /// - Throws: `GenerationFailure`.
    public static func compile(mapping source: URL, to url: URL) throws(GenerationFailure) {
        do {
            try MappingFile.write(try MappingFile.read(source), to: url)
        } catch {
            throw GenerationFailure([GenerationProblem(error, file: source)])
        }
    }

    private static func qualified(
        _ schema: ModelSchema, module: String?, classes: Set<String>
    ) -> ModelSchema {
        guard let module else { return schema }
        var schema = schema
        for index in schema.entities.indices {
            guard let name = schema.entities[index].className, !name.hasPrefix(module + "."),
                schema.entities[index].classModule == "." || classes.contains(name)
            else { continue }
            schema.entities[index].className = module + "." + name
        }
        return schema
    }
}
