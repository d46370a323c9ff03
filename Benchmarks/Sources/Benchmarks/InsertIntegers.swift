// W1: insert 100,000 rows of ten integers in one transaction.

import CRawSQLite
import CoreData
import Foundation

enum InsertIntegers {
    static func workload(in folder: URL) -> Workload {
        Workload(
            name: "W1 insert \(FetchIntegers.rowCount) x 10 integers",
            contestants: [
                Contestant(name: "raw SQLite") { try raw(Files.fresh(folder)) },
                Contestant(name: "CoreData, typed") { try typed(Files.fresh(folder)) },
            ] + Peers.insertIntegers(folder))
    }

    private static func raw(_ url: URL) throws -> (Double, Int64) {
        defer { Files.remove(url) }
        let database = try RawSQLite(path: url.path)
        try FetchIntegers.makeTable(database)
        return (try Clock.measure { try FetchIntegers.insert(database) }, 0)
    }

    private static func typed(_ url: URL) throws -> (Double, Int64) {
        defer { Files.remove(url) }
        let context = try Stack.context(Stack.integers(FetchIntegers.names), url)
        let time = try Clock.measure {
            guard let entity = NSEntityDescription.entity(forEntityName: "Item", in: context) else { return }
            for row in 0..<FetchIntegers.rowCount {
                let item = Item(entity: entity, insertInto: context)
                item.fill(row)
            }
            try context.save()
        }
        return (time, 0)
    }
}
