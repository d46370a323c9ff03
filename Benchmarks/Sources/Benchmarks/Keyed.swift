// GRDB's own cases for Core Data: all values read and written by key.

import CRawSQLite
import CoreData
import Foundation

enum Keyed {
    static let fetchCount = Scale.rows(200_000)
    static let insertCount = Scale.rows(50_000)

    static func workloads(in folder: URL) throws -> [Workload] {
        let url = folder.appendingPathComponent("Keyed.sqlite")
        if !FileManager.default.fileExists(atPath: url.path) {
            _ = try Stack.context(Stack.integers(FetchIntegers.names), url)
            try FetchIntegers.insert(try RawSQLite(path: url.path), fetchCount)
        }
        return [
            Workload(
                name: "K1 fetch \(fetchCount), value(forKey:)",
                contestants: [
                    Contestant(name: "raw SQLite") { try FetchIntegers.raw(url.path) },
                    Contestant(name: "CoreData, value(forKey:)") { try FetchIntegers.keyed(url) },
                ]),
            Workload(
                name: "K2 insert \(insertCount), setValue(_:forKey:)",
                contestants: [
                    Contestant(name: "raw SQLite") { try rawInsert(Files.fresh(folder)) },
                    Contestant(name: "CoreData, setValue(_:forKey:)") { try insert(Files.fresh(folder)) },
                ]),
        ]
    }

    private static func rawInsert(_ url: URL) throws -> (Double, Int64) {
        defer { Files.remove(url) }
        let database = try RawSQLite(path: url.path)
        try FetchIntegers.makeTable(database)
        return (try Clock.measure { try FetchIntegers.insert(database, insertCount) }, 0)
    }

    private static func insert(_ url: URL) throws -> (Double, Int64) {
        defer { Files.remove(url) }
        let context = try Stack.context(Stack.integers(FetchIntegers.names), url)
        let time = try Clock.measure {
            for row in 0..<insertCount {
                let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                for column in 0..<FetchIntegers.names.count {
                    let value = NSNumber(value: FetchIntegers.value(row, column))
                    item.setValue(value, forKey: FetchIntegers.names[column])
                }
            }
            try context.save()
        }
        return (time, 0)
    }
}
