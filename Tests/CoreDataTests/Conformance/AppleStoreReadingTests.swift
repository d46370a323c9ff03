// Every row of every store that Apple's framework made, property by property; and reading changes no byte.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
struct AppleStoreReadingTests {
    @Test(arguments: AppleStore.all)
    func everyRowIsWhatSQLiteHolds(name: String) throws {
        let store = try AppleStore(name)
        let opened = try store.open(readOnly: true)
        let inspector = try store.inspector()
        #expect(try inspector.objects().count > 0)
        let found1 = try ObjectComparison.differences(opened, inspector)
        expect(found1, equals: [])
    }

    @Test(arguments: AppleStore.all)
    func theInspectorFindsAppleStoresSound(name: String) throws {
        let found1 = try AppleStore(name).inspector().violations()
        expect(found1, equals: [])
    }

    @Test(arguments: AppleStore.all)
    func readingChangesNoByte(name: String) throws {
        let store = try AppleStore(name)
        let before = try store.bytes()
        let opened = try store.open(readOnly: true)
        var count = 0
        for entity in store.model.entities {
            count += try opened.context.count(
                for: NSFetchRequest<NSManagedObject>(entityName: entity.name ?? ""))
            let objects = try opened.context.all(entity.name ?? "")
            for object in objects {
                _ = object.dictionaryWithValues(forKeys: Array(entity.propertiesByName.keys))
            }
        }
        #expect(count > 0)
        _ = try opened.coordinator.verify(opened.store)
        _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: store.url)
        _ = try NSPersistentStoreCoordinator.model(inStoreAt: store.url)
        try expect(store.bytes(), equals: before)
        try opened.close()
        try expect(store.bytes(), equals: before)
    }

    @Test func aReadOnlyStoreRefusesChanges() throws {
        let store = try AppleStore("CoreDataPlus/SampleModel3_V1")
        let before = try store.bytes()
        let opened = try store.open(readOnly: true)
        #expect(opened.store.isReadOnly)
        _ = opened.context.make("User", ["name": "new"])
        let error = #expect(throws: NSError.self) { try opened.context.save() }
        expect(error?.code, equals: NSPersistentStoreSaveError)
        try opened.close()
        try expect(store.bytes(), equals: before)
    }

    /// The last rows of the bookmarks stand in the log only.
    @Test(arguments: AppleStore.all.filter { $0.hasPrefix("DuckDuckGo") })
    func rowsInTheLogAreSeen(name: String) throws {
        let store = try AppleStore(name)
        #expect(FileManager.default.fileExists(atPath: store.url.path + "-wal"))
        let opened = try store.open(readOnly: true)
        try expect(opened.context.all("BookmarkEntity").count, equals: 10)
    }
}
