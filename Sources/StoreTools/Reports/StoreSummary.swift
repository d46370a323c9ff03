// The contents of `info` about a store: file, metadata, entities.

import CoreData

/// Facts about a store's file, read without changing it.
public struct StoreSummary {
    private let url: URL
    private let metadata: [String: Any]
    private let pages: Pages
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
    ///   - path: the store's file.
    ///   - modelPath: the model's file, or nil.
    /// - Throws: the errors of opening a store; those of reading the model that is named.
    public init(path: String, modelPath: String?) throws {
        url = URL(fileURLWithPath: path)
        metadata = try OpenStore.metadata(of: url)
        pages = try Self.pages(of: url)
        if modelPath != nil {
            model = try ModelSource(path: modelPath ?? path).read(for: metadata)
        } else {
            model = try NSPersistentStoreCoordinator.model(inStoreAt: url)
        }
        modelOrigin = modelPath.map { "from \($0)" } ?? "the store's own copy"
        counts = try Self.counts(url, path, modelPath, isOpenable: model?.configuration(for: metadata) != nil)
    }

    private static func pages(of url: URL) throws -> Pages {
        var pages = Pages()
        pages.size = try integer("PRAGMA page_size", url)
        pages.count = try integer("PRAGMA page_count", url)
        pages.free = try integer("PRAGMA freelist_count", url)
        pages.usesLog = try NSPersistentStoreCoordinator.usesWriteAheadLog(storeAt: url)
        return pages
    }

    private static func integer(_ sql: String, _ url: URL) throws -> Int64 {
        var result: Int64 = 0
        try NSPersistentStoreCoordinator.readSQL(sql, inStoreAt: url) { row in
            if case .integer(let number)? = row.first { result = number }
        }
        return result
    }

    private static func counts(
        _ url: URL, _ path: String, _ modelPath: String?, isOpenable: Bool
    ) throws -> [EntityCount] {
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
        return metadata.filter { !shown.contains($0.key) }.map { .init($0.key, PrintedValue(any: $0.value)) }
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
        return .object([
            "path": .text(url.path), "type": PrintedValue(any: metadata[NSStoreTypeKey]),
            "uuid": PrintedValue(any: metadata[NSStoreUUIDKey]),
            "frameworkVersion": PrintedValue(any: metadata["NSPersistenceFrameworkVersion"]),
            "model": .text(modelText), "modelMatches": .bool(model?.configuration(for: metadata) != nil),
            "bytes": .integer(bytes("")), "pageSize": .integer(pages.size), "pages": .integer(pages.count),
            "freePages": .integer(pages.free), "writeAheadLog": .bool(pages.usesLog),
            "logBytes": exists("-wal") ? .integer(bytes("-wal")) : .null,
            "entities": .list(entities), "metadata": .record(otherMetadata),
        ])
    }

    /// Writes the summary, for people.
    ///
    /// - Throws: the errors of writing.
    public func write(to output: Output) throws {
        let facts: KeyValuePairs = [
            "Store": url.path,
            "Type": PrintedValue(any: metadata[NSStoreTypeKey]).cell,
            "UUID": PrintedValue(any: metadata[NSStoreUUIDKey]).cell,
            "Framework": PrintedValue(any: metadata["NSPersistenceFrameworkVersion"]).cell,
            "Model": modelText, "File": fileText, "Journal": journalText,
        ]
        for (name, text) in facts { try output.writeLine(name.padded(to: 10) + text) }
        try output.writeLine()
        var table = try RowFormat.table.printer(columns: ["Entity", "Rows", "Next key"], to: output)
        for count in counts {
            try table.print([
                .text(count.name), count.rows.map { .integer(Int64($0)) } ?? .null,
                count.nextKey.map { .integer($0) } ?? .null,
            ])
        }
        try table.finish()
        if otherMetadata.isEmpty { return }
        try output.writeLine()
        var rest = try RowFormat.table.printer(columns: ["Metadata", "Value"], to: output)
        for field in otherMetadata { try rest.print([.text(field.name), field.value]) }
        try rest.finish()
    }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - displayWidth))
    }
}
