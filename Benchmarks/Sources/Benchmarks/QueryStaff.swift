// W4: 1,000 queries for people of an age or the next, sorted by name, the first 50 of about 635.

import CRawSQLite
import CoreData
import Foundation

enum QueryStaff {
    static let count = Scale.rows(1_000)
    static let limit = 50

    static func workload(in folder: URL) throws -> Workload {
        let store = try Staff.store(in: folder)
        return Workload(
            name: "W4 \(count) sorted queries with limit \(limit)",
            contestants: [
                Contestant(name: "raw SQLite") { try raw(store.path) },
                Contestant(name: "CoreData, typed") { try typed(store) },
            ] + Peers.queryStaff(store))
    }

    static func age(_ query: Int) -> Int { 18 + query % 62 }

    private static func raw(_ path: String) throws -> (Double, Int64) {
        let staff = try RawStaff(path: path)
        let select = try staff.database.statement(
            """
            SELECT \(RawStaff.columns) FROM ZPERSON WHERE ZAGE >= ? AND ZAGE <= ? \
            ORDER BY ZNAME LIMIT \(limit)
            """)
        var sum: Int64 = 0
        let time = Clock.measure {
            for query in 0..<count {
                sqlite3_bind_int64(select, 1, Int64(age(query)))
                sqlite3_bind_int64(select, 2, Int64(age(query) + 1))
                staff.read(select) { sum &+= $0.age &+ $0.nameBytes }
            }
        }
        return (time, sum)
    }

    private static func typed(_ store: URL) throws -> (Double, Int64) {
        let context = try Stack.context(Staff.model(), store)
        var sum: Int64 = 0
        let time = try Clock.measure {
            for query in 0..<count {
                let request = NSFetchRequest<Person>(entityName: "Person")
                request.predicate = NSPredicate(
                    format: "age >= %ld AND age <= %ld", age(query), age(query) + 1)
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                request.fetchLimit = limit
                for person in try context.fetch(request) {
                    sum &+= Int64(person.age) &+ Int64(person.name?.utf8.count ?? 0)
                }
            }
        }
        return (time, sum)
    }
}
