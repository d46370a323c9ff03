// W9: walk a million rows of ten integers in batches of 500 and read one value of each.

import CRawSQLite
import CoreData
import Foundation

enum LargeResults {
    static let rowCount = Scale.rows(1_000_000)

    /// A store with all rows.
    static func store(in folder: URL) throws -> URL {
        let url = folder.appendingPathComponent("Large.sqlite")
        if FileManager.default.fileExists(atPath: url.path) { return url }
        _ = try Stack.context(Stack.integers(FetchIntegers.names), url)
        let database = try RawSQLite(path: url.path)
        let values = FetchIntegers.names.indices.map { "i * 3 + \($0)" }.joined(separator: ", ")
        database.run("BEGIN")
        database.run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rowCount))
            INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, \(columns)) SELECT i, 1, 1, \(values) FROM n
            """)
        database.run("UPDATE Z_PRIMARYKEY SET Z_MAX = \(rowCount)")
        database.run("COMMIT")
        return url
    }

    static func workload(in folder: URL) throws -> Workload {
        let url = try store(in: folder)
        return Workload(
            name: "W9 walk \(rowCount) in batches",
            contestants: [
                Contestant(name: "raw SQLite") { try raw(url.path) },
                Contestant(name: "CoreData, typed") { try batched(url) },
            ] + Peers.largeResults(url.path))
    }

    private static let columns = FetchIntegers.names.map { "Z" + $0.uppercased() }.joined(separator: ", ")

    static func raw(_ path: String) throws -> (Double, Int64) {
        let database = try RawSQLite(path: path)
        let keys = try database.statement("SELECT Z_PK FROM ZITEM")
        let marks = Array(repeating: "?", count: 500).joined(separator: ", ")
        let batch = try database.statement(
            "SELECT Z_PK, Z_OPT, \(columns) FROM ZITEM WHERE Z_PK IN (\(marks))")
        var (sum, other): (Int64, Int64) = (0, 0)
        let time = Clock.measure {
            var all = ContiguousArray<Int64>()
            while sqlite3_step(keys) == SQLITE_ROW { all.append(sqlite3_column_int64(keys, 0)) }
            sqlite3_reset(keys)
            for start in stride(from: 0, to: all.count, by: 500) {
                for offset in 0..<500 { sqlite3_bind_int64(batch, Int32(offset + 1), all[start + offset]) }
                while sqlite3_step(batch) == SQLITE_ROW {
                    sum &+= sqlite3_column_int64(batch, 2)
                    other &+= sqlite3_column_int64(batch, 0) &+ sqlite3_column_int64(batch, 1)
                    for column in 3..<Int32(2 + FetchIntegers.names.count) {
                        other &+= sqlite3_column_int64(batch, column)
                    }
                }
                sqlite3_reset(batch)
            }
        }
        precondition(other != 0, "Everything was read.")
        return (time, sum)
    }

    static func batched(_ url: URL) throws -> (Double, Int64) {
        let context = try Stack.context(Stack.integers(FetchIntegers.names), url)
        var sum: Int64 = 0
        let time = try Clock.measure {
            let results = try context.fetchBatched(NSFetchRequest<Item>(entityName: "Item"))
            for item in results { sum &+= item.i0 }
        }
        return (time, sum)
    }
}
