// `coredata model`

import ArgumentParser
import CoreData
import StoreTools

struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Shows a model, draws it, writes it as another kind of file, or compares two.",
        discussion: """
            EXAMPLE
              coredata model Bookmarks.sqlite --hashes
              coredata model Bookmarks.sqlite --write Bookmarks.xcdatamodeld
              coredata model diff Bookmarks.sqlite Bookmarks.xcdatamodeld
              coredata model graph Bookmarks.xcdatamodeld --format svg > Bookmarks.svg
            """,
        subcommands: [ModelShowCommand.self, ModelDiffCommand.self, ModelGraphCommand.self],
        defaultSubcommand: ModelShowCommand.self)
}

struct ModelShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows a model, or writes it as another kind of file.")

    @Argument(help: "The model: .momd, .mom, .xcdatamodeld, .xcdatamodel, or a store.")
    var model: String

    @Option(
        help: ArgumentHelp(
            "Writes the model instead of showing it: .momd, .mom, .xcdatamodeld or .xcdatamodel.",
            valueName: "out"))
    var write: String?

    @Flag(help: "Shows the version hashes too.")
    var hashes = false

    @OptionGroup var format: JSONOption

    func run() throws {
        let model = try ModelSource(path: model).read()
        if let write { return try self.write(model, to: URL(fileURLWithPath: write)) }
        let summary = ModelSummary(model, showsHashes: hashes)
        let output = Output()
        if format.json {
            try output.writeLine(summary.record.prettyJSON())
        } else {
            try summary.write(to: output)
        }
        try output.finish()
    }

    private func write(_ model: NSManagedObjectModel, to url: URL) throws {
        if FileManager.default.fileExists(atPath: url.path) {
            throw ToolFailure("There is something at \(url.path) already.")
        }
        try model.write(to: url)
        print("wrote \(url.path)")
        for (name, reason) in model.uncertainVersionHashes.sorted(by: { $0.key < $1.key }) {
            print("the version hash of \(name) is uncertain: \(reason)")
        }
    }
}
