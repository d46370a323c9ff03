// Routes for files: rows as CSV or JSON, objects from CSV or JSON.

import CoreData
import StoreTools

extension DataRoutes {
    func addTransfer(to routes: inout StudioRoutes) {
        // POST would cover it as well, but a link with GET is what browsers save as a file.
        routes.get("data/export/:entity") { call -> StudioResponse in
            try await Self.export(call)
        }
        routes.post("data/import/:entity/preview") { call in
            let name = try call.parameter("entity")
            try await call.allow(.importing, entity: name)
            let body = call.request.body
            let isJSON = call.optionalText("form") == "json"
            return try await call.workspace.run { workspace in
                let entity = try workspace.entity(name)
                return try Self.withFile(body) { url in
                    let (columns, records, count) = try DataImport.columns(Self.reader(url, isJSON: isJSON))
                    return Self.preview(columns, records: records, count: count, entity: entity)
                }
            }
        }
        addImport(to: &routes)
    }

    private func addImport(to routes: inout StudioRoutes) {
        routes.post("data/import/:entity") { call in
            let name = try call.parameter("entity")
            try await call.allow(.importing, entity: name)
            let body = call.request.body
            let isJSON = call.optionalText("form") == "json"
            let skips = call.optionalText("skip") != nil
            let text = try call.text("mapping")
            let mapping = (try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))) ?? [:]
            let grants = await Grants(Self.objectActions + [.importing], call: call)
            return try await call.workspace.edit("Import \(name)") { workspace -> StudioValue in
                let work = try DataImport(
                    workspace.entity(name), mapping: mapping, workspace: workspace, grants: grants)
                return try Self.withFile(body) { url in
                    let made = try work.run(Self.reader(url, isJSON: isJSON), skippingFailures: skips)
                    return [
                        "count": .integer(made.count), "failureCount": .integer(work.failures.count),
                        "failures": .list(
                            work.failures.prefix(100).map {
                                ["line": .integer($0.line), "message": .text(String($0.message.prefix(500)))]
                            }),
                        "status": workspace.status,
                    ]
                }
            }
        }
    }

    private static func export(_ call: StudioCall) async throws -> StudioResponse {
        let name = try call.parameter("entity")
        let text = try call.text("query")
        guard var fields = try? JSONDecoder().decode(GridQuery.Fields.self, from: Data(text.utf8)) else {
            throw StudioProblem(status: 400, "The query can't be read.")
        }
        guard let form = DataExport.Form(rawValue: call.optionalText("form") ?? "csv") else {
            throw StudioProblem(status: 400, "Rows are exported as csv or json.")
        }
        fields.entity = name
        try await call.allow(.export, entity: name)
        let grants = await Grants([.read, .export], call: call)
        let part =
            call.optionalText("offset") == nil
            ? nil : try call.number("offset", default: 0, in: 0...Int(Int32.max))
        let query = try GridQuery(fields, in: call.workspace, grants: grants, for: .export)
        let exports = try call.workspace.exports
        let begun = call.optionalText("snapshot")
        let read = try await ExportPart(
            file: DataExport(form, of: query.entity, keys: fields.columns), request: query.request(),
            offset: part,
            state: part == nil ? nil : begun.map(exports.state) ?? .current
        ).read(from: call.studio.coordinator)
        var response = StudioResponse.download(
            read.data, name: "\(name).\(form.rawValue)", type: form.type)
        if part != nil {
            response.headers["X-Studio-Rows"] = "\(read.count)"
            if read.count < DataExport.rows {
                exports.end(begun)
            } else if let snapshot = begun ?? exports.keep(read.state) {
                response.headers["X-Studio-Snapshot"] = snapshot
            }
        }
        return response
    }

    /// Unchecked: made for one request, and used on its context's queue only.
    private struct ExportPart: @unchecked Sendable {
        let file: DataExport
        let request: NSFetchRequest<NSManagedObject>
        /// The offset at which the part begins; nil for a whole file.
        let offset: Int?
        let state: NSQueryGenerationToken?

        /// The part's bytes, how many rows it has, and the state of the store that it was read from.
        func read(from coordinator: NSPersistentStoreCoordinator?) async throws -> (
            data: Data, count: Int, state: NSQueryGenerationToken?
        ) {
            // A context of its own, which goes away with all that it read.
            let scratch = NSManagedObjectContext(.privateQueue)
            scratch.persistentStoreCoordinator = coordinator
            return try await scratch.perform {
                try pin(scratch)
                request.fetchOffset = offset ?? 0
                request.fetchLimit = DataExport.rows + (offset == nil ? 1 : 0)
                let objects = try fetched(request, context: scratch)
                if objects.count > DataExport.rows {
                    throw StudioProblem(
                        status: 413,
                        "These are more than \(DataExport.rows) rows: ask for them in parts, with offset.")
                }
                let data = try file.data(objects, isWhole: offset == nil, isFirst: offset ?? 0 == 0)
                return (data, objects.count, scratch.queryGenerationToken)
            }
        }

        private func pin(_ context: NSManagedObjectContext) throws {
            do {
                try context.setQueryGenerationFrom(state)
            } catch {
                throw StudioProblem(
                    status: 409, "So much was saved meanwhile that the file can't be ended: export it anew.")
            }
        }
    }

    private static func fetched(
        _ request: NSFetchRequest<NSManagedObject>, context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        do {
            return try context.fetch(request)
        } catch {
            throw StudioProblem(status: 422, readable(error))
        }
    }

    private static func preview(
        _ columns: [String], records: [ImportRecord], count: Int, entity: NSEntityDescription
    ) -> StudioValue {
        let rows = records.map { record -> StudioValue in
            let cells = Dictionary(
                record.cells.map { ($0.name, $0.cell) }, uniquingKeysWith: { first, _ in first })
            return ["line": .integer(record.line), "cells": .list(columns.map { text(cells[$0]) })]
        }
        let mapping = DataImport.guess(columns, entity: entity).mapValues { StudioValue.text($0) }
        return [
            "columns": .texts(columns), "rows": .list(rows), "count": .integer(count),
            "mapping": .record(mapping),
            "targets": .texts(targets(entity)),
        ]
    }

    private static func text(_ cell: ImportRecord.Cell?) -> StudioValue {
        switch cell {
        case nil: .null
        case .text(let text, _)?: .text(String(text.prefix(ShownValue.cell)))
        case .json(let value)?: .text(String(PrintedValue(any: value).cell.prefix(ShownValue.cell)))
        }
    }

    /// Returns the targets that a column can be mapped to.
    private static func targets(_ entity: NSEntityDescription) -> [String] {
        entity.shownProperties.filter { $0.lock == nil }.flatMap { property -> [String] in
            switch property {
            case let composite as NSCompositeAttributeDescription:
                return composite.elements.map { "\(composite.name).\($0.name)" }
            case is NSAttributeDescription: return [property.name]
            case let relationship as NSRelationshipDescription where !relationship.isToMany:
                let title =
                    relationship.destinationEntity?.titleKey.map { ["\(relationship.name).\($0)"] } ?? []
                return title + [relationship.name]
            default: return []
            }
        }
    }

    /// The readers of files read files: what was sent becomes one for as long as it is read.
    private static func withFile<Result>(_ data: Data, body: (URL) throws -> Result) throws -> Result {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("studio-\(UUID().uuidString)")
        guard
            FileManager.default.createFile(
                atPath: url.path, contents: data, attributes: [.posixPermissions: NSNumber(value: 0o600)])
        else { throw StudioProblem(status: 500, "There is no room for the file at \(url.path).") }
        defer { try? FileManager.default.removeItem(at: url) }
        do {
            return try body(url)
        } catch let failure as ImportFailure {
            throw StudioProblem(
                status: 422, "Line \(failure.line): \(failure.reason)", details: ["line": "\(failure.line)"])
        }
    }

    private static func reader(_ url: URL, isJSON: Bool) throws -> any ImportReader {
        isJSON ? try JSONReader(url) : try CSVReader(url)
    }
}
