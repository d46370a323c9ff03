// W5: go from 1,000 companies to their people and sum up ages: a, reading each company's people when they are asked
// for; b, with all of them prefetched.

import CRawSQLite
import CoreData
import Foundation

enum TraverseStaff {
    static func workloads(in folder: URL) throws -> [Workload] {
        let store = try Staff.store(in: folder)
        return [
            Workload(
                name: "W5a traverse to-many, lazily",
                contestants: [
                    Contestant(name: "raw SQLite") { try rawLazily(store.path) },
                    Contestant(name: "CoreData, typed") { try typed(store, prefetching: false) },
                ] + Peers.traverseLazily(store)),
            Workload(
                name: "W5b traverse to-many, prefetched",
                contestants: [
                    Contestant(name: "raw SQLite") { try rawAtOnce(store.path) },
                    Contestant(name: "CoreData, typed") { try typed(store, prefetching: true) },
                ] + Peers.traversePrefetched(store)),
        ]
    }

    private static let companies = "SELECT Z_PK, Z_OPT, ZNAME FROM ZCOMPANY"
    private static let people = "SELECT Z_PK, Z_OPT, ZAGE FROM ZPERSON"

    private static func rawLazily(_ path: String) throws -> (Double, Int64) {
        let staff = try RawStaff(path: path)
        let companies = try staff.database.statement(companies)
        let people = try staff.database.statement("\(Self.people) WHERE ZCOMPANY = ?")
        var sum: Int64 = 0
        let time = Clock.measure {
            while sqlite3_step(companies) == SQLITE_ROW {
                sqlite3_bind_int64(people, 1, sqlite3_column_int64(companies, 0))
                sum &+= ages(people)
            }
            sqlite3_reset(companies)
        }
        return (time, sum)
    }

    private static func rawAtOnce(_ path: String) throws -> (Double, Int64) {
        let staff = try RawStaff(path: path)
        let companies = try staff.database.statement(companies)
        let people = try staff.database.statement("SELECT \(RawStaff.columns) FROM ZPERSON")
        var (sum, keys): (Int64, Int64) = (0, 0)
        let time = Clock.measure {
            while sqlite3_step(companies) == SQLITE_ROW { keys &+= sqlite3_column_int64(companies, 0) }
            sqlite3_reset(companies)
            while sqlite3_step(people) == SQLITE_ROW {
                for column in 0..<Int32(5) { keys &+= sqlite3_column_int64(people, column) }
                if sqlite3_column_double(people, 5) + sqlite3_column_double(people, 6) < 0 { keys &+= 1 }
                sum &+= sqlite3_column_int64(people, 3)
            }
            sqlite3_reset(people)
        }
        precondition(keys > 0, "The keys were read.")
        return (time, sum)
    }

    private static func ages(_ people: OpaquePointer) -> Int64 {
        var (sum, keys): (Int64, Int64) = (0, 0)
        while sqlite3_step(people) == SQLITE_ROW {
            keys &+= sqlite3_column_int64(people, 0) &+ sqlite3_column_int64(people, 1)
            sum &+= sqlite3_column_int64(people, 2)
        }
        sqlite3_reset(people)
        return keys > 0 ? sum : 0
    }

    private static func typed(_ store: URL, prefetching: Bool) throws -> (Double, Int64) {
        let context = try Stack.context(Staff.model(), store)
        var sum: Int64 = 0
        // Lives beyond the measured part: giving the objects back is no part of the work.
        var companies: [Company] = []
        let time = try Clock.measure {
            let request = NSFetchRequest<Company>(entityName: "Company")
            if prefetching { request.relationshipKeyPathsForPrefetching = ["people"] }
            companies = try context.fetch(request)
            for company in companies {
                for person in company.people { sum &+= Int64(person.age) }
            }
        }
        return (time, sum)
    }
}
