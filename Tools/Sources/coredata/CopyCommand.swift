// `coredata copy`

import ArgumentParser
import StoreTools

struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copies a store, also one that other programs have open.",
        discussion: """
            The copy is the store as it is at one moment, with what its -wal holds and with the files of its \
            external values. It appears under its name when it is whole. What is there already is never \
            replaced. In the end SQLite looks for damage in the copy; a damaged one is kept, and is an error.

            To a server or from one the objects are copied, as they are at one moment, and compared in the end. Such a copy \
            gets a UUID of its own and no history. One that was stopped is begun anew by the same command.

            EXAMPLE
              coredata copy Bookmarks.sqlite /backup/Bookmarks.sqlite
              coredata copy 'postgresql://app@db.example/library?schema=books' Books.sqlite
            """)

    @Argument(help: "The store: an SQLite file, or a postgresql:// address.")
    var store: String

    @Argument(help: "The store to make: a file, or a postgresql:// address.")
    var destination: String

    @Option(
        help: ArgumentHelp(
            "The store's model, to a server or from one. Without it the copy that the store keeps.",
            valueName: "model-or-store"))
    var model: String?

    @Flag(help: "Writes a line to standard error for each page of objects, where that is no terminal.")
    var progress = false

    func run() throws {
        let display = ProgressDisplay(isWanted: progress)
        defer { display.end() }
        try StoreDuplication.copy(from: store, to: destination, modelPath: model, progress: display.show)
        display.end()
        print("copied \(try StoreAddress.shown(store)) to \(try StoreAddress.shown(destination))")
    }
}
