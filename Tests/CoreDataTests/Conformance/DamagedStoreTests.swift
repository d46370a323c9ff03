// Files that are no sound stores: each gets an error of those in Docs/Errors.md, none changes, nothing traps.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
struct DamagedStoreTests {
    private static let name = "CoreDataPlus/SampleModel3_V1"

    /// Opens the store and says which error came of it; the files must be as they were.
    private func code(_ store: AppleStore, readOnly: Bool = false) throws -> Int? {
        let before = try store.bytes()
        do {
            try store.open(readOnly: readOnly).close()
            return nil
        } catch let error as NSError {
            expect(error.domain, equals: NSCocoaErrorDomain)
            expect(error.userInfo[NSFilePathErrorKey] as? String, equals: store.url.path)
            expect(error.localizedFailureReason?.isEmpty, equals: false)
            try expect(store.bytes(), equals: before)
            return error.code
        }
    }

    @Test(arguments: [false, true])
    func aStoreCutAnywhereIsIncomplete(readOnly: Bool) throws {
        let store = try AppleStore(Self.name)
        let whole = try Data(contentsOf: store.url)
        for length in stride(from: 512, to: whole.count, by: 512) {
            try whole.prefix(length).write(to: store.url)
            try expect(code(store, readOnly: readOnly), equals: NSFileReadCorruptFileError, "\(length) bytes")
        }
        try Data().write(to: store.url)
        try expect(code(store, readOnly: true), equals: NSFileReadCorruptFileError)
    }

    static let damage: [(sql: String, code: Int)] = [
        ("UPDATE Z_METADATA SET Z_PLIST = x'DEADBEEF'", NSFileReadCorruptFileError),
        ("DELETE FROM Z_METADATA", NSFileReadCorruptFileError),
        ("DROP TABLE Z_METADATA", NSPersistentStoreTypeMismatchError),
        ("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Nobody'", NSPersistentStoreIncompatibleSchemaError),
        ("UPDATE Z_PRIMARYKEY SET Z_NAME = x'FF00FE'", NSPersistentStoreIncompatibleSchemaError),
        ("DELETE FROM Z_PRIMARYKEY", NSPersistentStoreIncompatibleSchemaError),
        ("DROP TABLE Z_PRIMARYKEY", NSPersistentStoreTypeMismatchError),
        ("DROP TABLE ZUSER", NSPersistentStoreIncompatibleSchemaError),
        ("ALTER TABLE ZUSER RENAME COLUMN ZNAME TO ZOTHER", NSPersistentStoreIncompatibleSchemaError),
    ]

    @Test(arguments: damage)
    func whatIsDamagedIsNamed(sql: String, code expected: Int) throws {
        let store = try AppleStore(Self.name)
        try PlainDatabase(store.url).rows(sql)
        try expect(code(store, readOnly: true), equals: expected)
        try expect(code(store), equals: expected)
    }

    /// These may keep a store from opening; if they don't, its rows are there and the check complains.
    @Test(arguments: [
        "UPDATE Z_METADATA SET Z_PLIST = 'text'", "UPDATE Z_PRIMARYKEY SET Z_ENT = -5",
        "UPDATE Z_PRIMARYKEY SET Z_ENT = 9223372036854775807",
    ])
    func whatIsOddIsRefusedOrRead(sql: String) throws {
        let store = try AppleStore(Self.name)
        try PlainDatabase(store.url).rows(sql)
        let code = try code(store, readOnly: true)
        if let code {
            let documented = [
                NSFileReadCorruptFileError, NSPersistentStoreOpenError,
                NSPersistentStoreIncompatibleSchemaError,
                NSPersistentStoreIncompatibleVersionHashError, NSSQLiteError,
            ]
            #expect(documented.contains(code), "code \(code)")
            return
        }
        let opened = try store.open(readOnly: true)
        try expect(opened.context.all("User").count, equals: 12)
        let problems = try opened.coordinator.verify(opened.store)
        #expect(problems != [])
    }

    @Test(arguments: ["x'DEADBEEF'", "x''", "'text'", "NULL", "zeroblob(100000)"])
    func aStoreWithABrokenModelOpensWithAnother(content: String) throws {
        let store = try AppleStore(Self.name)
        try PlainDatabase(store.url).rows("UPDATE Z_MODELCACHE SET Z_CONTENT = \(content)")
        let before = try store.bytes()
        #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: store.url)
        }
        try expect(store.bytes(), equals: before)
        try expect(store.open(readOnly: true).context.all("User").count, equals: 12)
    }

    /// Keys in use are never given out again, whatever the counter says.
    @Test(arguments: ["0", "-7", "'text'", "NULL", "9223372036854775807"])
    func aWrongCounterHarmsNoRow(maximum: String) throws {
        let store = try AppleStore(Self.name)
        let plain = try PlainDatabase(store.url)
        try plain.rows("UPDATE Z_PRIMARYKEY SET Z_MAX = \(maximum)")
        let rows = try plain.rows("SELECT * FROM ZUSER ORDER BY Z_PK")
        let opened = try store.open()
        let user = opened.context.make("User")
        SampleValues.fill(user, seed: 1)
        let isSaved = opened.save().isEmpty
        try expect(plain.rows("SELECT * FROM ZUSER ORDER BY Z_PK").prefix(rows.count), equals: rows[...])
        try expect(plain.rows("SELECT * FROM ZUSER").count, equals: rows.count + (isSaved ? 1 : 0))
    }

    /// Bytes changed at random: an error or rows, and no trap.
    @Test func anyByteMayBeWrong() throws {
        let store = try AppleStore(Self.name)
        let whole = try Data(contentsOf: store.url)
        var (seed, failures) = (UInt64(42), 0)
        for _ in 0..<150 {
            var bytes = whole
            for _ in 0..<6 {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int(seed >> 33) % bytes.count] = UInt8(truncatingIfNeeded: seed >> 20)
            }
            try bytes.write(to: store.url)
            do {
                let opened = try store.open(readOnly: true)
                for user in try opened.context.all("User") { _ = user.value(forKey: "name") }
                _ = try opened.coordinator.verify(opened.store)
            } catch {
                failures += 1
            }
            try expect(Data(contentsOf: store.url), equals: bytes)
        }
        #expect(failures > 0)
    }
}
