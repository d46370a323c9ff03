// Files that can't be opened: each kind has an error of its own, and stays as it is.

import CoreDataTestSupport
import CSQLite
import CoreData
import Foundation
import Testing

@Suite struct SQLiteStoreFailureTests {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.sqlite")
    }

    /// The error of opening the store, and whether the files stayed as they were.
    private func failure(
        _ model: NSManagedObjectModel = StoreFixtures.model(), options: [AnyHashable: Any]? = nil
    ) throws -> NSError {
        let before = StoreFixtures.bytes(url)
        let error = StoreFixtures.error { _ = try StoreFixtures.open(url, model, options: options) }
        expect(StoreFixtures.bytes(url), equals: before)
        let found = try #require(error)
        expect(found.domain, equals: NSCocoaErrorDomain)
        expect(found.userInfo[NSFilePathErrorKey] as? String, equals: url.path)
        return found
    }

    private func makeStore() throws {
        let (coordinator, store) = try StoreFixtures.open(url)
        try StoreFixtures.save((0..<200).map { "Person \($0)" }, to: coordinator)
        try coordinator.remove(store)
    }

    @Test func aTextIsNoStore() throws {
        try Data(String(repeating: "no store at all. ", count: 100).utf8).write(to: url)
        try expect(failure().code, equals: NSFileReadCorruptFileError)
    }

    @Test func anotherDatabaseIsNoStore() throws {
        do {
            let raw = try RawDatabase(url)
            try raw.run("CREATE TABLE notes (text)")
        }
        try expect(failure().code, equals: NSPersistentStoreTypeMismatchError)
    }

    @Test func aStoreCutShortIsIncomplete() throws {
        try makeStore()
        let whole = try Data(contentsOf: url)
        try whole.prefix(whole.count / 2 + 100).write(to: url)
        try expect(failure().code, equals: NSFileReadCorruptFileError)
    }

    @Test func aDamagedStoreIsDamaged() throws {
        try makeStore()
        var bytes = try Data(contentsOf: url)
        bytes.replaceSubrange(100..<200, with: repeatElement(0xFF, count: 100))
        try bytes.write(to: url)
        let error = try failure()
        expect(error.code, equals: NSFileReadCorruptFileError)
        expect((error.userInfo[NSSQLiteErrorDomain] as? Int).map { $0 & 0xFF }, equals: Int(SQLITE_CORRUPT))
    }

    @Test func aMissingStoreCantBeRead() throws {
        try expect(
            failure(options: [NSReadOnlyPersistentStoreOption: true]).code, equals: NSFileReadNoSuchFileError)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test func aStoreCantBeMadeInAFolderThatIsMissing() throws {
        let error = StoreFixtures.error {
            _ = try StoreFixtures.open(folder.file("nowhere/store.sqlite"))
        }
        expect(error?.code, equals: NSFileWriteUnknownError)
        let reading = StoreFixtures.error {
            _ = try StoreFixtures.open(
                folder.file("nowhere/store.sqlite"), options: [NSReadOnlyPersistentStoreOption: true])
        }
        expect(reading?.code, equals: NSFileReadNoSuchFileError)
    }

    @Test func aStoreOfAnotherModelNamesTheEntitiesThatDiffer() throws {
        try makeStore()
        let error = try failure(StoreFixtures.model(age: .string))
        expect(error.code, equals: NSPersistentStoreIncompatibleVersionHashError)
        expect(error.userInfo["entities"] as? [String], equals: ["Person"])
        expect(error.localizedFailureReason?.contains("\"Person\""), equals: true)
    }

    @Test func theVersionsCanBeIgnored() throws {
        try makeStore()
        let (_, store) = try StoreFixtures.open(
            url, StoreFixtures.model(age: .string), options: [NSIgnorePersistentStoreVersioningOption: true])
        expect(store.type, equals: NSSQLiteStoreType)
    }

    @Test func aLockedStoreTimesOut() throws {
        let (coordinator, _) = try StoreFixtures.open(url, options: [NSPersistentStoreTimeoutOption: 0.05])
        let raw = try RawDatabase(url)
        try raw.run("BEGIN IMMEDIATE; UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX")
        let error = StoreFixtures.error { try StoreFixtures.save(["Ada"], to: coordinator) }
        expect(error?.code, equals: NSPersistentStoreTimeoutError)
        expect((error?.userInfo[NSSQLiteErrorDomain] as? Int).map { $0 & 0xFF }, equals: Int(SQLITE_BUSY))
        try raw.run("ROLLBACK")
        try StoreFixtures.save(["Ada"], to: coordinator)
        try expect(raw.number("SELECT COUNT(*) FROM ZPERSON"), equals: 1)
    }

    @Test func anExclusiveLockKeepsAStoreFromOpening() throws {
        try makeStore()
        let raw = try RawDatabase(url)
        try raw.run("PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        let error = StoreFixtures.error {
            _ = try StoreFixtures.open(url, options: [NSPersistentStoreTimeoutOption: 0.05])
        }
        expect(error?.code, equals: NSPersistentStoreTimeoutError)
        try raw.run("ROLLBACK")
    }

    @Test func aFolderIsNoStore() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try expect(failure().code, equals: NSFileReadCorruptFileError)
    }
}
