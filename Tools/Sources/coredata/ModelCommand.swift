// `coredata model`

import ArgumentParser
import CoreData
import StoreTools

struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Shows a model, draws it, begins one, writes it as another kind of file, or compares two.",
        discussion: """
            EXAMPLE
              coredata model Bookmarks.sqlite --hashes
              coredata model Bookmarks.sqlite --write Bookmarks.xcdatamodeld
              coredata model Bookmarks.xcdatamodeld --check Bookmarks.sqlite
              coredata model --new Library.xcdatamodeld --from Library.sqlite
              coredata model diff Bookmarks.sqlite Bookmarks.xcdatamodeld
              coredata model graph Bookmarks.xcdatamodeld --format svg > Bookmarks.svg
            """,
        subcommands: [
            ModelShowCommand.self, ModelNewCommand.self, ModelDiffCommand.self, ModelGraphCommand.self,
        ],
        defaultSubcommand: ModelShowCommand.self)
}

struct ModelShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows a model, or writes it as another kind of file.")

    @Argument(
        help:
            "The model: .momd, .mom, .xcdatamodeld, .xcdatamodel, a .json schema of SwiftData's, or a store.")
    var model: String?

    @Option(
        help: ArgumentHelp(
            "Writes the model instead of showing it: .momd, .mom, .xcdatamodeld or .xcdatamodel.",
            valueName: "out"))
    var write: String?

    @Flag(help: "Shows the version hashes too.")
    var hashes = false

    @Option(
        help: ArgumentHelp(
            "Tells whether a store, or another model, is of a version of the model; the exit status is 1 if not.",
            valueName: "store"))
    var check: String?

    @Option(help: ArgumentHelp("Tells what changes from the model to another one.", valueName: "newer"))
    var diff: String?

    @Option(help: ArgumentHelp("Begins a model instead: as `coredata model new`.", valueName: "out"))
    var new: String?

    @Option(
        help: ArgumentHelp(
            "What a new model is made from: a store, a model or Swift files.", valueName: "path"))
    var from: [String] = []

    @OptionGroup var format: JSONOption

    func validate() throws {
        if (model == nil) == (new == nil) { throw ValidationError("Name a model, or a new one with --new.") }
        if [new, diff, check, write].compactMap(\.self).count > 1 {
            throw ValidationError("--new, --diff, --check and --write exclude each other.")
        }
        if new == nil, !from.isEmpty { throw ValidationError("--from goes with --new.") }
    }

    func run() throws {
        if let new { return try ModelNewCommand.make(new, from: from) }
        let path = model ?? ""
        if let diff { return try ModelDiffCommand.compare(path, newer: diff) }
        if let check { return try ModelCheck(ModelSource(path: path), against: check).run() }
        if let write { return try Self.write(ModelSource(path: path), to: URL(fileURLWithPath: write)) }
        let model = try ModelSource(path: path).read()
        let summary = ModelSummary(model, showsHashes: hashes)
        let output = Output()
        if format.json {
            try output.writeLine(summary.record.prettyJSON())
        } else {
            try summary.write(to: output)
        }
        try output.finish()
    }

    private static func write(_ source: ModelSource, to url: URL) throws {
        if FileManager.default.fileExists(atPath: url.path) {
            throw ToolFailure("There is something at \(url.path) already.")
        }
        let model = try source.write(to: url)
        print("wrote \(url.path)")
        for (name, reason) in model.uncertainVersionHashes.sorted(by: { $0.key < $1.key }) {
            print("the version hash of \(name) is uncertain: \(reason)")
        }
    }
}
