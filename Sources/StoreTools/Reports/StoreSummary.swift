// The contents of `info` about a store: file, metadata, entities.

import CoreData

/// Facts about a store, read without changing it.
public struct StoreSummary {
    private let address: StoreAddress
    private var url: URL { address.url }
    private let metadata: [String: Any]
    /// Those of a file.
    private let pages: Pages
    /// That of a store that isn't a file.
    private let server: String
    private let model: NSManagedObjectModel?
    private let modelOrigin: String
    private let counts: [EntityCount]

    private struct Pages {
        var size: Int64 = 0
        var count: Int64 = 0
        var free: Int64 = 0
        var usesLog = false
    }

    private struct EntityCount {
        let name: String
        let rows: Int?
        let nextKey: Int64?
    }

    /// Looks at a store. A model is looked for in it, unless one is named; without one the rows of entities
    /// are not counted.
    ///
    /// - Parameters:
    ///   - path: the store's file, or the address of one on a server.
    ///   - modelPath: the model's file, or nil.
    /// - Throws: the errors of opening a store; those of reading the model that is named.
    public init(path: String, modelPath: String?) throws {
        address = try StoreAddress(path)
        metadata = try address.metadata()
        pages = address.isFile ? try Self.pages(of: address.url) : Pages()
        server = address.isFile ? "" : try Self.server(of: address)
        if modelPath != nil {
            model = try ModelSource(path: modelPath ?? path).read(for: metadata)
        } else {
            model = try address.model()
        }
        modelOrigin = try modelPath.map { "from \(try StoreAddress.shown($0))" } ?? "the store's own copy"
        counts = try Self.counts(
            address, path: path, modelPath: modelPath, isOpenable: model?.configuration(for: metadata) != nil)
    }

    private static func server(of address: StoreAddress) throws -> String {
        var text = ""
        try address.readSQL("SELECT version()") { row in
            if case .text(let version)? = row.first { text = version }
        }
        return text
    }

    private static func pages(of url: URL) throws -> Pages {
        var pages = Pages()
        pages.size = try integer("PRAGMA page_size", url: url)
        pages.count = try integer("PRAGMA page_count", url: url)
        pages.free = try integer("PRAGMA freelist_count", url: url)
        pages.usesLog = try NSPersistentStoreCoordinator.usesWriteAheadLog(storeAt: url)
        return pages
    }

    private static func integer(_ sql: String, url: URL) throws -> Int64 {
        var result: Int64 = 0
        try NSPersistentStoreCoordinator.readSQL(sql, inStoreAt: url) { row in
            if case .integer(let number)? = row.first { result = number }
        }
        return result
    }

    private static func counts(
        _ address: StoreAddress, path: String, modelPath: String?, isOpenable: Bool
    ) throws -> [EntityCount] {
        let (names, maxima) = address.isFile ? try counters(address.url) : ([], [:])
        guard isOpenable else {
            return names.map { EntityCount(name: $0, rows: nil, nextKey: maxima[$0].map { $0 &+ 1 }) }
        }
        let store = try OpenStore(path: path, modelPath: modelPath)
        defer { try? store.close() }
        return try store.entities.map { entity in
            let name = entity.name ?? ""
            return EntityCount(
                name: name, rows: entity.isAbstract ? nil : try store.count(entity),
                nextKey: maxima[name].map { $0 &+ 1 })
        }
    }

    /// The entities' names, and the greatest keys of those that hand out keys.
    private static func counters(_ url: URL) throws -> (names: [String], maxima: [String: Int64]) {
        var maxima: [String: Int64] = [:]
        var names: [String] = []
        try NSPersistentStoreCoordinator.readSQL(
            "SELECT Z_NAME, Z_MAX, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_NAME", inStoreAt: url
        ) { row in
            guard row.count == 3, case .text(let name) = row[0], case .integer(let maximum) = row[1] else {
                return
            }
            names.append(name)
            // Only entities without a parent hand out keys.
            if row[2] == .integer(0) { maxima[name] = maximum }
        }
        return (names, maxima)
    }
}

extension StoreSummary {
    /// Tells whether the store can be opened with its model, and if not, why.
    private var modelText: String {
        guard let model else { return "none: the store keeps no copy; name one with --model" }
        switch model.configuration(for: metadata) {
        case .all: return modelOrigin + ", matches"
        case .named(let name): return modelOrigin + ", matches with configuration \(name)"
        case nil:
            return modelOrigin + ", does not match: "
                + model.differences(from: metadata).joined(separator: "; ")
        }
    }

