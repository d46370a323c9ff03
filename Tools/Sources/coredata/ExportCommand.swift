// `coredata export`

import ArgumentParser
import CoreData
import StoreTools

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes all objects as JSON or CSV.",
        discussion: """
            One entity: a JSON list, or CSV. All entities: a JSON object with a list for each, or a folder \
            (--output) with a CSV file for each. Relationships are written as ENTITY/NUMBER, binary as \
            base64, dates in UTC. `coredata import` reads it; transformables of an application's own classes only \
            with --archives.

            EXAMPLE
              coredata export Bookmarks.sqlite BookmarkEntity --format csv --output bookmarks.csv
              coredata export Bookmarks.sqlite > all.json
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case json, csv

        var rows: RowFormat { self == .json ? .json : .csv }
    }

    @OptionGroup var options: StoreOptions

    @Argument(help: "The entity; all without it.")
    var entity: String?

    @Option(help: ArgumentHelp("json or csv.", valueName: "format"))
    var format: Format = .json

    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write; a folder for CSV of all entities."))
    var output: String?

    @Flag(help: "Writes transformables as the store's own bytes, so that they can be imported, not as trees.")
    var archives = false

    @Flag(help: "Replaces files that are there already.")
    var force = false

    func validate() throws {
        if entity == nil, format == .csv, output == nil {
            throw ValidationError("CSV of all entities needs --output FOLDER.")
        }
    }

    func run() throws {
        let store = try options.open()
        defer { try? store.close() }
        // One state of the store, whoever writes to it meanwhile; on a server each batch is of its own.
        try store.context.setQueryGenerationFrom(.current)
        do {
            try export(store)
        } catch let error as NSError where error.userInfo[NSSQLiteErrorDomain] as? Int == Self.snapshotError {
            throw ToolFailure(
                "Another program wrote over \(store.address.name) while it was read: export it again.")
        }
    }

    /// SQLite's SQLITE_ERROR_SNAPSHOT: a state that is to be read is no longer there.
    private static let snapshotError = 769

    private func export(_ store: OpenStore) throws {
        if let entity {
            return try write(
                try store.model.requiredEntity(entity), withSubentities: true, of: store, to: sink(output))
        }
        let entities = store.entities.filter { !$0.isAbstract }
        if format == .csv { return try writeFolder(entities, of: store) }
        let sink = try sink(output)
        for (position, entity) in entities.enumerated() {
            let name = PrintedValue.text(entity.name ?? "").json
            try sink.write((position == 0 ? "{ " : ", ") + name + ": ")
            try write(entity, withSubentities: false, of: store, to: sink, isWhole: false)
        }
        try sink.writeLine(entities.isEmpty ? "{}" : "}")
        try sink.finish()
    }

    private func sink(_ path: String?) throws -> Output {
        guard let path else { return Output() }
        return try Output(newFile: URL(fileURLWithPath: path), replacing: force)
    }

    private func writeFolder(_ entities: [NSEntityDescription], of store: OpenStore) throws {
        let folder = URL(fileURLWithPath: output ?? ".")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for entity in entities {
            let file = folder.appendingPathComponent("\(entity.name ?? "").csv")
            try write(entity, withSubentities: false, of: store, to: sink(file.path))
        }
    }

    private func write(
        _ entity: NSEntityDescription, withSubentities: Bool, of store: OpenStore, to sink: Output,
        isWhole: Bool = true
    ) throws {
        var query = try StoreQuery(entity, withToMany: true)
        query.includesSubentities = withSubentities
        for number in query.columns.indices {
            query.columns[number].showsArchives = archives
            query.columns[number].keepsBytes = true
        }
        var printer = try format.rows.printer(columns: query.columns.map(\.name), to: sink)
        try store.print(query, to: &printer, progress: entity.name)
        try printer.finish()
        if isWhole { try sink.finish() }
    }
}
