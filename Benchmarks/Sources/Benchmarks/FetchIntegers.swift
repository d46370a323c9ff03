// W2: fetch 100,000 rows of ten integers and read every value.

import CRawSQLite
import CoreData
import Foundation

enum FetchIntegers {
    static let rowCount = Scale.rows(100_000)
    static let names = (0..<10).map { "i\($0)" }

    static func workload(in folder: URL) throws -> Workload {
        let (path, url) = try files(in: folder)
        return Workload(
            name: "W2 fetch \(rowCount) x 10 integers",
            contestants: [
                Contestant(name: "raw SQLite") { try raw(path) },
                Contestant(name: "CoreData, typed") { try typed(url) },
                Contestant(name: "CoreData, value(forKey:)") { try keyed(url) },
            ] + Peers.fetchIntegers(path))
    }

    /// The same rows in a plain file and in a store of the framework's.
    static func files(in folder: URL) throws -> (raw: String, store: URL) {
        let path = folder.appendingPathComponent("raw.sqlite").path
        let url = folder.appendingPathComponent("Items.sqlite")
        if FileManager.default.fileExists(atPath: url.path) { return (path, url) }
        let database = try RawSQLite(path: path)
        try makeTable(database)
        try insert(database)
        try fillStore(url)
        // Copies of the store are copies of its one file.
        try RawSQLite(path: url.path).run("PRAGMA wal_checkpoint(TRUNCATE)")
        return (path, url)
    }

    private static func fillStore(_ url: URL) throws {
        let context = try Stack.context(Stack.integers(names), url)
        try context.performAndWait {
            for row in 0..<rowCount {
                let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                for column in 0..<names.count { item.setValue(value(row, column), forKey: names[column]) }
            }
            try context.save()
        }
    }

    private static func typed(_ url: URL) throws -> (Double, Int64) {
        let context = try Stack.context(Stack.integers(names), url)
        var sum: Int64 = 0
        // Lives beyond the measured part: giving the objects back is no part of the work.
        var items: [Item] = []
        let time = try Clock.measure {
            items = try context.fetch(NSFetchRequest<Item>(entityName: "Item"))
            for item in items { sum &+= item.sum }
        }
        return (time, sum)
    }

    static func keyed(_ url: URL) throws -> (Double, Int64) {
        let context = try Stack.context(Stack.integers(names), url)
        var sum: Int64 = 0
        // Lives beyond the measured part: giving the objects back is no part of the work.
        var items: [NSManagedObject] = []
        let time = try Clock.measure {
            items = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
            for item in items {
                for name in names { sum &+= (item.value(forKey: name) as? NSNumber)?.int64Value ?? 0 }
            }
        }
        return (time, sum)
    }

    /// The table as the framework lays out an entity `Item` with these attributes.
    static func makeTable(_ database: RawSQLite) throws {
        let columns = names.map { "Z" + $0.uppercased() + " INTEGER" }.joined(separator: ", ")
        database.run(
            "CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(columns))")
    }

    static func insert(_ database: RawSQLite, _ rowCount: Int = rowCount) throws {
        database.run("BEGIN")
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        let insert = try database.statement("INSERT INTO ZITEM VALUES (?, 1, 1, \(marks))")
        for row in 0..<rowCount {
            sqlite3_bind_int64(insert, 1, Int64(row + 1))
            for column in 0..<names.count {
                sqlite3_bind_int64(insert, Int32(column + 2), value(row, column))
            }
            sqlite3_step(insert)
            sqlite3_reset(insert)
        }
        database.run("COMMIT")
    }

    /// The value that every contestant stores in a row's column.
    static func value(_ row: Int, _ column: Int) -> Int64 { Int64(row * 10 + column) }

    static func raw(_ path: String) throws -> (Double, Int64) {
        let database = try RawSQLite(path: path)
        let columns = names.map { "Z" + $0.uppercased() }.joined(separator: ", ")
        let select = try database.statement("SELECT Z_PK, Z_OPT, \(columns) FROM ZITEM")
        var (keys, sum): (Int64, Int64) = (0, 0)
        let time = Clock.measure {
            while sqlite3_step(select) == SQLITE_ROW {
                keys &+= sqlite3_column_int64(select, 0) &+ sqlite3_column_int64(select, 1)
                for column in 2..<Int32(names.count + 2) { sum &+= sqlite3_column_int64(select, column) }
            }
            sqlite3_reset(select)
        }
        precondition(keys > 0, "The keys were read.")
        return (time, sum)
    }
}
