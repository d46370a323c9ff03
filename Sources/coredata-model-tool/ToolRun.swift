// One run of the tool: its command and options.

import CoreDataGenerator
import Foundation

/// What is wrong with the command line.
struct UsageError: Error, CustomStringConvertible {
    let description: String
}

/// The command, its operands and options.
struct ToolRun {
    let command: String
    let operands: [String]
    let options: [String: String]

    init(arguments: [String]) throws {
        guard let command = arguments.first else { throw UsageError(description: "error: no command") }
        self.command = command
        var operands: [String] = []
        var options: [String: String] = [:]
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                operands.append(argument)
                continue
            }
            guard let value = rest.popFirst() else {
                throw UsageError(description: "error: \(argument) needs a value")
            }
            options[String(argument.dropFirst(2))] = value
        }
        self.operands = operands
        self.options = options
    }

    func run() throws {
        switch command {
        case "compile": try compile()
        default: throw UsageError(description: "error: \"\(command)\" is no command")
        }
    }

    private func compile() throws {
        let model = try model()
        let output = URL(fileURLWithPath: try option("output"))
        try ModelCompiler.compile(model, module: options["module"], to: output)
    }

    /// The model that the first operand names. Its warnings are printed.
    private func model() throws -> SourceModel {
        guard let path = operands.first else { throw UsageError(description: "error: no model") }
        let model = try SourceModel(contentsOf: URL(fileURLWithPath: path))
        for warning in model.warnings { print(warning) }
        return model
    }

    private func option(_ name: String) throws -> String {
        guard let value = options[name] else { throw UsageError(description: "error: --\(name) is missing") }
        return value
    }
}
