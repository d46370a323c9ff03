// The works, each by both contestants.

import CoreData
import Foundation

/// One piece of work. The closures prepare it, outside of what is measured, and return it.
struct Work {
    let name: String
    /// The name that the mapper's script knows it by.
    let key: String
    let raw: () throws -> () throws -> Int64
    let framework: () throws -> () throws -> Int64
}

final class Bench {
    private let address: String
    private let raw: RawPostgreSQL
    /// Objects of the work before: giving them back is no part of a work.
    private var kept: [Item] = []

    init(_ server: PostgreSQLServer) throws {
        address = server.address()
        let context = try Rows.context(address)
        let large = try Rows.context(address, schema: "walk")
        raw = try RawPostgreSQL(address + "&options=-csearch_path%3Dbench")
        let marks = (1...12).map { "$\($0)" }.joined(separator: ", ")
        let columns = "object_id, object_version, \(Rows.columns)"
        try raw.prepare("insert", "INSERT INTO item (\(columns)) VALUES (\(marks))")
        try raw.prepare("all", "SELECT \(columns) FROM item")
        try raw.prepare(
            "sorted", "SELECT \(columns) FROM item WHERE i0 >= $1 ORDER BY i0 NULLS FIRST LIMIT 50")
        try raw.prepare("key", "SELECT \(columns) FROM item WHERE object_id = $1")
        try raw.prepare("keys", "SELECT object_id FROM walk.item")
        try raw.prepare("batch", "SELECT \(columns) FROM walk.item WHERE object_id = ANY($1::bigint[])")
        try Rows.insert(Rows.count, in: context)
        let values = FetchIntegers.names.indices.map { "i * 10 + \($0)" }.joined(separator: ", ")
        try raw.run(
            "INSERT INTO walk.item (\(columns)) SELECT i, 1, \(values) FROM generate_series(1, \(Rows.walked)) AS i"
        )
        try raw.run("VACUUM ANALYZE item, walk.item")
        withExtendedLifetime(large) {}
    }

    func works() throws -> [Work] { [fetch(), sorted(), try lookUp(), insert(), walk()] }

    private func fetch() -> Work {
        Work(name: "fetch 100,000 rows of ten integers", key: "fetch") { [raw] in
            { try raw.sum("all", nil, from: 2).sum }
        } framework: { [self] in
            kept = []
            let context = try Rows.context(address)
            return {
                self.kept = try context.fetch(NSFetchRequest<Item>(entityName: "Item"))
                return self.kept.reduce(0) { $0 &+ $1.sum }
            }
        }
    }

    private func sorted() -> Work {
        let starts = (0..<Rows.queries).map { Int64($0 * 997 % 90_000) * 10 }
        return Work(name: "1,000 sorted queries of 50 rows", key: "sorted") { [raw] in
            { try starts.reduce(0) { $0 &+ (try raw.sum("sorted", $1, from: 2).sum) } }
        } framework: { [self] in
            kept = []
            let context = try Rows.context(address)
            return {
                try starts.reduce(0) { sum, start in
                    let request = NSFetchRequest<Item>(entityName: "Item")
                    request.predicate = NSPredicate(format: "i0 >= %lld", start)
                    request.sortDescriptors = [NSSortDescriptor(key: "i0", ascending: true)]
                    request.fetchLimit = 50
                    return try context.fetch(request).reduce(sum) { $0 &+ $1.sum }
                }
            }
        }
    }

    private func lookUp() throws -> Work {
        let all = try Rows.context(address)
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "i0", ascending: true)]
        let uris = try all.fetch(request).map { $0.objectID.uriRepresentation() }
        let chosen = (0..<Rows.lookUps).map { uris[$0 * 7919 % uris.count] }
        let keys = chosen.map { Int64($0.lastPathComponent.dropFirst()) ?? 0 }
        return Work(name: "look up 10,000 by key", key: "key") { [raw] in
            { try keys.reduce(0) { $0 &+ (try raw.sum("key", $1, from: 2).sum) } }
        } framework: { [self] in
            kept = []
            let context = try Rows.context(address)
            let ids = chosen.compactMap {
                context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: $0)
            }
            return { ids.reduce(0) { $0 &+ ((context.object(with: $1) as? Item)?.sum ?? 0) } }
        }
    }

    private func insert() -> Work {
        Work(name: "insert 100,000 rows of ten integers", key: "insert") { [raw] in
            try raw.run("TRUNCATE item")
            return {
                try raw.run("BEGIN")
                try raw.insert("insert", rows: Rows.count) { row in
                    [Int64(row + 1), 1] + (0..<10).map { FetchIntegers.value(row, $0) }
                }
                try raw.run("COMMIT")
                return 0
            }
        } framework: { [self] in
            kept = []
            try raw.run("TRUNCATE item")
            let context = try Rows.context(address)
            return {
                try Rows.insert(Rows.count, in: context)
                return 0
            }
        }
    }

    private func walk() -> Work {
        Work(name: "walk 1,000,000 rows in batches of 500", key: "walk") { [raw] in
            { try raw.walk("keys", "batch", by: Rows.batch, column: 2) }
        } framework: { [self] in
            kept = []
            let context = try Rows.context(address, schema: "walk")
            return {
                let request = NSFetchRequest<Item>(entityName: "Item")
                request.fetchBatchSize = Rows.batch
                return try context.fetchBatched(request).reduce(0) { $0 &+ $1.i0 }
            }
        }
    }
}
