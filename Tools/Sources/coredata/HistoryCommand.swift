// `coredata history`

import ArgumentParser
import CoreData
import StoreTools

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Lists the transactions of a store's persistent history.",
        discussion: """
            Oldest first: number, time, author, context, and how many objects were inserted, updated and \
            deleted. --changes adds a line for each object, with the properties that were updated.

            EXAMPLE
              coredata history Library.sqlite --since 2024-05-01 --author importer --changes
            """)

    @OptionGroup var options: StoreOptions

    @Option(help: ArgumentHelp("Only what came after this date or number.", valueName: "date-or-number"))
    var since: String?

    @Option(help: "Only transactions of this author.")
    var author: String?

    @Option(help: "Only so many, the last.")
    var limit: Int?

    @Flag(help: "Shows each change.")
    var changes = false

    @OptionGroup var format: JSONOption

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit can't be below 0.") }
    }

    func run() throws {
        let store = try options.open()
        defer { try? store.close() }
        var transactions = try StoreHistory(of: store).transactions(since: since, author: author)
        if let limit { transactions = transactions.suffix(limit) }
        let output = Output()
        if format.json {
            try output.writeLine(PrintedValue.list(transactions.map(\.record)).prettyJSON())
        } else {
            for transaction in transactions {
                try output.writeLine(transaction.line)
                if changes { for change in transaction.changes { try output.writeLine("  " + change.line) } }
            }
        }
        try output.finish()
    }
}
