// `coredata migrate`

import ArgumentParser
import CoreData
import StoreTools

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Brings a store to another version of its model.",
        discussion: """
            Shows what will be done with how many rows, asks before data is dropped (--yes answers, and is needed \
            where nobody can be asked), and changes the store in one transaction. --backup leaves a copy beside it.

            EXAMPLE
              coredata migrate Library.sqlite --to Library.xcdatamodeld --dry-run
              coredata migrate Library.sqlite --to Library.xcdatamodeld --backup
            """)

    @Argument(help: "The store's SQLite file.")
    var store: String

    @Option(help: ArgumentHelp("The model to bring it to.", valueName: "model"))
    var to: String

    @Option(
        help: ArgumentHelp(
            "The store's present model; else the copy that the store keeps.", valueName: "model-or-store"))
    var from: String?

    @Flag(help: "Shows what would be done, and does nothing.")
    var dryRun = false

    @Flag(help: "Copies the store first, to a name with .backup at its end.")
    var backup = false

    @Flag(help: "Doesn't ask.")
    var yes = false

    func run() throws {
        let migration = try StoreMigration(of: store, from: from, to: to)
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
        if backup { print("copied to \(try migration.backUp().path)") }
        try migration.run()
        print("migrated")
    }
}
