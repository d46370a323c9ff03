// `coredata query`

import ArgumentParser
import CoreData
import StoreTools

struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Fetches objects of an entity.",
        discussion: """
            Without --select: the object's name, its attributes and its to-one relationships. Rows of the \
            same rank come in the order of their numbers.

            EXAMPLE
              coredata query Bookmarks.sqlite BookmarkEntity \\
                --where 'isFolder == NO AND title CONTAINS[cd] "a"' --sort title,-id --limit 20
              coredata query Bookmarks.sqlite BookmarkEntity --select title,parent.title,children.@count
              coredata query Library.sqlite Book --template booksOfAuthor --variable 'NAME="Ada"'
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The entity.")
    var entity: String

    @Option(name: .customLong("where"), help: ArgumentHelp("A predicate.", valueName: "predicate"))
    var predicate: String?

    @Option(help: ArgumentHelp("A fetch request template of the model.", valueName: "name"))
    var template: String?

    @Option(
        help: ArgumentHelp(
            "A value for a variable of the template, as predicates write it; may be repeated.",
            valueName: "name=value"))
    var variable: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Key paths to sort by, with commas; - before one for descending.", valueName: "keys"))
    var sort: [String] = []

    @Option(help: ArgumentHelp("At most so many rows.", valueName: "n"))
    var limit: Int?

    @Option(help: ArgumentHelp("Passes over so many rows.", valueName: "n"))
    var offset: Int = 0

    @Option(help: ArgumentHelp("Key paths to show, with commas; id is the object's name.", valueName: "keys"))
    var select: [String] = []

    @Flag(help: "Leaves out objects of entities that inherit.")
    var noSubentities = false

    @Flag(help: "Prints only how many objects there are.")
    var count = false

    @Flag(help: "Prints the SQL, its bindings and SQLite's plan instead of the rows.")
    var explain = false

    @Option(help: ArgumentHelp("table, json or csv.", valueName: "format"))
    var format: RowFormat = .table

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit can't be below 0.") }
        if offset < 0 { throw ValidationError("--offset can't be below 0.") }
        if template == nil, !variable.isEmpty { throw ValidationError("--variable goes with --template.") }
    }

    func run() throws {
        let store = try options.open()
        defer { try? store.close() }
        let entity = try store.model.requiredEntity(entity)
        var query = try marking(predicate) {
            try StoreQuery(entity, predicate: predicate, sort: list(sort), select: list(select))
        }
        if let template { try query.restrict(toTemplate: template, variables: variable) }
        query.offset = offset
        query.includesSubentities = !noSubentities
        let output = Output()
        // For a fetch 0 means no bound, for a person none.
        query.limit = limit ?? 0
        if count {
            try output.writeLine("\(limit == 0 ? 0 : try store.context.count(for: query.request))")
        } else if explain {
            try explain(query, store: store, output: output)
        } else {
            var printer = try format.printer(columns: query.columns.map(\.name), to: output)
            if limit != 0 { try store.print(query, to: &printer) }
            try printer.finish()
        }
        try output.finish()
    }

    private func explain(_ query: StoreQuery, store: OpenStore, output: Output) throws {
        let description = try store.coordinator.sqlDescription(for: query.request, in: store.store)
        if format == .json {
            let record = PrintedValue.object([
                "sql": .text(description.sql), "bindings": .list(description.bindings.map { .text($0) }),
                "plan": .list(description.plan.map { .text($0) }),
            ])
            return try output.writeLine(record.prettyJSON())
        }
        try output.writeLine(description.sql)
        for (position, binding) in description.bindings.enumerated() {
            try output.writeLine("  \(store.address.isFile ? "?" : "$")\(position + 1) = \(binding)")
        }
        for line in description.plan { try output.writeLine("  plan: \(line)") }
    }
}
