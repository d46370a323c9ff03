// The store of `--size`: rows of an entity with three indexes, as many as are asked for.

import CRawSQLite
import CoreData
import Foundation

final class Reading: NSManagedObject {
    var code: String? {
        get { self[ManagedAttribute("code", word: 1, index: 0)] }
        set { self[ManagedAttribute("code", word: 1, index: 0)] = newValue }
    }
    var group: Int32 {
        get { self[ManagedAttribute("group", word: 2, index: 1)] }
        set { self[ManagedAttribute("group", word: 2, index: 1)] = newValue }
    }
    var sequence: Int64 {
        get { self[ManagedAttribute("sequence", word: 3, index: 2)] }
        set { self[ManagedAttribute("sequence", word: 3, index: 2)] = newValue }
    }
    var token: Int64 {
        get { self[ManagedAttribute("token", word: 4, index: 3)] }
        set { self[ManagedAttribute("token", word: 4, index: 3)] = newValue }
    }
    var value: Double {
        get { self[ManagedAttribute("value", word: 5, index: 4)] }
        set { self[ManagedAttribute("value", word: 5, index: 4)] = newValue }
    }
}

final class Reading__Keys: ManagedKeys {
    override class func register(in keys: inout KeyRegistry) {
        keys.attribute("code", word: 1, index: 0, of: String?.self)
        keys.attribute("group", word: 2, index: 1, of: Int32.self)
        keys.attribute("sequence", word: 3, index: 2, of: Int64.self)
        keys.attribute("token", word: 4, index: 3, of: Int64.self)
        keys.attribute("value", word: 5, index: 4, of: Double.self)
    }
}

/// The values of a row.
struct SizeRow {
    let code: String
    let group: Int32
    let sequence: Int64
    /// In no order, and nearly always different.
    let token: Int64
    let value: Double

    init(_ number: Int) {
        let mixed = (UInt64(number) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        let spread = (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9
        code = "code \(10_000_000 + number)"
        group = Int32(truncatingIfNeeded: number % 1000)
        sequence = Int64(number)
        token = Int64(bitPattern: spread >> 1)
        value = Double(number) / 4
    }
}

enum SizeStore {
    static let saveSize = 10_000

    /// The model, or a version of it with a mapping's changes.
    static func model(newer: Bool = false) -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        (entity.name, entity.managedObjectClassName) = (
            "Reading", newer ? "NSManagedObject" : "Benchmarks.Reading"
        )
        let types: [(String, NSAttributeType)] = [
            ("code", .stringAttributeType), ("group", .integer32AttributeType),
            ("sequence", .integer64AttributeType), ("token", .integer64AttributeType),
            (newer ? "amount" : "value", .doubleAttributeType),
        ]
        let attributes = types.map { name, type in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, type)
            return attribute
        }
        entity.properties = attributes
        entity.indexes = attributes[1...3].map {
            NSFetchIndexDescription(
                name: "by_\($0.name)", elements: [.init(property: $0, collationType: .binary)])
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    /// An empty store, with its tables and indexes in the one file.
    static func empty(in folder: URL) throws -> URL {
        let url = Files.fresh(folder)
        let context = try Stack.context(model(), url)
        for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
            try context.persistentStoreCoordinator?.remove(store)
        }
        return url
    }

    // MARK: Inserting

    static func insert(_ count: Int, into url: URL) throws {
        let context = try Stack.context(model(), url)
        try context.performAndWait {
            for start in stride(from: 0, to: count, by: saveSize) {
                for number in start..<min(start + saveSize, count) {
                    let (row, reading) = (SizeRow(number), Reading(context: context))
                    (reading.code, reading.group, reading.sequence) = (row.code, row.group, row.sequence)
                    (reading.token, reading.value) = (row.token, row.value)
                }
                try context.save()
                context.reset()
            }
        }
    }

    /// All rows in one request, and so in one transaction.
    static func insertBatch(_ count: Int, into url: URL) throws {
        let context = try Stack.context(model(), url)
        var number = 0
        let request = NSBatchInsertRequest(entityName: "Reading") { (object: NSManagedObject) -> Bool in
            guard number < count, let reading = object as? Reading else { return true }
            let row = SizeRow(number)
            (reading.code, reading.group, reading.sequence) = (row.code, row.group, row.sequence)
            (reading.token, reading.value) = (row.token, row.value)
            number += 1
            return false
        }
        request.resultType = .count
        let result = try context.performAndWait { try context.execute(request) as? NSBatchInsertResult }
        guard result?.result as? Int == count else { throw CocoaError(.coderReadCorrupt) }
    }

    /// The same by plain SQLite, with the same settings.
    static func insertRaw(_ count: Int, into url: URL, cacheKilobytes: Int, checkpointPages: Int) throws {
        let database = try RawSQLite(path: url.path)
        database.run("PRAGMA cache_size = -\(cacheKilobytes)")
        database.run("PRAGMA wal_autocheckpoint = \(checkpointPages)")
        let insert = try database.statement(
            """
            INSERT INTO ZREADING (Z_PK, Z_ENT, Z_OPT, ZGROUP, ZSEQUENCE, ZTOKEN, ZVALUE, ZCODE) \
            VALUES (?, 1, 1, ?, ?, ?, ?, ?)
            """)
        for start in stride(from: 0, to: count, by: saveSize) {
            database.run("BEGIN")
            for number in start..<min(start + saveSize, count) {
                var row = SizeRow(number)
                insertRow(&row, Int64(number + 1), insert)
            }
            database.run("COMMIT")
        }
    }

    private static func insertRow(_ row: inout SizeRow, _ key: Int64, _ insert: OpaquePointer) {
        sqlite3_bind_int64(insert, 1, key)
        sqlite3_bind_int64(insert, 2, Int64(row.group))
        sqlite3_bind_int64(insert, 3, row.sequence)
        sqlite3_bind_int64(insert, 4, row.token)
        sqlite3_bind_double(insert, 5, row.value)
        var code = row.code
        code.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) {
                // SQLite copies it: -1 is its SQLITE_TRANSIENT.
                sqlite3_bind_text(
                    insert, 6, $0.baseAddress, Int32($0.count),
                    unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            }
        }
        sqlite3_step(insert)
        sqlite3_reset(insert)
    }

    // MARK: Deleting half of them

    static func deleteHalf(of url: URL) throws -> Int {
        let context = try Stack.context(model(), url)
        let rows = NSFetchRequest<any NSFetchRequestResult>(entityName: "Reading")
        rows.predicate = NSPredicate(format: "group < 500")
        let request = NSBatchDeleteRequest(fetchRequest: rows)
        request.resultType = .resultTypeCount
        return try context.performAndWait {
            (try context.execute(request) as? NSBatchDeleteResult)?.result as? Int ?? 0
        }
    }

    static func deleteHalfRaw(of url: URL, cacheKilobytes: Int, checkpointPages: Int) throws -> Int {
        let database = try RawSQLite(path: url.path)
        database.run("PRAGMA cache_size = -\(cacheKilobytes)")
        database.run("PRAGMA wal_autocheckpoint = \(checkpointPages)")
        database.run("BEGIN")
        database.run("DELETE FROM ZREADING WHERE ZGROUP < 500")
        let count = Int(sqlite3_changes(database.handle))
        database.run("COMMIT")
        return count
    }
}
