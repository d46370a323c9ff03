// W3: insert 1,000 companies and 20,000 people who work there, in one transaction.

import CoreData
import Foundation

enum InsertStaff {
    static func workload(in folder: URL) -> Workload {
        _ = Staff.people
        return Workload(
            name: "W3 insert \(Staff.companyCount) companies, \(Staff.peopleCount) people",
            contestants: [
                Contestant(name: "raw SQLite") { try raw(Files.fresh(folder)) },
                Contestant(name: "CoreData, typed") { try typed(Files.fresh(folder)) },
            ] + Peers.insertStaff(folder))
    }

    private static func raw(_ url: URL) throws -> (Double, Int64) {
        defer { Files.remove(url) }
        let staff = try RawStaff(path: url.path)
        staff.makeTables()
        return (try Clock.measure { try staff.insert() }, 0)
    }

    private static func typed(_ url: URL) throws -> (Double, Int64) {
        defer { Files.remove(url) }
        let context = try Stack.context(Staff.model(), url)
        return (try Clock.measure { try Staff.insert(into: context) }, 0)
    }
}
