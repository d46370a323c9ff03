// A migration of a million rows beside the statements that it comes to: a column gets another name, one comes with a
// default value in all rows, one goes.

import CRawSQLite
import CoreData
import Foundation

enum Migrations {
    static func workload(in folder: URL) throws -> Workload {
        let store = try LargeResults.store(in: folder)
        return Workload(
            name: "migration of \(LargeResults.rowCount) rows",
            contestants: [
                Contestant(name: "raw SQLite") { try byHand(store) },
                Contestant(name: "CoreData, in place") { try inPlace(store) },
            ])
    }

    static func byHand(_ store: URL) throws -> (Double, Int64) {
        try Staff.withCopy(of: store) { copy in
            let database = try RawSQLite(path: copy.path)
            let time = Clock.measure {
                database.run("BEGIN")
                database.run("ALTER TABLE ZITEM RENAME COLUMN ZI1 TO ZFIRST")
                database.run("ALTER TABLE ZITEM ADD COLUMN ZLEVEL INTEGER")
                database.run("UPDATE ZITEM SET ZLEVEL = 7")
                database.run("ALTER TABLE ZITEM DROP COLUMN ZI9")
                database.run("COMMIT")
            }
            return (time, try checksum(copy))
        }
    }

    static func inPlace(_ store: URL) throws -> (Double, Int64) {
        try Staff.withCopy(of: store) { copy in
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: newer())
            let time = try Clock.measure {
                try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: copy,
                    options: [
                        NSMigratePersistentStoresAutomaticallyOption: true,
                        NSInferMappingModelAutomaticallyOption: true,
                    ])
            }
            return (time, try checksum(copy))
        }
    }

    /// The next version of the model of integers.
    private static func newer() -> NSManagedObjectModel {
        let model = Stack.integers(
            FetchIntegers.names.filter { $0 != "i1" && $0 != "i9" } + ["first", "level"])
        let attributes = model.entitiesByName["Item"]?.attributesByName
        attributes?["first"]?.renamingIdentifier = "i1"
        attributes?["level"]?.defaultValue = 7
        return model
    }

    private static func checksum(_ file: URL) throws -> Int64 {
        try RawSQLite(path: file.path).read("SELECT SUM(ZFIRST) + SUM(ZLEVEL) FROM ZITEM")
    }
}

extension RawSQLite {
    /// The number that a query gives.
    fileprivate func read(_ sql: String) throws -> Int64 {
        let select = try statement(sql)
        defer { sqlite3_reset(select) }
        sqlite3_step(select)
        return sqlite3_column_int64(select, 0)
    }
}
