// `coredata import`

import ArgumentParser
import CoreData
import StoreTools

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Adds the objects of a CSV or JSON file.",
        usage: """
            coredata import <store> <entity> <file> [options]
            coredata import <store> <file> [options]
            """,
        discussion: """
            The columns of the CSV file, or the keys of the JSON objects, are properties of the entity. A \
            relationship is ENTITY/NUMBER, or is found by an attribute of the object that it leads to: \
            author.name. Several objects have semicolons between, or are a JSON list. An empty field or null \
            says nothing: the model's default applies; a field of two quotes is the empty text. JSON is a list \
            of objects, or an object on each line. - is standard input.

            What `coredata export` writes can be imported: a column id names the records, for the relationships \
            between them, and in a file that has it empty fields are nil. Without an entity, the file is the \
            export of a whole store: JSON, or a folder of CSV files. Every object becomes a new one.

            The whole file is checked first, and then added in one transaction. If a record is wrong, nothing is \
            added, unless --keep-going leaves such records out.

            EXAMPLE
              coredata import Library.sqlite Book books.csv
              coredata import Library.sqlite Book books.jsonl --update
              coredata export Old.sqlite | coredata import New.sqlite - --format json
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case csv, json
    }

    @OptionGroup var options: StoreOptions

    @Argument(help: ArgumentHelp("The entity, unless the file holds a whole store.", valueName: "entity"))
    var entityOrFile: String

    @Argument(help: "The file, a folder of CSV files, or -.")
    var file: String?

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

    /// So many that a server's plans may be others.
    private static let manyObjects = 1000

    private var path: String { file ?? entityOrFile }
    private var shownPath: String { path == "-" ? "standard input" : path }

    func validate() throws {
        if separator.count != 1 { throw ValidationError("--separator is one character.") }
        // An entity alone, unless there is such a folder.
        if file == nil, path != "-", !path.contains("/"), !path.contains("."),
            !FileManager.default.fileExists(atPath: path)
        {
            throw ValidationError("Missing expected argument '<file>'")
        }
    }

    func run() throws {
        let store = try options.open(dryRun ? .reading : .writing)
        defer { try? store.close() }
        let entity = try file.map { _ in try store.model.requiredEntity(entityOrFile) }
        let source = try ImportSource(path: path)
        let reader = try reader(of: source.url, holdsEntities: entity == nil)
        let work = try StoreImport(into: store, entity: entity, updating: update, reader: reader)
        do {
            try run(work, of: entity?.name ?? "")
        } catch let failure as ImportFailure {
            throw ToolFailure("\(shownPath), \(failure)")
        }
    }

    private func run(_ work: StoreImport, of entity: String) throws {
        let kind = entity.isEmpty ? "" : " of \(entity)"
        if dryRun {
            var count = try work.check()
            if !update { count -= try work.findConflicts() }
            try report(work)
            return print("\(amount(count, one: "object", many: "objects"))\(kind) can be added.")
        }
        let done = try insert(work)
        if done >= Self.manyObjects {
            try work.address.gatherFigures(after: "The objects were added")
        }
        print(
            "\(amount(done, one: "object", many: "objects"))\(kind) added\(update ? " or updated" : "")\(leftOut(work))."
        )
    }

    private func insert(_ work: StoreImport) throws -> Int {
        // The number of right records, once all were read before any is inserted.
        var checked: Int?
        do {
            if let done = try work.insertWhileChecking(leavingOut: keepGoing) {
                try report(work)
                return done
            }
            let count = try check(work)
            checked = count
            return try work.insert(total: count)
        } catch let error as NSError where error.code == NSManagedObjectConstraintMergeError && !update {
            // Only now, because a file without conflicts needs no look at each record's values.
            let count = try (checked ?? check(work)) - work.findConflicts()
            if work.failureCount == 0 { throw error }
            try report(work)
            return try work.insert(total: count)
        }
    }

    private func check(_ work: StoreImport) throws -> Int {
        let count = try work.check()
        try report(work)
        return count
    }

    /// Says which records are wrong. Throws unless they are to be left out.
    private func report(_ work: StoreImport) throws {
        for failure in work.takeFailures() {
            FileHandle.standardError.write(Data("\(shownPath), \(failure)\n".utf8))
        }
        if work.failureCount > 0, !keepGoing {
            throw ToolFailure(
                "\(amount(work.failureCount, one: "record is", many: "records are")) wrong; nothing is added."
            )
        }
    }

    private func leftOut(_ work: StoreImport) -> String {
        work.failureCount == 0
            ? "" : ", \(amount(work.failureCount, one: "record", many: "records")) left out"
    }

    private func reader(of url: URL, holdsEntities: Bool) throws -> () throws -> any ImportReader {
        let separator = separator.first ?? ","
        var isFolder: ObjCBool = false
        if holdsEntities, FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
            isFolder.boolValue
        {
            return { try CSVFolder(url, separator: separator) }
        }
        switch try format ?? impliedFormat() {
        case .csv:
            if holdsEntities {
                throw ToolFailure("Whose objects are in \(shownPath)? Name the entity before it.")
            }
            return { try CSVReader(url, separator: separator) }
        case .json: return { try JSONReader(url, holdsEntities: holdsEntities) }
        }
    }

    private func impliedFormat() throws -> Format {
        switch URL(fileURLWithPath: path).pathExtension.lowercased() {
        case "csv", "tsv": return .csv
        case "json", "jsonl", "ndjson": return .json
        default:
            throw ToolFailure("The name of \(shownPath) doesn't say its format: add --format csv or json.")
        }
    }

    private func amount(_ count: Int, one: String, many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }
}
