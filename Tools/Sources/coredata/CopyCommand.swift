// `coredata copy`

import ArgumentParser
import CoreData
import StoreTools

struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copies a store, also one that other programs have open.",
        discussion: """
            The copy is the store as it is at one moment, with what its -wal holds and with the files of its \
            external values. It appears under its name when it is whole. A file that is there already is never \
            replaced.

            EXAMPLE
              coredata copy Bookmarks.sqlite /backup/Bookmarks.sqlite
            """)

    @Argument(help: "The store's SQLite file.")
    var store: String

    @Argument(help: "The file to make.")
    var destination: String

    func run() throws {
        for place in [store, destination] {
            try StoreAddress(place).requireFile(for: "copy", advice: "coredata move copies its objects.")
        }
        let (source, copy) = (URL(fileURLWithPath: store), URL(fileURLWithPath: destination))
        _ = try OpenStore.metadata(of: source)
        if FileManager.default.fileExists(atPath: copy.path) {
            throw ToolFailure("There is a file at \(copy.path) already.")
        }
        try NSPersistentStoreCoordinator.copyPersistentStore(at: source, to: copy)
        print("copied \(store) to \(destination)")
    }
}
