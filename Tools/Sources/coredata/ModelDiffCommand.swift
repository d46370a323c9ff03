// `coredata model diff`

import ArgumentParser
import CoreData
import StoreTools

struct ModelDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Tells what changed from one version of a model to another.",
        discussion: """
            A line for each change, with + for what is new, - for what is gone and ~ for what is otherwise; and \
            whether a store can be migrated without a mapping model. The exit status is 1 if it can't.

            EXAMPLE
              coredata model diff Bookmarks.sqlite Bookmarks.xcdatamodeld
            """)

    @Argument(help: "The older version: a model file, or a store.")
    var older: String

    @Argument(help: "The newer version: a model file, or a store.")
    var newer: String

    func run() throws { try Self.compare(older, newer: newer) }

    /// Also of `coredata model --diff`.
    static func compare(_ older: String, newer: String) throws {
        let (older, newer) = (try ModelSource(path: older).read(), try ModelSource(path: newer).read())
        let changes: [String]
        do {
            changes = try newer.changes(since: older)
        } catch {
            print("A migration can't be inferred: it needs a mapping model.")
            throw ToolFailure(readable(error))
        }
        if changes.isEmpty { return print("The versions are the same.") }
        for change in changes { print(change) }
        print("A migration can be inferred.")
    }
}
