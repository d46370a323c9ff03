// W6: read 20,000 people, change an indexed value of each, and save. W6s: one without an index. W7: delete them all.

import CRawSQLite
import CoreData
import Foundation

enum ChangeStaff {
    static func workloads(in folder: URL) throws -> [Workload] {
        let store = try Staff.store(in: folder)
        func workload(
            _ name: String, _ raw: @escaping (RawStaff) throws -> Void,
            _ typed: @escaping (Person, NSManagedObjectContext) -> Void, _ peers: [Contestant]
        ) -> Workload {
            Workload(
                name: name,
                contestants: [
                    Contestant(name: "raw SQLite") { try self.raw(store, raw) },
                    Contestant(name: "CoreData, typed") { try self.typed(store, typed) },
                ] + peers)
        }
        return [
            workload(
                "W6 update an indexed value", updateAges, { person, _ in person.age += 1 },
                Peers.updateAges(store)),
            workload(
                "W6s update a value without index", updateSalaries, { person, _ in person.salary += 1 },
                Peers.updateSalaries(store)),
            workload("W7 delete", delete, { person, context in context.delete(person) }, Peers.delete(store)),
        ]
    }

    private static func raw(
        _ store: URL, _ change: (RawStaff) throws -> Void
    ) throws -> (Double, Int64) {
        try Staff.withCopy(of: store) { copy in
            let staff = try RawStaff(path: copy.path)
            let time = try Clock.measure {
                staff.database.run("BEGIN")
                try change(staff)
                staff.database.run("COMMIT")
            }
            return (time, try checksum(staff))
        }
    }

    private static func updateAges(_ staff: RawStaff) throws {
        let update = try staff.database.statement(
            "UPDATE ZPERSON SET ZAGE = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?")
        for row in try staff.everybody() {
            sqlite3_bind_int64(update, 1, row.age + 1)
            run(update, row, from: 2)
        }
    }

    private static func updateSalaries(_ staff: RawStaff) throws {
        let update = try staff.database.statement(
            "UPDATE ZPERSON SET ZSALARY = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?")
        for row in try staff.everybody() {
            sqlite3_bind_double(update, 1, row.salary + 1)
            run(update, row, from: 2)
        }
    }

    private static func run(_ update: OpaquePointer, _ row: RawStaff.Place, from first: Int32) {
        sqlite3_bind_int64(update, first, row.version + 1)
        sqlite3_bind_int64(update, first + 1, row.key)
        sqlite3_bind_int64(update, first + 2, row.version)
        sqlite3_step(update)
        sqlite3_reset(update)
    }

    private static func delete(_ staff: RawStaff) throws {
        let delete = try staff.database.statement("DELETE FROM ZPERSON WHERE Z_PK = ? AND Z_OPT = ?")
        for row in try staff.everybody() {
            sqlite3_bind_int64(delete, 1, row.key)
            sqlite3_bind_int64(delete, 2, row.version)
            sqlite3_step(delete)
            sqlite3_reset(delete)
        }
    }

    private static func typed(
        _ store: URL, _ change: (Person, NSManagedObjectContext) -> Void
    ) throws -> (Double, Int64) {
        try Staff.withCopy(of: store) { copy in
            let context = try Stack.context(Staff.model(), copy)
            // Lives beyond the measured part: giving the objects back is no part of the work.
            var people: [Person] = []
            let time = try Clock.measure {
                people = try Staff.allPeople(context)
                for person in people { change(person, context) }
                try context.save()
            }
            return (time, try checksum(try RawStaff(path: copy.path)))
        }
    }

    /// Returns a checksum of the file afterwards.
    static func checksum(_ staff: RawStaff) throws -> Int64 {
        try staff.everybody().reduce(0) { $0 &+ $1.age &+ Int64($1.salary) &+ $1.version &+ 1 }
    }
}
