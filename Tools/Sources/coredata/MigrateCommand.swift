// `coredata migrate`

import ArgumentParser
import CoreData
import StoreTools

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Brings a store to another version of its model.",
        discussion: """
            Shows what will be done with how many rows, asks before data is dropped (--yes answers, and is needed \
            where nobody can be asked), and changes the store in one transaction. --backup leaves a copy beside it. \
            What can't be inferred needs a mapping model; its policies' code can't run here. On a terminal progress \
            is shown; --progress writes it to standard error elsewhere. Of a store on a server the statements are shown \
            as well.

            EXAMPLE
              coredata migrate Library.sqlite --to Library.xcdatamodeld --dry-run
              coredata migrate Library.sqlite --to Library.xcdatamodeld --backup
              coredata migrate 'postgresql://app@db.example/library?schema=books' --to Library.xcdatamodeld --dry-run
              coredata migrate Library.sqlite --to Library.xcdatamodeld --mapping Library1To2.xcmappingmodel
            """)

    @Argument(help: "The store's SQLite file, or its address on a server.")
    var store: String

    @Option(help: ArgumentHelp("The model to bring it to.", valueName: "model"))
    var to: String

    @Option(
        help: ArgumentHelp(
            "The store's present model; else the copy that the store keeps.", valueName: "model-or-store"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "A mapping model, .xcmappingmodel or .cdm; else the mapping is inferred.", valueName: "file"))
    var mapping: String?

    @Flag(help: "Shows what would be done, and does nothing.")
    var dryRun = false

    @Flag(
        help:
            "Copies the store first: to a name with .backup at its end, or on a server to a schema with _backup at its end."
    )
    var backup = false

    @Flag(help: "Doesn't ask.")
    var yes = false

    @Flag(help: "Writes a line to standard error for each step, where that is no terminal.")
    var progress = false

    func run() throws {
        let migration = try StoreMigration(of: store, from: from, to: to, by: mapping)
        if migration.isUpToDate { return print("The store is of this version already.") }
        for line in migration.lines { print(line) }
        if dryRun { return }
        guard
            try yes || !migration.losesData
                || confirms(
                    "Drop this data?",
                    otherwise:
                        "Nothing was changed: data would be dropped, and nobody can be asked; --yes does it.")
        else {
            print("nothing was changed")
            throw ExitCode(1)
        }
        if backup { print("copied to \(try migration.backUp())") }
        let display = ProgressDisplay(isWanted: progress)
        defer { display.end() }
        try migration.run(progress: display.show)
        display.end()
        print("migrated")
    }
}
