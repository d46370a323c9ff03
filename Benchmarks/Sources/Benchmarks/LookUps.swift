// W8: 100,000 look-ups by key, in random order, each in a request of its own. Plain SQLite does them in one read
// transaction.

import CRawSQLite
import CoreData
import Foundation

enum LookUps {
    static let count = Scale.rows(100_000)

    static func workload(in folder: URL) throws -> Workload {
        let (raw, store) = try FetchIntegers.files(in: folder)
        return Workload(
            name: "W8 look up \(count) by key",
            contestants: [
                Contestant(name: "raw SQLite") { try self.raw(raw) },
                Contestant(name: "CoreData, typed") { try typed(store) },
            ] + Peers.lookUps(raw))
    }

    /// The same keys in every round.
    static var keys: [Int64] {
        var state: UInt64 = 42
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64(state >> 33) % Int64(FetchIntegers.rowCount) + 1
        }
    }

    private static func raw(_ path: String) throws -> (Double, Int64) {
        let database = try RawSQLite(path: path)
        let columns = FetchIntegers.names.map { "Z" + $0.uppercased() }.joined(separator: ", ")
        let select = try database.statement("SELECT Z_OPT, \(columns) FROM ZITEM WHERE Z_PK = ?")
        let keys = keys
        var sum: Int64 = 0
        let time = Clock.measure {
            database.run("BEGIN")
            defer { database.run("COMMIT") }
            for key in keys {
                sqlite3_bind_int64(select, 1, key)
                if sqlite3_step(select) == SQLITE_ROW {
                    for column in 1...Int32(FetchIntegers.names.count) {
                        sum &+= sqlite3_column_int64(select, column)
                    }
                }
                sqlite3_reset(select)
            }
        }
        return (time, sum)
    }

    private static func typed(_ url: URL) throws -> (Double, Int64) {
        let context = try Stack.context(Stack.integers(FetchIntegers.names), url)
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
        request.resultType = .managedObjectIDResultType
        request.sortDescriptors = [NSSortDescriptor(key: "i0", ascending: true)]
        let ids = try context.fetch(request)
        let keys = keys
        var sum: Int64 = 0
        let time = Clock.measure {
            for key in keys {
                guard let item = context.object(with: ids[Int(key) - 1]) as? Item else { continue }
                sum &+= item.sum
            }
        }
        return (time, sum)
    }
}
