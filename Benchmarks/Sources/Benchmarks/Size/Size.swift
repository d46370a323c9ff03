// `--size`: what many rows take. Each piece of work in its own process time, wall time, and growth of memory.
//
//   Scripts/bench --size                     5,000,000 objects, and a million to migrate, import and export
//   Scripts/bench --size --objects 500000    fewer; the others a fifth of it
//   Scripts/bench --size --only insert       one of: insert, delete, fetch, batch, migrate, csv

import CoreData
import Foundation
import StoreTools

/// A piece of work over many rows.
struct SizeOutcome {
    let name: String
    let rows: Int
    let processor: Double
    let wall: Double
    let growth: Double
    var note = ""

    var line: String {
        let speed = Double(rows) / max(wall, 1e-9)
        return String(
            format: "%@: %.1f s of processor, %.1f s, %.0f rows/s, %.2f µs/row, grew by %.0f MB%@", name,
            processor, wall, speed, processor / Double(rows) * 1e6, growth, note.isEmpty ? "" : "; \(note)")
    }
}

struct SizeRun {
    let folder: URL
    let count: Int
    /// Settings for plain SQLite: those that the framework chooses at this size.
    var cacheKilobytes = 64_000
    var checkpointPages = 4_000

    /// Objects that are migrated, imported and exported.
    private var fewer: Int { max(1000, count / 5) }

    func run(_ only: String?) throws {
        for (name, work) in [
            ("insert", insertAndDelete), ("fetch", fetch), ("batch", batch), ("migrate", migrate),
            ("csv", values),
        ] where only == nil || only == name || only == "delete" && name == "insert" {
            try work()
        }
    }

    private func timed(_ name: String, _ rows: Int, _ work: () throws -> String) throws -> SizeOutcome {
        let (processor, start) = (Clock.processorTime(), ContinuousClock.now)
        var note = ""
        let growth = try Clock.growth { note = try work() }
        let outcome = SizeOutcome(
            name: name, rows: rows, processor: (Clock.processorTime() - processor) / 1000,
            wall: (ContinuousClock.now - start) / .seconds(1), growth: growth.own, note: note)
        print(outcome.line)
        return outcome
    }

    private func compare(_ what: String, _ ours: SizeOutcome, _ raw: SizeOutcome) {
        print(
            String(
                format: "%@: ratio %.2f of processor time, %.2f of wall time", what,
                ours.processor / raw.processor, ours.wall / raw.wall))
    }

    // MARK: Inserting and deleting

    private func insertAndDelete() throws {
        let (plain, store) = (try SizeStore.empty(in: folder), try SizeStore.empty(in: folder))
        defer {
            Files.remove(plain)
            Files.remove(store)
        }
        let raw = try timed("insert, plain SQLite", count) {
            try SizeStore.insertRaw(
                count, into: plain, cacheKilobytes: cacheKilobytes, checkpointPages: checkpointPages)
            return ""
        }
        let ours = try timed("insert, CoreData", count) {
            try SizeStore.insert(count, into: store)
            return ""
        }
        compare("insert in saves of \(SizeStore.saveSize)", ours, raw)
        let rawHalf = try timed("delete half, plain SQLite", count / 2) {
            let gone = try SizeStore.deleteHalfRaw(
                of: plain, cacheKilobytes: cacheKilobytes, checkpointPages: checkpointPages)
            return "\(gone) deleted"
        }
        let half = try timed("delete half, CoreData", count / 2) {
            "\(try SizeStore.deleteHalf(of: store)) deleted"
        }
        compare("delete half in one batch", half, rawHalf)
    }

    /// A store with so many rows.
    private func store(_ count: Int) throws -> URL {
        let url = try SizeStore.empty(in: folder)
        try SizeStore.insertRaw(
            count, into: url, cacheKilobytes: cacheKilobytes, checkpointPages: checkpointPages)
        try RawSQLite(path: url.path).run("UPDATE Z_PRIMARYKEY SET Z_MAX = \(count) WHERE Z_NAME = 'Reading'")
        return url
    }

    // MARK: Long results

