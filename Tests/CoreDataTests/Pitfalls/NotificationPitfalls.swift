// Facts about notifications and merging that are easy to get wrong. Each name states one.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct NotificationPitfalls {
    /// The notification of what `body` changes in the other context.
    private func saving(
        _ scene: StoreScene, _ body: (NSManagedObjectContext) throws -> Void
    ) throws -> Notification {
        let posted = Posted(.NSManagedObjectContextDidSave, scene.theirs)
        try scene.theirs.run { () throws in
            try body(scene.theirs)
            try scene.theirs.save()
        }
        return Notification(
            name: .NSManagedObjectContextDidSave, object: scene.theirs, userInfo: posted.userInfo)
    }

    /// Runs on the context's queue what tests do with its objects.
    private func merging(
        _ kind: StoreKind, _ names: String..., body: (StoreScene, NSManagedObjectContext) throws -> Void
    ) throws {
        let scene = try StoreScene(kind)
        try scene.mine.run { () throws in
            for name in names { _ = scene.mine.make("Person", ["name": name, "age": 1]) }
            try scene.mine.save()
        }
        try scene.mine.run { () throws in try body(scene, scene.mine) }
    }

    @Test(arguments: StoreKind.withObjects)
    func didSaveTellsOfObjectsInSets(_ kind: StoreKind) throws {
        try merging(kind, "Ada", "Bea", "Cleo") { _, context in
            let people = try context.all("Person", sort: "name")
            let posted = Posted(.NSManagedObjectContextDidSave, context)
            let new = context.make("Person", ["name": "Dora"])
            people[0].setValue(2, forKey: "age")
            context.delete(people[1])
            try context.save()
            expect(posted.objects(NSInsertedObjectsKey), equals: [new])
            expect(posted.objects(NSUpdatedObjectsKey), equals: [people[0]])
            expect(posted.objects(NSDeletedObjectsKey), equals: [people[1]])
            #expect(posted.userInfo?[NSInsertedObjectsKey] is Set<NSManagedObject>)
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func mergedUpdatesAreRefreshedAndInsertsInsertedWithNothingToSave(_ kind: StoreKind) throws {
        try merging(kind, "Ada") { scene, context in
            let ada = try context.person("Ada")
            _ = ada.text("name")
            let note = try saving(scene) {
                try $0.person("Ada").setValue(9, forKey: "age")
                _ = $0.make("Person", ["name": "New"])
            }
            let changed = Posted(.NSManagedObjectContextObjectsDidChange, context)
            context.mergeChanges(fromContextDidSave: note)
            expect(changed.objects(NSRefreshedObjectsKey), equals: [ada])
            #expect(changed.objects(NSUpdatedObjectsKey) == nil)
            expect(changed.objects(NSInsertedObjectsKey)?.map { $0.text("name") }, equals: ["New"])
            #expect(!context.hasChanges && ada.value(forKey: "age") as? Int == 9)
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func aMergedDeleteOfAHeldObjectLeavesItReadableAndDeleted(_ kind: StoreKind) throws {
        try merging(kind, "Ada", "Bea") { scene, context in
            let ada = try context.person("Ada")
            _ = ada.text("name")
            let note = try saving(scene) { $0.delete(try $0.person("Ada")) }
            context.mergeChanges(fromContextDidSave: note)
            #expect(context.registeredObject(for: ada.objectID) === ada && !ada.isFault && ada.isDeleted)
            #expect(context.deletedObjects == [ada] && ada.text("name") == "Ada")
            try expect(context.names(), equals: ["Bea"])
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func mergedUpdatesOfFaultsAndOfUnknownObjectsPostNothing(_ kind: StoreKind) throws {
        try merging(kind, "Ada", "Bea") { scene, context in
            let fault = try context.person("Ada")
            context.refresh(fault, mergeChanges: false)
            let note = try saving(scene) {
                for person in try $0.all("Person") { person.setValue(9, forKey: "age") }
            }
            let changed = Posted(.NSManagedObjectContextObjectsDidChange, context)
            context.mergeChanges(fromContextDidSave: note)
            #expect(changed.all.isEmpty && fault.isFault && fault.value(forKey: "age") as? Int == 9)
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func mergedDeletesPostOnlyForHeldObjectsAndMergedInsertsAlways(_ kind: StoreKind) throws {
        try merging(kind, "Ada", "Bea") { scene, context in
            let ada = try context.person("Ada")
            _ = ada.text("name")
            let unknown = try saving(scene) { $0.delete(try $0.person("Bea")) }
            let held = try saving(scene) { $0.delete(try $0.person("Ada")) }
            let new = try saving(scene) { _ = $0.make("Person", ["name": "New"]) }
            let changed = Posted(.NSManagedObjectContextObjectsDidChange, context)
            context.mergeChanges(fromContextDidSave: unknown)
            #expect(changed.all.isEmpty)
            context.mergeChanges(fromContextDidSave: held)
            #expect(changed.all.count == 1 && changed.objects(NSDeletedObjectsKey) == [ada])
            context.mergeChanges(fromContextDidSave: new)
            #expect(changed.all.count == 2 && changed.objects(NSInsertedObjectsKey)?.count == 1)
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func didMergeChangesTellsOfInsertedUpdatedAndRefreshedIDs(_ kind: StoreKind) throws {
        try merging(kind, "Ada", "Bea") { scene, context in
            let people = try context.all("Person")
            _ = people.map { $0.text("name") }
            let note = try saving(scene) {
                for person in try $0.all("Person") { person.setValue(9, forKey: "age") }
                _ = $0.make("Person", ["name": "New"])
            }
            let merged = Posted(.NSManagedObjectContextDidMergeChangesObjectIDs, context)
            context.mergeChanges(fromContextDidSave: note)
            func ids(_ key: String) -> Set<NSManagedObjectID>? {
                merged.userInfo?[key] as? Set<NSManagedObjectID>
            }
            expect(ids(NSInsertedObjectIDsKey)?.count, equals: 1)
            expect(ids(NSUpdatedObjectIDsKey), equals: Set(people.map(\.objectID)))
            expect(ids(NSRefreshedObjectIDsKey), equals: Set(people.map(\.objectID)))
        }
    }

    /// The notifications of the coordinator while a store moves. Unchecked: posted on the
    /// thread that moves the store.
    private final class Moved: @unchecked Sendable {
        var changes: [[Any]] = []
        var removed: [URL] = []
    }

    @Test func aMovedStoreIsToldOfWithBothStoresAndTheirIDsInTurn() throws {
        let scene = try StoreScene(.sqlite)
        try scene.saved("Person", "Ada", "Bea")
        let (coordinator, old) = (scene.container.persistentStoreCoordinator, scene.container.store)
        let (oldIdentifier, moved) = (old.identifier, Moved())
        let center = NotificationCenter.default
        let tokens = [
            center.addObserver(
                forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, queue: nil
            ) { moved.changes.append($0.userInfo?[NSUUIDChangedPersistentStoresKey] as? [Any] ?? []) },
            center.addObserver(
                forName: .NSPersistentStoreCoordinatorWillRemoveStore, object: nil, queue: nil
            ) {
                guard ($0.object as? NSPersistentStore)?.persistentStoreCoordinator === coordinator else {
                    return
                }
                let stores = $0.userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore] ?? []
                moved.removed += stores.compactMap(\.url)
            },
        ]
        defer { tokens.forEach(center.removeObserver) }
        let url = scene.container.folder.file("Moved.sqlite")
        let new = try coordinator.migratePersistentStore(old, to: url, type: .sqlite)
        let change = try #require(moved.changes.first)
        #expect(change[0] as? NSPersistentStore === old && change[1] as? NSPersistentStore === new)
        let hosts = (change[2] as? [NSManagedObjectID])?.map { $0.uriRepresentation().host }
        expect(hosts, equals: [oldIdentifier, new.identifier, oldIdentifier, new.identifier])
        expect(moved.removed, equals: [old.url, url])
    }
}
