// The calls of the framework in a store's life, and the facts that stores state about themselves.

import CoreData
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct NSPersistentStoreTests {
    private func opened() throws -> (NSPersistentStoreCoordinator, WatchedStore) {
        WatchedStore.register()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: WatchedStore.type, configurationName: nil, at: URL(fileURLWithPath: "/watched/one"),
            options: ["colour": "red"])
        return (coordinator, try #require(store as? WatchedStore))
    }

    @Test func aNewStoreSaysWhatItWasMadeWith() {
        let url = URL(fileURLWithPath: "/nowhere")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        let store = NSPersistentStore(
            persistentStoreCoordinator: coordinator, configurationName: "Some", at: url,
            options: [NSReadOnlyPersistentStoreOption: true])
        #expect(store.url == url && store.configurationName == "Some" && store.isReadOnly)
        #expect(store.persistentStoreCoordinator === coordinator && coordinator.persistentStores.isEmpty)
        let other = NSPersistentStore(persistentStoreCoordinator: nil, configurationName: nil, at: url)
        #expect(other.configurationName == "PF_DEFAULT_CONFIGURATION_NAME" && !other.isReadOnly)
        #expect(other.persistentStoreCoordinator == nil && other.options == nil)
    }

    @Test func aStoreIsToldOfItsLife() throws {
        let (coordinator, store) = try opened()
        expect(store.calls, equals: ["init one", "loadMetadata", "load", "didAdd 1"])
        expect(store.options?["colour"] as? String, equals: "red")
        expect(store.metadata[NSStoreTypeKey] as? String, equals: WatchedStore.type)
        try coordinator.remove(store)
        #expect(store.calls.last == "willRemove 1" && coordinator.persistentStores.isEmpty)
    }

    @Test func anAtomicStoreMakesReferencesAndNodes() throws {
        let (coordinator, store) = try opened()
        let context = StoreFixtures.context(coordinator)
        try context.run { () throws in
            let company = context.make("Company", ["name": "Acme"])
            let person = context.make("Person", ["company": company])
            try context.save()
            #expect(company.objectID.uriRepresentation().lastPathComponent.hasPrefix("pw"))
            expect(store.calls.suffix(3).sorted(), equals: ["save 2", "update Company", "update Person"])
            expect(store.calls.last, equals: "save 2")
            let node = try #require(store.cacheNode(for: company.objectID) as? WatchedNode)
            expect(node.propertyCache?["name"] as? String, equals: "Acme")
            expect((node.propertyCache?["people"] as? NSSet)?.count, equals: 1)
            let other = try #require(store.cacheNode(for: person.objectID))
            #expect(other.value(forKey: "company") as? NSAtomicStoreCacheNode === node)
            node.propertyCache = ["name": "Other"]
            #expect(node.value(forKey: "name") as? String == "Other" && node.value(forKey: "people") == nil)
        }
    }

    @Test func metadataOfAClosedStoreIsTheClassesBusiness() throws {
        WatchedStore.register()
        let url = URL(fileURLWithPath: "/watched/\(UUID().uuidString)")
        try NSPersistentStoreCoordinator.setMetadata(
            ["author": "Ada"], type: NSPersistentStore.StoreType(rawValue: WatchedStore.type), at: url)
        expect(WatchedStore.written.withLock { $0[url] }, equals: ["author": "Ada"])
    }

    @Test func aClassThatOverridesNothingThrows() throws {
        let url = URL(fileURLWithPath: "/nowhere")
        let errors = [
            error { try NSPersistentStore.setMetadata([:], forPersistentStoreAt: url) },
            error { _ = try NSPersistentStore.metadataForPersistentStore(with: url) },
            error {
                try NSPersistentStore(persistentStoreCoordinator: nil, configurationName: nil, at: url)
                    .loadMetadata()
            },
            error {
                try NSAtomicStore(persistentStoreCoordinator: nil, configurationName: nil, at: url).load()
            },
            error {
                try NSAtomicStore(persistentStoreCoordinator: nil, configurationName: nil, at: url).save()
            },
        ]
        expect(
            errors.map { $0?.code },
            equals: Array(repeating: NSPersistentStoreUnsupportedRequestTypeError, count: 5))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let store = NSIncrementalStore(persistentStoreCoordinator: nil, configurationName: nil, at: url)
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
        #expect(
            error { _ = try store.execute(request, with: context) }?.code
                == NSPersistentStoreUnsupportedRequestTypeError)
        #expect(
            error { _ = try store.obtainPermanentIDs(for: []) }?.localizedFailureReason?
                .contains("obtainPermanentIDs(for:)") == true)
    }

    @Test func typesHaveTheNamesOfTheConstants() {
        let types: [NSPersistentStore.StoreType] = [.binary, .inMemory, .sqlite, .xml]
        let names: [NSPersistentStore.StoreType.RawValue] = types.map(\.rawValue)
        expect(names, equals: [NSBinaryStoreType, NSInMemoryStoreType, NSSQLiteStoreType, NSXMLStoreType])
        #expect(Set(types).count == 4 && NSPersistentStore.StoreType(rawValue: "SQLite") == .sqlite)
    }

    @Test func aTypeCanBeTakenBack() throws {
        let type = NSPersistentStore.StoreType(rawValue: "Tape \(UUID().uuidString)")
        NSPersistentStoreCoordinator.registerStoreClass(WatchedStore.self, type: type)
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes[type.rawValue] != nil)
        NSPersistentStoreCoordinator.registerStoreClass(nil, type: type)
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes[type.rawValue] == nil)
    }
}
