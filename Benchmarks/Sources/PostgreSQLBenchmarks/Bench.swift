// The workloads, each by both contestants.

import CoreData
import CoreDataPostgreSQL
import Foundation

/// One piece of work. The closures prepare it, outside of what is measured, and return it.
struct Work {
    let name: String
    let raw: () throws -> () throws -> Int64
    let framework: () throws -> () throws -> Int64
}

final class Bench {
    private let server: PostgreSQLServer
    private let raw: RawPostgreSQL
    private let columns = PostgreSQLBenchmarks.names.joined(separator: ", ")

    init(_ server: PostgreSQLServer) throws {
        self.server = server
        let context = try Self.context(server)
        raw = try RawPostgreSQL(server.address() + "&options=-csearch_path%3Dbench")
        let marks = (1...12).map { "$\($0)" }.joined(separator: ", ")
        try raw.prepare(
            "insert", "INSERT INTO item (object_id, object_version, \(columns)) VALUES (\(marks))")
        try raw.prepare("all", "SELECT object_id, object_version, \(columns) FROM item")
        try raw.prepare(
            "sorted",
            "SELECT object_id, object_version, \(columns) FROM item WHERE i0 >= $1 ORDER BY i0 NULLS FIRST LIMIT 50"
        )
        try raw.prepare("key", "SELECT object_id, object_version, \(columns) FROM item WHERE object_id = $1")
        try fill(context)
        try raw.run("ANALYZE item")
    }

    /// A context with a coordinator of its own, so that every round starts cold.
    private static func context(_ server: PostgreSQLServer) throws -> NSManagedObjectContext {
        let entity = NSEntityDescription()
        (entity.name, entity.managedObjectClassName) = ("Item", "NSManagedObject")
        entity.properties = PostgreSQLBenchmarks.names.map { name in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, .integer64AttributeType)
            return attribute
        }
        entity.indexes = [
            NSFetchIndexDescription(
                name: "byFirst",
                elements: [
                    NSFetchIndexElementDescription(property: entity.properties[0], collationType: .binary)
                ])
        ]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let description = NSPersistentStoreDescription(postgreSQL: server.address(), schema: "bench")
        try coordinator.addPersistentStore(
            ofType: description.type, configurationName: nil, at: description.url,
            options: description.options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func fill(_ context: NSManagedObjectContext) throws {
        for row in 0..<PostgreSQLBenchmarks.rowCount {
            let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            for (column, name) in PostgreSQLBenchmarks.names.enumerated() {
                item.setValue(row * 10 + column, forKey: name)
            }
        }
        try context.save()
    }

    private static func sum(_ items: [NSManagedObject]) -> Int64 {
        var sum: Int64 = 0
        for item in items {
            for name in PostgreSQLBenchmarks.names {
                sum &+= (item.value(forKey: name) as? NSNumber)?.int64Value ?? 0
            }
        }
        return sum
    }

    func works() throws -> [Work] { [fetch(), sorted(), try lookUp(), insert()] }

    private func fetch() -> Work {
        Work(name: "fetch 100,000 rows of ten integers") { [raw] in
            { try raw.sum("all", nil, from: 2).sum }
        } framework: { [server] in
            let context = try Self.context(server)
            return { Self.sum(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))) }
        }
    }

    private func sorted() -> Work {
        let starts = (0..<PostgreSQLBenchmarks.queries).map { Int64($0 * 997 % 90_000) * 10 }
        return Work(name: "1,000 sorted queries of 50 rows") { [raw] in
            { try starts.reduce(0) { $0 &+ (try raw.sum("sorted", $1, from: 2).sum) } }
        } framework: { [server] in
            let context = try Self.context(server)
            return {
                try starts.reduce(0) { sum, start in
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
                    request.predicate = NSPredicate(format: "i0 >= %lld", start)
                    request.sortDescriptors = [NSSortDescriptor(key: "i0", ascending: true)]
                    request.fetchLimit = 50
                    return sum &+ Self.sum(try context.fetch(request))
                }
            }
        }
    }

    private func lookUp() throws -> Work {
        let all = try Self.context(server)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "i0", ascending: true)]
        let uris = try all.fetch(request).map { $0.objectID.uriRepresentation() }
        let chosen = (0..<PostgreSQLBenchmarks.lookUps).map { uris[$0 * 7919 % uris.count] }
        let keys = chosen.map { Int64($0.lastPathComponent.dropFirst()) ?? 0 }
        return Work(name: "look up 10,000 by key") { [raw] in
            { try keys.reduce(0) { $0 &+ (try raw.sum("key", $1, from: 2).sum) } }
        } framework: { [server] in
            let context = try Self.context(server)
            let ids = chosen.compactMap {
                context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: $0)
            }
            return { ids.reduce(0) { $0 &+ Self.sum([context.object(with: $1)]) } }
        }
    }

    private func insert() -> Work {
        let rows = PostgreSQLBenchmarks.rowCount
        return Work(name: "insert 100,000 rows of ten integers") { [raw] in
            try raw.run("TRUNCATE item")
            return {
                try raw.run("BEGIN")
                try raw.insert("insert", rows: rows) { row in
                    [Int64(row + 1), 1] + (0..<10).map { Int64(row * 10 + $0) }
                }
                try raw.run("COMMIT")
                return 0
            }
        } framework: { [server, raw] in
            try raw.run("TRUNCATE item")
            let context = try Self.context(server)
            return {
                for row in 0..<rows {
                    let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                    for (column, name) in PostgreSQLBenchmarks.names.enumerated() {
                        item.setValue(row * 10 + column, forKey: name)
                    }
                }
                try context.save()
                return 0
            }
        }
    }
}
