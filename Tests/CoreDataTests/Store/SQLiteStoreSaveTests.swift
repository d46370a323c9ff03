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
        #expect(try raw.rows("PRAGMA integrity_check") == [["ok"]])
        let store = try #require(coordinator.persistentStores.first)
        #expect(try coordinator.verify(store) == [])
    }

    @Test func rowsHaveKeysNumbersAndVersions() throws {
        try context.performAndWait {
            let ada = make("Person", ["name": "Ada", "age": 36])
            _ = make("Person", ["name": "Bob"])
            try save()
            ada.setValue(37, forKey: "age")
            try save()
        }
        #expect(
            try raw.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME, ZAGE FROM ZPERSON ORDER BY ZNAME").map {
                $0.dropFirst()
            }
                == [["2", "2", "Ada", "37"], ["2", "1", "Bob", nil]])
        #expect(try raw.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person'") == [["2"]])
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
            #expect(try raw.number("SELECT COUNT(*) FROM \(table)") == 1)
            context.delete(ada)
            try save()
            #expect(try raw.number("SELECT COUNT(*) FROM \(table)") == 0)
        }
    }

    @Test func orderKeysAscendInTheOrderOfTheRelationship() throws {
        try context.performAndWait {
            let ada = make("Person", ["name": "Ada"])
            let pets = ["Rex", "Mia", "Tom"].map { make("Pet", ["name": $0]) }
            ada.setValue(NSOrderedSet(array: pets), forKey: "pets")
            try save()
            #expect(try names() == ["Rex", "Mia", "Tom"])
            #expect(
                try raw.rows("SELECT Z_FOK_OWNER FROM ZPET ORDER BY Z_FOK_OWNER") == [
                    ["2048"], ["3072"], ["4096"],
                ])
            ada.setValue(NSOrderedSet(array: [pets[2], pets[0], pets[1]]), forKey: "pets")
            try save()
            #expect(try names() == ["Tom", "Rex", "Mia"])
        }
        let other = StoreFixtures.context(coordinator)
        try other.performAndWait {
            let people = try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
            let pets = try #require(people.first?.value(forKey: "pets") as? NSOrderedSet)
            #expect(
                pets.array.map { ($0 as? NSManagedObject)?.value(forKey: "name") as? String } == [
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
            #expect(try FileManager.default.contentsOfDirectory(atPath: support.path).count == 1)
            #expect(
                try raw.rows("SELECT hex(substr(ZPORTRAIT, 1, 1)), length(ZPORTRAIT) FROM ZPERSON") == [
                    ["02", "38"]
                ])
            let other = StoreFixtures.context(coordinator)
            try other.performAndWait {
                let found = try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
                #expect(found.first?.value(forKey: "portrait") as? Data == large)
            }
            ada.setValue(Data([1, 2]), forKey: "portrait")
            try save()
            #expect(try FileManager.default.contentsOfDirectory(atPath: support.path) == [])
            #expect(try raw.rows("SELECT hex(ZPORTRAIT) FROM ZPERSON") == [["010102"]])
        }
    }

    @Test func aViolatedConstraintNamesEntityAndAttributeAndWritesNothing() throws {
        try context.performAndWait {
            _ = make("Person", ["name": "Ada"])
            try save()
            _ = make("Person", ["name": "Bob"])
            _ = make("Person", ["name": "Ada"])
            let error = StoreFixtures.error { try context.save() }
            #expect(error?.code == NSManagedObjectConstraintMergeError)
            #expect(error?.userInfo["entity"] as? String == "Person")
            #expect(error?.userInfo["constraint"] as? [String] == ["name"])
        }
        #expect(try raw.rows("SELECT ZNAME FROM ZPERSON") == [["Ada"]])
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
        #expect(try raw.rows("SELECT Z_PK FROM ZPERSON") == [["2"]])
    }

    @Test func aFullDiskHasAnErrorOfItsOwn() throws {
        let small = folder.file("small.sqlite")
        let (coordinator, _) = try StoreFixtures.open(
            small, options: [NSSQLitePragmasOption: ["max_page_count": "20"]])
        let error = StoreFixtures.error {
            try StoreFixtures.save((0..<3000).map { "A person with a long name \($0)" }, to: coordinator)
        }
        #expect(error?.code == NSFileWriteOutOfSpaceError)
        #expect(try RawDatabase(small).number("SELECT COUNT(*) FROM ZPERSON") == 0)
    }
}
