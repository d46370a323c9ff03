// `coredata vacuum`

import ArgumentParser
import StoreTools

struct VacuumCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vacuum", abstract: "Gives the pages that a store no longer needs back to the disk.",
        discussion: """
            Rewrites the file without free pages, and gathers figures about the indexes anew. Needs as much room \
            on the disk as the file has, and that no other program has the store open for writing.

            A server takes the room of deleted rows back while programs are at work, for rows to come. With --rewrite it \
            writes each table anew, so that its disk has the room; nobody reads or writes that table meanwhile.

            EXAMPLE
              coredata vacuum Bookmarks.sqlite
              coredata vacuum 'postgresql://app@db.example/library?schema=books'
            """)

    @OptionGroup var options: StoreOptions

    @Flag(help: "Has a server write the tables anew.")
    var rewrite = false

    func run() throws {
        let (before, after) = try StoreAddress(options.store).vacuum(
            modelPath: options.model, ignoringVersions: options.ignoreVersions, rewriting: rewrite)
        print("\(before) bytes before, \(after) bytes now.")
    }
}
