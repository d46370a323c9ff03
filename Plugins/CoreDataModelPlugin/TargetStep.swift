// The commands for one target.

import Foundation
import PackagePlugin

/// The reason why nothing can be made of a target.
struct TargetProblem: Error, CustomStringConvertible {
    let description: String
}

/// The step that generates files of a target's models and sources. All files are named, so that a build in
/// which none of them changed runs nothing.
struct TargetStep {
    let tool: URL
    let module: String
    let folder: URL
    let output: URL
    let models: [ModelFolder]
    let mappings: [ModelFolder]
    let sources: [URL]
    let dependencies: [(module: String, file: URL)]
    let conditions: [String]

    var commands: [Command] {
        get throws {
            for (kind, all) in [("models", models), ("mapping models", mappings)] {
                let names = Dictionary(grouping: all, by: \.name)
                if let (name, found) = names.filter({ $0.value.count > 1 }).min(by: { $0.key < $1.key }) {
                    throw TargetProblem(
                        description: "two \(kind) of \(module) are called \(name): "
                            + found.map(\.url.path).joined(separator: ", "))
                }
            }
            return models.map(compile) + mappings.map(compileMapping) + [generate]
        }
    }

    private func compileMapping(_ mapping: ModelFolder) -> Command {
        let compiled = output.appending(path: mapping.name + ".cdm")
        return .buildCommand(
            displayName: "Compiling \(mapping.url.lastPathComponent)", executable: tool,
            arguments: ["compile-mapping", mapping.url.path, "--output", compiled.path],
            inputFiles: mapping.files, outputFiles: [compiled])
    }

    private func compile(_ model: ModelFolder) -> Command {
        // As Xcode names them: apps look for both.
        let isVersioned = model.url.pathExtension == "xcdatamodeld"
        let compiled = output.appending(path: model.name + (isVersioned ? ".momd" : ".mom"))
        return .buildCommand(
            displayName: "Compiling \(model.url.lastPathComponent)", executable: tool,
            arguments: ["compile", model.url.path, "--output", compiled.path] + rest,
            inputFiles: model.files + others, outputFiles: [compiled])
    }

    private var generate: Command {
        let files = models.map { $0.name + "+CoreDataModel.swift" } + [module + "+Managed.swift"]
        return .buildCommand(
            displayName: "Generating code for \(module)", executable: tool,
            arguments: ["generate"] + models.map(\.url.path) + ["--output", output.path] + rest
                + dependencies.flatMap { ["--dependency", $0.module + "=" + $0.file.path] },
            inputFiles: models.flatMap(\.files) + others + dependencies.map(\.file),
            outputFiles: files.map { output.appending(path: $0) })
    }

    // MARK: Parts that both need

    /// The options file, if the target has one.
    private var options: URL? {
        let file = folder.appending(path: "coredata-model.json")
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }

    private var others: [URL] { sources + [options].compactMap(\.self) }

    private var rest: [String] {
        ["--module", module] + sources.flatMap { ["--source", $0.path] }
            + conditions.flatMap { ["--define", $0] } + (options.map { ["--options", $0.path] } ?? [])
    }
}
