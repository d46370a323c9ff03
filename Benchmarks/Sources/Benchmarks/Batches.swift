// Batch requests beside the statements that they come to: inserts of many rows in one statement, one UPDATE, one
// DELETE.

import CRawSQLite
import CoreData
import Foundation

enum Batches {
    static let rowCount = Scale.rows(100_000)
    /// Rows of one raw INSERT.
    private static let rowsPerInsert = 32

    static func workloads(in folder: URL) throws -> [Workload] {
        let (_, store) = try FetchIntegers.files(in: folder)
        func changing(
            _ name: String, raw sql: String, _ request: @escaping () -> NSPersistentStoreRequest
        ) -> Workload {
            Workload(
                name: name,
                contestants: [
                    Contestant(name: "raw SQLite") { try raw(store, sql) },
                    Contestant(name: "CoreData, batch") { try batch(store, request()) },
                ])
        }
        return [
            inserts(in: folder),
            changing("batch update \(rowCount)", raw: "UPDATE ZITEM SET ZI3 = 7, Z_OPT = Z_OPT + 1") {
                let request = NSBatchUpdateRequest(entityName: "Item")
                request.propertiesToUpdate = ["i3": 7]
                return request
            },
            changing("batch delete \(rowCount)", raw: "DELETE FROM ZITEM WHERE ZI0 >= 0") {
                let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
                fetch.predicate = NSPredicate(format: "i0 >= 0")
                return NSBatchDeleteRequest(fetchRequest: fetch)
            },
        ]
    }

    // MARK: Inserting

    private static func inserts(in folder: URL) -> Workload {
        Workload(
            name: "batch insert \(rowCount) x 10 integers",
            contestants: [
                Contestant(name: "raw SQLite") { try rawInsert(Files.fresh(folder)) },
                Contestant(name: "CoreData, batch") { try insert(Files.fresh(folder), objectForm) },
                Contestant(name: "CoreData, batch of dictionaries") {
                    let rows = (0..<rowCount).map(dictionary)
                    return try insert(Files.fresh(folder)) {
                        NSBatchInsertRequest(entityName: "Item", objects: rows)
                    }
                },
                Contestant(name: "CoreData, batch by a closure for a dictionary") {
                    try insert(Files.fresh(folder), dictionaryForm)
                },
                Contestant(name: "CoreData, batch by a closure that adds dictionaries") {
                    let rows = (0..<rowCount).map(dictionary)
                    return try insert(Files.fresh(folder)) { addingForm(rows) }
                },
            ])
    }

    private static func rawInsert(_ url: URL) throws -> (Double, Int64) {
        defer { Files.remove(url) }
        let database = try RawSQLite(path: url.path)
        try FetchIntegers.makeTable(database)
        let row = "(?, 1, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        let rows = Array(repeating: row, count: rowsPerInsert).joined(separator: ", ")
        let many = try database.statement("INSERT INTO ZITEM VALUES \(rows)")
        let one = try database.statement("INSERT INTO ZITEM VALUES \(row)")
        let time = Clock.measure {
            database.run("BEGIN")
            var next = 0
            while next < rowCount {
                let count = rowCount - next >= rowsPerInsert ? rowsPerInsert : 1
                let insert = count == 1 ? one : many
                var parameter: Int32 = 1
                for row in next..<next + count {
                    sqlite3_bind_int64(insert, parameter, Int64(row + 1))
                    for column in 0..<10 {
                        sqlite3_bind_int64(
                            insert, parameter + 1 + Int32(column), FetchIntegers.value(row, column))
                    }
                    parameter += 11
                }
                sqlite3_step(insert)
                sqlite3_reset(insert)
                next += count
            }
            database.run("COMMIT")
        }
        return (time, try count(database))
    }

    private static func insert(
        _ url: URL, _ request: () -> NSBatchInsertRequest
    ) throws -> (Double, Int64) {
        defer { Files.remove(url) }
        let context = try Stack.context(Stack.integers(FetchIntegers.names), url)
        let time = try Clock.measure { _ = try context.execute(request()) }
        return (time, try count(try RawSQLite(path: url.path)))
    }

    /// A closure fills one object after the other, through its accessors: the form that has a goal.
    private static func objectForm() -> NSBatchInsertRequest {
        var row = 0
        return NSBatchInsertRequest(
            entityName: "Item",
            managedObjectHandler: { object in
                guard row < rowCount, let item = object as? Item else { return true }
                item.fill(row)
                row += 1
                return false
            })
    }

    private static func dictionaryForm() -> NSBatchInsertRequest {
        var row = 0
        return NSBatchInsertRequest(
            entityName: "Item",
            dictionaryHandler: { values in
                if row == rowCount { return true }
                for (column, name) in FetchIntegers.names.enumerated() {
                    values[name] = FetchIntegers.value(row, column)
                }
                row += 1
                return false
            })
    }

    /// A closure that has each row's values in a dictionary.
    private static func addingForm(_ rows: [[String: Any]]) -> NSBatchInsertRequest {
        var row = 0
        return NSBatchInsertRequest(
            entityName: "Item",
            dictionaryHandler: { values in
                if row == rows.count { return true }
                values.addEntries(from: rows[row])
                row += 1
                return false
            })
    }

    private static func dictionary(_ row: Int) -> [String: Any] {
        var values: [String: Any] = [:]
        for (column, name) in FetchIntegers.names.enumerated() {
            values[name] = FetchIntegers.value(row, column)
        }
        return values
    }

    // MARK: Changing

    private static func raw(_ store: URL, _ sql: String) throws -> (Double, Int64) {
        try Staff.withCopy(of: store) { copy in
            let database = try RawSQLite(path: copy.path)
            return (Clock.measure { database.run(sql) }, try count(database))
        }
    }

    private static func batch(_ store: URL, _ request: NSPersistentStoreRequest) throws -> (Double, Int64) {
        try Staff.withCopy(of: store) { copy in
            let context = try Stack.context(Stack.integers(FetchIntegers.names), copy)
            let time = try Clock.measure { _ = try context.execute(request) }
            return (time, try count(try RawSQLite(path: copy.path)))
        }
    }

    /// The number of rows and a sum over one column.
    private static func count(_ database: RawSQLite) throws -> Int64 {
        let select = try database.statement("SELECT COUNT(*), SUM(ZI3), SUM(Z_OPT) FROM ZITEM")
        sqlite3_step(select)
        defer { sqlite3_reset(select) }
        return sqlite3_column_int64(select, 0) &+ sqlite3_column_int64(select, 1)
            &+ sqlite3_column_int64(select, 2)
    }
}
