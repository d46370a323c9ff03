// The contents of the file after a save, as SQLite itself reads it.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Unchecked because each test uses its context on that context's queue only, and waits for it.
@Suite struct SQLiteStoreSaveTests: @unchecked Sendable {
    let folder: TemporaryFolder
    let url: URL
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    let raw: RawDatabase

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("people.sqlite")
        coordinator = try StoreFixtures.open(url).coordinator
        context = StoreFixtures.context(coordinator)
        raw = try RawDatabase(url)
    }

    private func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    private func save() throws {
        try context.save()
        try expect(raw.rows("PRAGMA integrity_check"), equals: [["ok"]])
        let store = try #require(coordinator.persistentStores.first)
        try expect(coordinator.verify(store), equals: [])
    }

    @Test func rowsHaveKeysNumbersAndVersions() throws {
        try context.performAndWait {
            let ada = make("Person", ["name": "Ada", "age": 36])
            _ = make("Person", ["name": "Bob"])
            try save()
            ada.setValue(37, forKey: "age")
            try save()
        }
        try expect(
            raw.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME, ZAGE FROM ZPERSON ORDER BY ZNAME").map {
                $0.dropFirst()
            }, equals: [["2", "2", "Ada", "37"], ["2", "1", "Bob", nil]])
        try expect(raw.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person'"), equals: [["2"]])
    }

    @Test func joinRowsFollowTheRelationship() throws {
        try context.performAndWait {
            let ada = make("Person", ["name": "Ada"])
            let club = make("Group", ["title": "Club"])
            let team = make("Group", ["title": "Team"])
            ada.setValue(NSSet(array: [club, team]), forKey: "groups")
            try save()
            ada.setValue(NSSet(array: [team]), forKey: "groups")
            try save()
            let table = try #require(
                try raw.rows(
                    "SELECT name FROM sqlite_master WHERE name LIKE 'Z\\_1%' ESCAPE '\\' AND type = 'table'")[
                        0][0])
            try expect(raw.number("SELECT COUNT(*) FROM \(table)"), equals: 1)
            context.delete(ada)
            try save()
            try expect(raw.number("SELECT COUNT(*) FROM \(table)"), equals: 0)
        }
    }

    @Test func orderKeysAscendInTheOrderOfTheRelationship() throws {
        try context.performAndWait {
            let ada = make("Person", ["name": "Ada"])
            let pets = ["Rex", "Mia", "Tom"].map { make("Pet", ["name": $0]) }
            ada.setValue(NSOrderedSet(array: pets), forKey: "pets")
            try save()
            try expect(names(), equals: ["Rex", "Mia", "Tom"])
            try expect(
                raw.rows("SELECT Z_FOK_OWNER FROM ZPET ORDER BY Z_FOK_OWNER"),
                equals: [
                    ["2048"], ["3072"], ["4096"],
                ])
            ada.setValue(NSOrderedSet(array: [pets[2], pets[0], pets[1]]), forKey: "pets")
            try save()
            try expect(names(), equals: ["Tom", "Rex", "Mia"])
        }
        let other = StoreFixtures.context(coordinator)
        try other.performAndWait {
            let people = try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
            let pets = try #require(people.first?.value(forKey: "pets") as? NSOrderedSet)
            expect(
                pets.array.map { ($0 as? NSManagedObject)?.value(forKey: "name") as? String },
                equals: [
                    "Tom", "Rex", "Mia",
                ])
        }
    }

    private func names() throws -> [String?] {
        try raw.rows("SELECT ZNAME FROM ZPET ORDER BY Z_FOK_OWNER").map { $0[0] }
    }

    @Test func largeValuesLieInFilesBesideTheStore() throws {
        let support = folder.file(".people_SUPPORT/_EXTERNAL_DATA")
        let large = Data(repeating: 7, count: 400_000)
        try context.performAndWait {
            let ada = make("Person", ["name": "Ada", "portrait": large])
            try save()
            try expect(FileManager.default.contentsOfDirectory(atPath: support.path).count, equals: 1)
            try expect(
                raw.rows("SELECT hex(substr(ZPORTRAIT, 1, 1)), length(ZPORTRAIT) FROM ZPERSON"),
                equals: [
                    ["02", "38"]
                ])
            let other = StoreFixtures.context(coordinator)
            try other.performAndWait {
                let found = try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
                expect(found.first?.value(forKey: "portrait") as? Data, equals: large)
            }
            ada.setValue(Data([1, 2]), forKey: "portrait")
            try save()
            try expect(FileManager.default.contentsOfDirectory(atPath: support.path), equals: [])
            try expect(raw.rows("SELECT hex(ZPORTRAIT) FROM ZPERSON"), equals: [["010102"]])
        }
    }

    @Test func aViolatedConstraintNamesEntityAndAttributeAndWritesNothing() throws {
        try context.performAndWait {
            _ = make("Person", ["name": "Ada"])
            try save()
            _ = make("Person", ["name": "Bob"])
            _ = make("Person", ["name": "Ada"])
            let error = StoreFixtures.error { try context.save() }
            expect(error?.code, equals: NSManagedObjectConstraintMergeError)
            expect(error?.userInfo["entity"] as? String, equals: "Person")
            expect(error?.userInfo["constraint"] as? [String], equals: ["name"])
        }
        try expect(raw.rows("SELECT ZNAME FROM ZPERSON"), equals: [["Ada"]])
    }

    @Test func keysAreNeverGivenOutTwice() throws {
        try context.performAndWait {
            let ada = make("Person", ["name": "Ada"])
            try save()
            context.delete(ada)
            try save()
            _ = make("Person", ["name": "Bob"])
            try save()
        }
        try expect(raw.rows("SELECT Z_PK FROM ZPERSON"), equals: [["2"]])
    }

    @Test func aFullDiskHasAnErrorOfItsOwn() throws {
        let small = folder.file("small.sqlite")
        let (coordinator, _) = try StoreFixtures.open(
            small, options: [NSSQLitePragmasOption: ["max_page_count": "20"]])
        let error = StoreFixtures.error {
            try StoreFixtures.save((0..<3000).map { "A person with a long name \($0)" }, to: coordinator)
        }
        expect(error?.code, equals: NSFileWriteOutOfSpaceError)
        try expect(RawDatabase(small).number("SELECT COUNT(*) FROM ZPERSON"), equals: 0)
    }
}
