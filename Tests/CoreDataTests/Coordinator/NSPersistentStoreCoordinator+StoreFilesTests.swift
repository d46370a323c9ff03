// Stores that are destroyed, replaced and copied, while others have them open.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct StoreFilesTests {
    private let folder: TemporaryFolder
    private let store: FilledStore
    private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreFixtures.model())

    init() throws {
        folder = try TemporaryFolder()
        store = FilledStore(folder.file("Store.sqlite"))
    }

    /// Expects that a context, which had fetched from a store, gets errors now.
    private func expectUseless(_ context: NSManagedObjectContext) throws {
        expect(context.persistentStoreCoordinator?.persistentStores, equals: [])
        try context.performAndWait {
            let person = try #require(context.registeredObjects.first)
            #expect(StoreFixtures.error { _ = try context.existingObject(with: person.objectID) } != nil)
            let new = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            new.setValue("new", forKey: "name")
            #expect(StoreFixtures.error { try context.save() }?.domain == NSCocoaErrorDomain)
        }
    }

    /// A context that holds people.
    private func holding(_ coordinator: NSPersistentStoreCoordinator) throws -> NSManagedObjectContext {
        let context = StoreFixtures.context(coordinator)
        context.retainsRegisteredObjects = true
        _ = try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
        }
        return context
    }

    // MARK: Destroying

    @Test(arguments: ["WAL", "DELETE"]) func aDestroyedStoreIsAnEmptyDatabaseWithItsCompanions(
        journal: String
    ) throws {
        try store.make("old", 12, options: [NSSQLitePragmasOption: ["journal_mode": journal]])
        try coordinator.destroyPersistentStore(at: store.url, type: .sqlite)
        try expect(
            FilledStore.files(in: folder.url),
            equals: ["Store.sqlite", "Store.sqlite-shm", "Store.sqlite-wal"])
        #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: store.url)
        }
        try expect(RawDatabase(store.url).rows("SELECT * FROM sqlite_master"), equals: [])
        try expect(RawDatabase(store.url).rows("PRAGMA integrity_check"), equals: [["ok"]])
        try store.make("new", 3)
        try expect(store.contents(), equals: ["new": 3])
        try coordinator.destroyPersistentStore(at: store.url, type: .sqlite)
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.removeItem(atPath: store.url.path + suffix)
        }
        try coordinator.destroyPersistentStore(at: store.url, type: .sqlite)
        try expect(FilledStore.files(in: folder.url), equals: [])
    }

    @Test func aDestroyedStoreLeavesEveryCoordinator() throws {
        try store.make("old", 12)
        let others = try [store.open(), store.open([NSReadOnlyPersistentStoreOption: true])]
        let notes = others.map(StoreNotes.init)
        let stores = others.map { $0.persistentStores }
        let contexts = try others.map(holding)
        // Another path to the same file.
        let link = folder.file("Link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: store.url)
        try coordinator.destroyPersistentStore(
            at: link, type: .sqlite, options: [NSPersistentStoreTimeoutOption: 1])
        for number in 0...1 {
            #expect(notes[number].leaving == stores[number] && notes[number].removed == stores[number])
        }
        for context in contexts { try expectUseless(context) }
        try expect(RawDatabase(store.url).rows("SELECT * FROM sqlite_master"), equals: [])
        #expect(try FilledStore.files(in: folder.url).allSatisfy { !$0.contains("external") })
        try others[0].addPersistentStore(type: .sqlite, at: store.url)
        try FilledStore.insert("new", 0..<2, others[0])
        try expect(FilledStore.contents(others[0]), equals: ["new": 2])
    }

    @Test func aStoreThatAnotherProcessWritesToIsNotDestroyed() async throws {
        try store.make("old", 3)
        let raw = try RawDatabase(store.url)
        try raw.run("BEGIN IMMEDIATE; UPDATE ZPERSON SET ZAGE = ZAGE")
        let path = store.url.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreFixtures.model())
            let error = StoreFixtures.error {
                try coordinator.destroyPersistentStore(
                    at: URL(fileURLWithPath: path), type: .sqlite,
                    options: [NSPersistentStoreTimeoutOption: 0.1])
            }
            try #require(error?.code == NSPersistentStoreTimeoutError)
        }
        try raw.run("COMMIT")
        try expect(store.contents(), equals: ["old": 3])
    }

    /// Each thread holds the lock of its coordinator while it destroys what the other one has open.
    @Test func storesAreDestroyedCrosswise() async throws {
        for round in 0..<3 {
            let stores = ["A\(round)", "B\(round)"].map { FilledStore(folder.file($0 + ".sqlite")) }
            for store in stores { try store.make("old", 3) }
            let coordinators = try stores.map { try $0.open() }
            let errors = await withTaskGroup(of: NSError?.self) { group in
                for number in 0...1 {
                    let (own, other) = (coordinators[number], stores[1 - number].url)
                    group.addTask {
                        own.performAndWait {
                            StoreFixtures.error {
                                try own.destroyPersistentStore(
                                    at: other, type: .sqlite, options: [NSPersistentStoreTimeoutOption: 0.2])
                            }
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for error in errors where error != nil {
                expect(error?.code, equals: NSPersistentStoreTimeoutError)
            }
            let tables = try stores.count {
                try RawDatabase($0.url).rows("SELECT * FROM sqlite_master").isEmpty == false
            }
            expect(tables, equals: errors.count { $0 != nil })
        }
    }

    // MARK: Replacing

    @Test(arguments: ["WAL", "DELETE"], [4096, 8192])
    func aReplacedStoreLeavesEveryCoordinator(journal: String, pageSize: Int) throws {
        let source = FilledStore(folder.file("Source.sqlite"))
        try RawDatabase(source.url).run("PRAGMA page_size = \(pageSize); VACUUM")
        try source.make("new", 11, options: [NSSQLitePragmasOption: ["journal_mode": journal]])
        try store.make("old", 40)
        let (other, open) = (try store.open(), try source.open())
        let (notes, stores, context) = (StoreNotes(other), other.persistentStores, try holding(other))
        try coordinator.replacePersistentStore(
            at: store.url, destinationOptions: [NSPersistentStoreTimeoutOption: 1],
            withPersistentStoreFrom: source.url, type: .sqlite)
        #expect(notes.leaving == stores && notes.removed == stores)
        try expectUseless(context)
        try expect(FilledStore.contents(open), equals: ["new": 11])
        try expect(store.contents(), equals: ["new": 11])
        try expect(FilledStore.files(in: folder.url).filter { $0.hasPrefix(".") }, equals: [])
    }

    /// SQLite would read a log that lies beside a file as the file's own.
    @Test func companionsWithoutAFileAreNotTakenForTheNewOnes() throws {
        let source = FilledStore(folder.file("Source.sqlite"))
        try source.make("new", 6)
        let other = try store.open()
        try FilledStore.insert("old", 0..<40, other)
        try FileManager.default.copyItem(atPath: store.url.path + "-wal", toPath: folder.file("log").path)
        for store in other.persistentStores { try other.remove(store) }
        try FileManager.default.removeItem(at: store.url)
        try FileManager.default.moveItem(atPath: folder.file("log").path, toPath: store.url.path + "-wal")
        try coordinator.replacePersistentStore(
            at: store.url, withPersistentStoreFrom: source.url, type: .sqlite)
        try expect(store.contents(), equals: ["new": 6])
    }

    @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func aReplacementThatFailsChangesNothing(type: String) throws {
        let store = FilledStore(folder.file("Store"), type: type)
        try store.make("old", 6)
        let before = try FilledStore.files(in: folder.url)
        let letter = folder.file("letter")
        try Data("Dear Anna, this is not a store at all, it is a letter.".utf8).write(to: letter)
        for (from, to) in [(letter, store.url), (folder.file("none"), store.url), (store.url, letter)] {
            let error = StoreFixtures.error {
                try coordinator.replacePersistentStore(at: to, withPersistentStoreFrom: from, ofType: type)
            }
            expect(error?.domain, equals: NSCocoaErrorDomain)
        }
        try expect(Set(FilledStore.files(in: folder.url)), equals: Set(before + ["letter"]))
        try expect(store.contents(), equals: ["old": 6])
    }

    // MARK: Copying

    @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func anOpenStoreIsCopied(type: String) throws {
        let store = FilledStore(folder.file("Store"), type: type)
        let copy = FilledStore(folder.file("Copy"), type: type)
        let open = try store.open()
        try FilledStore.insert("old", 0..<11, open)
        try NSPersistentStoreCoordinator.copyPersistentStore(
            at: store.url, to: copy.url, type: .init(rawValue: type))
        try FilledStore.insert("more", 11..<20, open)
        try expect(copy.contents(), equals: ["old": 11])
        try expect(FilledStore.contents(open), equals: ["old": 11, "more": 9])
        let error = StoreFixtures.error {
            try NSPersistentStoreCoordinator.copyPersistentStore(
                at: store.url, to: copy.url, type: .init(rawValue: type))
        }
        expect(error?.code, equals: NSFileWriteFileExistsError)
        try expect(copy.contents(), equals: ["old": 11])
        let nowhere = StoreFixtures.error {
            try NSPersistentStoreCoordinator.copyPersistentStore(
                at: store.url, to: folder.file("none/Copy"), type: .init(rawValue: type))
        }
        expect(nowhere?.code, equals: NSFileReadNoSuchFileError)
    }

    /// SQLite of another process removes the log when it believes to be the last at the file.
    @Test func copyingKeepsTheLocks() async throws {
        let open = try store.open()
        try FilledStore.insert("old", 0..<6, open)
        try NSPersistentStoreCoordinator.copyPersistentStore(at: store.url, to: folder.file("Copy.sqlite"))
        let path = store.url.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let raw = try RawDatabase(URL(fileURLWithPath: path))
            try #require(raw.number("SELECT COUNT(*) FROM ZPERSON") == 6)
        }
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        try FilledStore.insert("more", 6..<9, open)
        try expect(RawDatabase(store.url).number("SELECT COUNT(*) FROM ZPERSON"), equals: 9)
    }

    /// Every copy is one state: as many people as one save after another made, each with the portrait.
    @Test func aStoreIsCopiedWhileItIsWrittenTo() async throws {
        let open = try store.open()
        try FilledStore.insert("old", 0..<5, open)
        let folder = folder
        async let writing: Void = Task.detached {
            for round in 1...30 { try FilledStore.insert("old", round * 5..<round * 5 + 5, open) }
        }.value
        for number in 0..<6 {
            let copy = FilledStore(folder.file("Copy\(number).sqlite"))
            try NSPersistentStoreCoordinator.copyPersistentStore(at: store.url, to: copy.url)
            let count = try #require(try copy.contents()["old"])
            expect(count % 5, equals: 0)
        }
        try await writing
        try expect(FilledStore.contents(open), equals: ["old": 155])
    }
}
