// `coredata sql`

import ArgumentParser
import CoreData
import StoreTools

struct SQLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql", abstract: "Runs an SQL statement that only reads.",
        discussion: """
            The file is opened for reading and stays as it is; on a server the transaction can't write. Statements that \
            write are refused.

            EXAMPLE
              coredata sql Bookmarks.sqlite 'SELECT Z_PK, ZTITLE FROM ZBOOKMARKENTITY LIMIT 5'
            """)

    @Argument(help: "The store: an SQLite file, or a postgresql:// address.")
    var store: String

    @Argument(help: "One statement.")
    var statement: String

    @Option(help: ArgumentHelp("table, json or csv.", valueName: "format"))
    var format: RowFormat = .table

    func run() throws {
        let output = Output()
        var printer: (any RowPrinter)?
        try StoreAddress(store).readSQL(
            statement,
            columns: { printer = try format.printer(columns: $0, to: output) },
            row: { try printer?.print($0.map { PrintedValue($0) }) })
        try printer?.finish()
        try output.finish()
    }
}
