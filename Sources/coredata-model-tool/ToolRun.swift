// One run of the tool: its command and options.

import CoreDataGenerator
import Foundation

/// A fault of the command line.
struct UsageError: Error, CustomStringConvertible {
    let description: String
}

/// The command, its operands and options.
struct ToolRun {
    let command: String
    let operands: [String]
    let options: [String: [String]]

    init(arguments: [String]) throws {
        guard let command = arguments.first else { throw UsageError(description: "error: no command") }
        self.command = command
        var operands: [String] = []
        var options: [String: [String]] = [:]
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                operands.append(argument)
                continue
            }
            guard let value = rest.popFirst() else {
                throw UsageError(description: "error: \(argument) needs a value")
            }
            options[String(argument.dropFirst(2)), default: []].append(value)
        }
        self.operands = operands
        self.options = options
    }

    func run() throws {
        switch command {
        case "compile": try compile()
        case "compile-mapping": try compileMapping()
        case "generate": try generate()
        default: throw UsageError(description: "error: \"\(command)\" is no command")
        }
    }

    /// Writes the compiled form of a model.
    private func compile() throws {
        guard let path = operands.first else { throw UsageError(description: "error: no model") }
        let model = try SourceModel(contentsOf: URL(fileURLWithPath: path))
        let output = URL(fileURLWithPath: try option("output"))
        // A version that the model has no more must not stay behind.
        if FileManager.default.fileExists(atPath: output.path) {
            try FileManager.default.removeItem(at: output)
        }
        let classes = try TargetGeneration.classes(
            of: model, sources: sources, module: try option("module"), conditions: options["define"] ?? [],
            options: try choices())
        try ModelCompiler.compile(model, module: try option("module"), classes: classes, to: output)
    }

    /// Writes the compiled form of a mapping model.
    private func compileMapping() throws {
        guard let path = operands.first else { throw UsageError(description: "error: no mapping model") }
        try ModelCompiler.compile(
            mapping: URL(fileURLWithPath: path), to: URL(fileURLWithPath: try option("output")))
    }

    /// Writes the sources of a target. A file that says the same already is left alone, so that it isn't compiled
    /// again.
    private func generate() throws {
        let folder = URL(fileURLWithPath: try option("output"))
        let target = try TargetGeneration(
            models: operands.map { URL(fileURLWithPath: $0) },
            sources: sources,
            module: try option("module"), dependencies: dependencies, conditions: options["define"] ?? [],
            options: try choices())
        for warning in target.warnings { print(warning) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in target.files {
            let url = folder.appendingPathComponent(file.name)
            let text = Data(file.text.utf8)
            if (try? Data(contentsOf: url)) != text { try text.write(to: url, options: .atomic) }
        }
    }

    /// `--dependency MODULE=FILE`
    private var dependencies: [String: [URL]] {
        var files: [String: [URL]] = [:]
        for text in options["dependency"] ?? [] {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { files[parts[0], default: []].append(URL(fileURLWithPath: parts[1])) }
        }
        return files
    }

    private var sources: [URL] { (options["source"] ?? []).map { URL(fileURLWithPath: $0) } }

    /// Returns the options of the target's options file.
    private func choices() throws -> GenerationOptions {
        guard let path = options["options"]?.last else { return GenerationOptions() }
        return try GenerationOptions(contentsOf: URL(fileURLWithPath: path))
    }

    private func option(_ name: String) throws -> String {
        guard let value = options[name]?.last else {
            throw UsageError(description: "error: --\(name) is missing")
        }
        return value
    }
}
