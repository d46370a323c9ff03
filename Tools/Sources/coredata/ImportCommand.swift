// `coredata import`

import ArgumentParser
import CoreData
import StoreTools

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Adds the objects of a CSV or JSON file.",
        discussion: """
            The columns of the CSV file, or the keys of the JSON objects, are properties of the entity. A to-one \
            relationship is ENTITY/NUMBER, or is found by an attribute of the object that it leads to: \
            author.name. An empty field or null says nothing: the model's default applies. JSON is a list of \
            objects, or an object on each line.

            The whole file is checked first, and then added in one transaction. If a record is wrong, nothing is \
            added, unless --keep-going leaves such records out.

            EXAMPLE
              coredata import Library.sqlite Book books.csv
              coredata import Library.sqlite Book books.jsonl --update
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case csv, json
    }

    @OptionGroup var options: StoreOptions

    @Argument(help: "The entity.")
    var entity: String

    @Argument(help: "The file.")
    var file: String

    @Option(help: ArgumentHelp("csv or json; else as the file's name says.", valueName: "format"))
    var format: Format?

    @Option(help: "What separates the fields of a CSV file.")
    var separator: String = ","

    @Flag(help: "Updates objects that have the same values as the file's in a uniqueness constraint.")
    var update = false

    @Flag(help: "Leaves out what is wrong, and adds the rest.")
    var keepGoing = false

    @Flag(help: "Checks the file, and adds nothing.")
    var dryRun = false

    func validate() throws {
        if separator.count != 1 { throw ValidationError("--separator is one character.") }
    }

    func run() throws {
        let format = try format ?? impliedFormat()
        let url = URL(fileURLWithPath: file)
        let separator = separator.first ?? ","
        let store = try options.open(dryRun ? .reading : .writing)
        defer { try? store.close() }
        let entity = try store.model.requiredEntity(entity)
        let work = try StoreImport(into: store, entity: entity) { () -> any ImportReader in
            switch format {
            case .csv: try CSVReader(url, separator: separator)
            case .json: try JSONReader(url)
            }
        }
        let count: Int
        do {
            count = try work.check()
        } catch let failure as ImportFailure {
            throw ToolFailure("\(file), \(failure)")
        }
        for failure in work.failures {
            FileHandle.standardError.write(Data("\(file), \(failure)\n".utf8))
        }
        if work.failureCount > 0, !keepGoing {
            throw ToolFailure(
                "\(amount(work.failureCount, "record is", "records are")) wrong; nothing is added.")
        }
        if dryRun {
            return print("\(amount(count, "object", "objects")) of \(entity.name ?? "") can be added.")
        }
        let done = try work.insert(updating: update, total: count)
        print(
            "\(amount(done, "object", "objects")) of \(entity.name ?? "") added\(update ? " or updated" : "")."
        )
    }

    private func impliedFormat() throws -> Format {
        switch URL(fileURLWithPath: file).pathExtension.lowercased() {
        case "csv", "tsv": return .csv
        case "json", "jsonl", "ndjson": return .json
        default: throw ToolFailure("The name of \(file) doesn't say its format: add --format csv or json.")
        }
    }

    private func amount(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }
}
