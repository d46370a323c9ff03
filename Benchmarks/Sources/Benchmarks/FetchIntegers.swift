// W2: fetch 100,000 rows of ten integers and read every value.

import CSQLite
import Foundation

enum FetchIntegers {
    static let rowCount = 100_000
    static let names = (0..<10).map { "i\($0)" }

    /// The file's table, laid out as the framework lays out an entity `Item` with these attributes.
    static func workload(in folder: URL) throws -> Workload {
        let path = folder.appendingPathComponent("raw.sqlite").path
        try fill(path)
        return Workload(
            name: "W2 fetch \(rowCount) x 10 integers",
            contestants: [Contestant(name: "raw SQLite") { try raw(path) }])
    }

    private static func fill(_ path: String) throws {
        let database = try RawSQLite(path: path)
        let columns = names.map { "Z" + $0.uppercased() + " INTEGER" }.joined(separator: ", ")
        database.run(
            "CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(columns))")
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

    private static func raw(_ path: String) throws -> (Double, Int64) {
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