    private func fetch() throws {
        let url = try store(count)
        defer { Files.remove(url) }
        let request = NSFetchRequest<Reading>(entityName: "Reading")
        request.fetchBatchSize = 500
        for isSorted in [false, true] {
            request.sortDescriptors = isSorted ? [NSSortDescriptor(key: "token", ascending: true)] : []
            let order = isSorted ? "in the order of random keys" : "in the order of keys"
            let context = try Stack.context(SizeStore.model(), url)
            var kept: [Reading] = []
            let outcome = try timed("fetch(_:) with a batch size, \(order)", count) {
                kept = try context.performAndWait { try context.fetch(request) }
                let sum = context.performAndWait { kept[kept.count / 2].sequence }
                return "the middle one is \(sum)"
            }
            print(String(format: "  %.0f bytes a row", outcome.growth * 1_048_576 / Double(count)))
            kept = []
            let other = try Stack.context(SizeStore.model(), url)
            let batched = try timed("fetchBatched(_:), \(order)", count) {
                try other.performAndWait {
                    let results = try other.fetchBatched(request)
                    return "the middle one is \(results[results.count / 2].sequence)"
                }
            }
            print(String(format: "  %.0f bytes a row", batched.growth * 1_048_576 / Double(count)))
        }
    }

    // MARK: One batch

    private func batch() throws {
        let url = try SizeStore.empty(in: folder)
        defer { Files.remove(url) }
        _ = try timed("batch insert into an empty store", fewer) {
            try SizeStore.insertBatch(fewer, into: url)
            return ""
        }
        _ = try timed("batch insert of a tenth more", fewer / 10) {
            try SizeStore.insertBatch(fewer / 10, into: url)
            return ""
        }
    }

    // MARK: Migrating

    private func migrate() throws {
        let (url, new) = (try store(fewer), Files.fresh(folder))
        defer {
            Files.remove(url)
            Files.remove(new)
        }
        let (old, model) = (SizeStore.model(), SizeStore.model(newer: true))
        let mapping = NSEntityMapping()
        (mapping.name, mapping.mappingType) = ("ReadingToReading", .transformEntityMappingType)
        (mapping.sourceEntityName, mapping.destinationEntityName) = ("Reading", "Reading")
        mapping.attributeMappings = ["code", "group", "sequence", "token", "amount"].map { name in
            let property = NSPropertyMapping()
            property.name = name
            let source = name == "amount" ? "value" : name
            property.valueExpression = NSExpression(format: "$source.\(source)")
            return property
        }
        let mappings = NSMappingModel()
        mappings.entityMappings = [mapping]
        _ = try timed("migration by a mapping model", fewer) {
            let manager = NSMigrationManager(sourceModel: old, destinationModel: model)
            try manager.migrateStore(
                from: url, sourceType: NSSQLiteStoreType, options: nil, with: mappings, toDestinationURL: new,
                destinationType: NSSQLiteStoreType, destinationOptions: nil)
            return ""
        }
    }

    // MARK: Values in text

    private func values() throws {
        let (url, copy) = (try store(fewer), try SizeStore.empty(in: folder))
        let file = folder.appendingPathComponent("readings.csv")
        defer {
            Files.remove(url)
            Files.remove(copy)
            try? FileManager.default.removeItem(at: file)
        }
        _ = try timed("export as CSV", fewer) {
            let store = try OpenStore(path: url.path)
            let output = try Output(newFile: file, replacing: true)
            let query = try StoreQuery(try store.model.requiredEntity("Reading"), withToMany: true)
            var printer = try RowFormat.csv.printer(columns: query.columns.map(\.name), to: output)
            try store.print(query, to: &printer)
            try printer.finish()
            try output.finish()
            try store.close()
            return ""
        }
        _ = try timed("import of that file", fewer) {
            let store = try OpenStore(path: copy.path, access: .writing)
            let entity = try store.model.requiredEntity("Reading")
            let work = try StoreImport(into: store, entity: entity) { try CSVReader(file) }
            let count =
                try work.insertWhileChecking(leavingOut: false) ?? work.insert(total: work.check())
            try store.close()
            return "\(count) added"
        }
    }
}
