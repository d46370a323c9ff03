// `coredata info`

import ArgumentParser
import StoreTools

struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Shows what a store says about itself.",
        discussion: """
            Framework version, UUID, entities with their rows, pages and journal of a file or the server's \
            version, metadata, and whether the model matches.

            EXAMPLE
              coredata info Bookmarks.sqlite
            """)

    @Argument(help: "The store: an SQLite file, or a postgresql:// address.")
    var store: String

    @Option(
        help: ArgumentHelp(
            "The model to compare with. Without it the copy that the store keeps.",
            valueName: "model-or-store"))
    var model: String?

    @OptionGroup var format: JSONOption

    func run() throws {
        let summary = try StoreSummary(path: store, modelPath: model)
        let output = Output()
        if format.json {
            try output.writeLine(summary.record.prettyJSON())
        } else {
            try summary.write(to: output)
        }
        try output.finish()
    }
}