    private var fileText: String {
        "\(bytes("")) bytes, \(pages.count) pages of \(pages.size), \(pages.free) free"
    }

    private var journalText: String {
        guard pages.usesLog else { return "rollback journal" }
        let parts = ["-wal", "-shm"].map { suffix in
            exists(suffix) ? "\(suffix) \(bytes(suffix)) bytes" : "no \(suffix)"
        }
        return "write-ahead log, " + parts.joined(separator: ", ")
    }

    private func exists(_ suffix: String) -> Bool {
        FileManager.default.fileExists(atPath: url.resolvingSymlinksInPath().path + suffix)
    }

    private func bytes(_ suffix: String) -> Int64 {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: url.resolvingSymlinksInPath().path + suffix)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    private var otherMetadata: [PrintedValue.Field] {
        let shown: Set = [
            NSStoreTypeKey, NSStoreUUIDKey, "NSPersistenceFrameworkVersion", NSStoreModelVersionHashesKey,
        ]
        return metadata.filter { !shown.contains($0.key) }.map {
            .init($0.key, value: PrintedValue(any: $0.value))
        }
        .sorted { $0.name < $1.name }
    }

    /// For machines.
    public var record: PrintedValue {
        let entities = counts.map { count in
            PrintedValue.object([
                "name": .text(count.name), "rows": count.rows.map { .integer(Int64($0)) } ?? .null,
                "nextKey": count.nextKey.map { .integer($0) } ?? .null,
            ])
        }
        let store: KeyValuePairs<String, PrintedValue> = [
            "path": .text(address.name), "type": PrintedValue(any: metadata[NSStoreTypeKey]),
            "uuid": PrintedValue(any: metadata[NSStoreUUIDKey]),
            "frameworkVersion": PrintedValue(any: metadata["NSPersistenceFrameworkVersion"]),
            "model": .text(modelText), "modelMatches": .bool(model?.configuration(for: metadata) != nil),
        ]
        let contents: KeyValuePairs<String, PrintedValue> = [
            "entities": .list(entities), "metadata": .record(otherMetadata),
        ]
        return .record(
            [store, address.isFile ? fileFacts : ["server": .text(server)], contents].flatMap { part in
                part.map { PrintedValue.Field($0.key, value: $0.value) }
            })
    }

    private var fileFacts: KeyValuePairs<String, PrintedValue> {
        [
            "bytes": .integer(bytes("")), "pageSize": .integer(pages.size), "pages": .integer(pages.count),
            "freePages": .integer(pages.free), "writeAheadLog": .bool(pages.usesLog),
            "logBytes": exists("-wal") ? .integer(bytes("-wal")) : .null,
        ]
    }

    /// Writes the summary, for people.
    ///
    /// - Throws: the errors of writing.
    public func write(to output: Output) throws {
        var facts = [
            ("Store", address.name),
            ("Type", PrintedValue(any: metadata[NSStoreTypeKey]).cell),
            ("UUID", PrintedValue(any: metadata[NSStoreUUIDKey]).cell),
            ("Framework", PrintedValue(any: metadata["NSPersistenceFrameworkVersion"]).cell),
            ("Model", modelText),
        ]
        facts += address.isFile ? [("File", fileText), ("Journal", journalText)] : [("Server", server)]
        for (name, text) in facts { try output.writeLine(name.padded(to: 10) + text) }
        try output.writeLine()
        try writeCounts(to: output)
        if otherMetadata.isEmpty { return }
        try output.writeLine()
        var rest = try RowFormat.table.printer(columns: ["Metadata", "Value"], to: output)
        for field in otherMetadata { try rest.print([.text(field.name), field.value]) }
        try rest.finish()
    }

    private func writeCounts(to output: Output) throws {
        var table = try RowFormat.table.printer(columns: ["Entity", "Rows", "Next key"], to: output)
        for count in counts {
            try table.print([
                .text(count.name), count.rows.map { .integer(Int64($0)) } ?? .null,
                count.nextKey.map { .integer($0) } ?? .null,
            ])
        }
        try table.finish()
    }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - displayWidth))
    }
}
