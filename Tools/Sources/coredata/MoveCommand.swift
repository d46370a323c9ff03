// `coredata move`

import ArgumentParser
import CoreData
import StoreTools

struct MoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Moves a store's objects into a new store of another kind.",
        discussion: """
            From a file to a PostgreSQL database, or back. The source stays as it is, and nobody may change it meanwhile. \
            Objects go page by page, each in a transaction of its own; when the command is stopped or the server fails, the \
            same command goes on where it was. In the end the values and relationships of all objects are read from both \
            stores and compared. Until then no program may use the new store. It gets a UUID of its own.

            EXAMPLE
              coredata move Library.sqlite 'postgresql://app@db.example/library?schema=books'
              coredata move 'postgresql://app@db.example/library?schema=books' Library.sqlite
            """)

    @Argument(help: "The store: an SQLite file, or a postgresql:// address.")
    var source: String

    @Argument(help: "The store to make: a file, or a postgresql:// address.")
    var destination: String

    @Option(
        help: ArgumentHelp(
            "The store's model. Without it the copy that the store keeps.", valueName: "model-or-store"))
    var model: String?

    @Flag(help: "Writes a line to standard error for each page, where that is no terminal.")
    var progress = false

    func run() throws {
        let move = try StoreMove(from: source, to: destination, modelPath: model)
        defer { try? move.close() }
        if move.isResumed { print("going on with a move that was stopped") }
        let display = ProgressDisplay(isWanted: progress)
        defer { display.end() }
        let entities = try move.run(progress: display.show)
        display.end()
        for entity in entities where entity.count > 0 { print("  \(entity.name): \(entity.count)") }
        let count = entities.reduce(0) { $0 + $1.count }
        let name = try StoreAddress.shown(destination)
        print("moved \(count) \(count == 1 ? "object" : "objects") to \(name); both stores hold the same")
    }
}
