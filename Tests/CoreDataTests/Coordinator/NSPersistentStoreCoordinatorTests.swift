// Adding, finding and removing stores; IDs from URIs; files of stores; what tools ask.

import CoreData
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct NSPersistentStoreCoordinatorTests {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.sqlite")
    }

    @Test func aStoreIsFoundByItsURLUntilItIsRemoved() throws {
        let (coordinator, store) = try StoreFixtures.open(url)
        expect(coordinator.persistentStores, equals: [store])
        #expect(coordinator.persistentStore(for: url) === store)
        expect(coordinator.url(for: store), equals: url)
        #expect(store.persistentStoreCoordinator === coordinator)
        try coordinator.remove(store)
        expect(coordinator.persistentStores, equals: [])
        #expect(coordinator.persistentStore(for: url) == nil)
        #expect(
            StoreFixtures.error { try coordinator.remove(store) }?.code == NSPersistentStoreOperationError)
    }

    @Test func aStoreCantBeAddedTwice() throws {
        let (coordinator, _) = try StoreFixtures.open(url)
        let error = StoreFixtures.error {
            try coordinator.addPersistentStore(type: .sqlite, at: folder.file("./store.sqlite"))
        }
        expect(error?.code, equals: 134081)
        try FileManager.default.copyItem(at: url, to: folder.file("copy.sqlite"))
        expect(coordinator.persistentStores.count, equals: 1)
    }

    @Test func typesAndConfigurationsMustBeKnown() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreFixtures.model())
        let type = StoreFixtures.error {
            try coordinator.addPersistentStore(ofType: "Tape", configurationName: nil, at: url)
        }
        expect(type?.code, equals: NSPersistentStoreInvalidTypeError)
        let configuration = StoreFixtures.error {
            try coordinator.addPersistentStore(type: .sqlite, configuration: "Unknown", at: url)
        }
        expect(configuration?.code, equals: NSPersistentStoreIncompatibleSchemaError)
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes[NSSQLiteStoreType] != nil)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test func storesTakeTheEntitiesOfTheirConfigurations() throws {
        let model = StoreFixtures.model()
        let entities = model.entitiesByName
        model.setEntities(
            [entities["Person"], entities["Pet"], entities["Group"]].compactMap(\.self),
            forConfigurationName: "All")
        let note = NSEntityDescription("Note")
        note.properties = [NSAttributeDescription("text", .string)]
        model.entities += [note]
        model.setEntities([note], forConfigurationName: "Notes")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let people = try coordinator.addPersistentStore(type: .sqlite, configuration: "All", at: url)
        let notes = try coordinator.addPersistentStore(
            type: .sqlite, configuration: "Notes", at: folder.file("notes.sqlite"))
        expect(notes.configurationName, equals: "Notes")
        let context = StoreFixtures.context(coordinator)
        try context.performAndWait {
            let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            try context.save()
            #expect(person.objectID.persistentStore === people)
            #expect(note.objectID.persistentStore === notes)
        }
        let raw = try RawDatabase(folder.file("notes.sqlite"))
        try expect(raw.rows("SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_MAX > 0"), equals: [["Note"]])
        try expect(raw.number("SELECT COUNT(*) FROM Z_PRIMARYKEY"), equals: model.entities.count)
    }

    @Test func notificationsTellOfStores() throws {
        let model = StoreFixtures.model()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let seen = Mutex<[String]>([])
        let center = NotificationCenter.default
        let tokens = [
            NSNotification.Name.NSPersistentStoreCoordinatorStoresDidChange,
            .NSPersistentStoreCoordinatorWillRemoveStore,
        ].map { name in
            center.addObserver(forName: name, object: nil, queue: nil) { notification in
                let store = notification.object as? NSPersistentStore
                guard
                    notification.object as? NSObject === coordinator
                        || store?.persistentStoreCoordinator === coordinator
                else { return }
                let stores = (notification.userInfo ?? [:]).compactMap { key, value in
                    (value as? [NSPersistentStore]).map { "\(key) \($0.count)" }
                }
                seen.withLock { $0 += [name.rawValue] + stores }
            }
        }
        defer { tokens.forEach(center.removeObserver) }
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        try coordinator.remove(store)
        let (changed, removing) = (
            "NSPersistentStoreCoordinatorStoresDidChangeNotification",
            "NSPersistentStoreCoordinatorWillRemoveStoreNotification"
        )
        let expected = [changed, "added 1", removing, "removed 1", changed, "removed 1"]
        expect(seen.withLock { $0 }, equals: expected)
    }

    @Test func anIDComesBackFromItsURI() throws {
        let (coordinator, store) = try StoreFixtures.open(url)
        let context = StoreFixtures.context(coordinator)
        try context.performAndWait {
            let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            try context.save()
            let uri = person.objectID.uriRepresentation()
            #expect(uri.absoluteString == "x-coredata://\(store.identifier ?? "")/Person/p1")
            expect(coordinator.managedObjectID(forURIRepresentation: uri), equals: person.objectID)
            expect(coordinator.managedObjectID(for: uri.absoluteString), equals: person.objectID)
        }
        for text in [
            "x-coredata://\(UUID().uuidString)/Person/p1", "x-coredata://\(store.identifier ?? "")/Nobody/p1",
            "x-coredata://\(store.identifier ?? "")/Person/t1",
            "x-coredata://\(store.identifier ?? "")/Person/p0",
            "x-coredata:///Person/tABC", "https://\(store.identifier ?? "")/Person/p1", "",
        ] {
            #expect(coordinator.managedObjectID(for: text) == nil, "\(text)")
        }
    }

    @Test func metadataOfTheClientStaysInTheFile() throws {
        let (coordinator, store) = try StoreFixtures.open(url)
        var metadata = coordinator.metadata(for: store)
        metadata["author"] = "Ada"
        metadata["numbers"] = [1, 2]
        coordinator.setMetadata(metadata, for: store)
        try StoreFixtures.save(["Ada"], to: coordinator)
        try coordinator.remove(store)
        let found = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        expect(found["author"] as? String, equals: "Ada")
        expect(found["numbers"] as? [Int], equals: [1, 2])
        expect(found[NSStoreUUIDKey] as? String, equals: store.identifier)
        try NSPersistentStoreCoordinator.setMetadata(["author": "Bob"], type: .sqlite, at: url)
        let changed = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: nil, at: url)
        expect(changed["author"] as? String, equals: "Bob")
        #expect(changed["numbers"] == nil)
        expect(
            changed[NSStoreModelVersionHashesKey] as? [String: Data],
            equals: found[NSStoreModelVersionHashesKey] as? [String: Data])
        try NSPersistentStoreCoordinator.setMetadata(
            ["author": "Cyd"], forPersistentStoreOfType: String?.none, at: url)
        let third = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        #expect(third["author"] as? String == "Cyd" && third[NSStoreUUIDKey] as? String == store.identifier)
        _ = try StoreFixtures.open(url)
    }

    @Test func aDestroyedStoreIsAnEmptyDatabase() throws {
        let (coordinator, _) = try StoreFixtures.open(url)
        try StoreFixtures.save(["Ada"], to: coordinator)
        try coordinator.destroyPersistentStore(at: url, type: .sqlite)
        expect(coordinator.persistentStores, equals: [])
        expect(StoreFixtures.bytes(url).map { $0 == nil }, equals: [false, false, false, true])
        try expect(RawDatabase(url).rows("SELECT * FROM sqlite_master"), equals: [])
        try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
        try coordinator.addPersistentStore(type: .sqlite, at: url)
        try Data("something else".utf8).write(to: folder.file("text"))
        #expect(throws: NSError.self) {
            try coordinator.destroyPersistentStore(at: folder.file("text"), type: .sqlite)
        }
        #expect(FileManager.default.fileExists(atPath: folder.file("text").path))
    }

    @Test func aReplacedStoreHoldsWhatTheSourceHolds() throws {
        let (coordinator, store) = try StoreFixtures.open(url)
        try StoreFixtures.save(["Ada"], to: coordinator)
        let target = folder.file("target.sqlite")
        let (other, _) = try StoreFixtures.open(target)
        try StoreFixtures.save(["Bob", "Carl"], to: other)
        try other.replacePersistentStore(at: target, withPersistentStoreFrom: url, type: .sqlite)
        expect(other.persistentStores, equals: [])
        try expect(RawDatabase(target).rows("SELECT ZNAME FROM ZPERSON"), equals: [["Ada"]])
        let again = try other.addPersistentStore(type: .sqlite, at: target)
        expect(again.identifier, equals: store.identifier)
        expect(coordinator.persistentStores, equals: [store])
    }

    @Test func blocksRunOneAtATimeAndGiveResults() async throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreFixtures.model())
        coordinator.name = "mine"
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { await coordinator.perform { counter.add() } } }
        }
        expect(coordinator.performAndWait { counter.value }, equals: 50)
        expect(coordinator.name, equals: "mine")
        await #expect(throws: CocoaError.self) {
            try await coordinator.perform { throw CocoaError(.fileNoSuchFile) }
        }
    }

    @Test func aModelIsNeeded() async {
        await #expect(processExitsWith: .failure) { _ = NSPersistentStoreCoordinator() }
    }

    @Test func toolsSeeTheSQLOfAFetch() throws {
        let (coordinator, store) = try StoreFixtures.open(url)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: "name == %@", "O'Hara")
        let description = try coordinator.sqlDescription(for: request, in: store)
        #expect(description.sql.hasPrefix("SELECT "))
        expect(description.bindings, equals: ["'O''Hara'"])
        #expect(!description.plan.isEmpty)
    }

    @Test func problemsOfAStoreAreFound() throws {
        let (coordinator, store) = try StoreFixtures.open(url)
        try StoreFixtures.save(["Ada"], to: coordinator)
        try expect(coordinator.verify(store), equals: [])
        try RawDatabase(url).run("INSERT INTO ZPET (Z_PK, Z_ENT, Z_OPT, ZOWNER) VALUES (9, 3, 1, 77)")
        let problems = try coordinator.verify(store)
        #expect(problems.contains { $0.check == "ZPET: key counter" })
        #expect(
            problems.contains { $0.explanation.contains("ZOWNER") && $0.rows == ["9, 77"] && $0.count == 1 })
        #expect(problems.allSatisfy { $0.isHarmful })
    }
}

/// Counts; guarded by the coordinator under test.
private final class Counter: @unchecked Sendable {
    private(set) var value = 0
    func add() { value += 1 }
}
