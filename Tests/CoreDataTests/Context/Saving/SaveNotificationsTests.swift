// The notifications of a save: of one without changes, and where the history stands afterwards.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct SaveNotificationsTests {
    @Test(arguments: StoreKind.withObjects) func aSaveWithoutChangesIsTold(_ kind: StoreKind) throws {
        let context = try kind.makeContainer().newBackgroundContext()
        try context.run { () throws in
            let will = Posted(.NSManagedObjectContextWillSave, context)
            let did = Posted(.NSManagedObjectContextDidSave, context)
            let ids = Posted(.NSManagedObjectContextDidSaveObjectIDs, context)
            try context.save()
            #expect(will.count == 0 && did.count == 1 && ids.count == 1)
            for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] {
                #expect(did.userInfo?[key] == nil)
            }
        }
    }

    @Test func childrenTellOfSavesWithoutChangesToo() throws {
        let tree = try ContextTree()
        let did = Posted(.NSManagedObjectContextDidSave, tree.leaf)
        let above = Posted(.NSManagedObjectContextDidSave, tree.middle)
        try tree.leaf.save()
        #expect(did.count == 1 && above.count == 0)
    }

    @Test func theNotificationSaysWhereTheHistoryStands() throws {
        let fixture = try HistoryFixture()
        let posted = Posted(.NSManagedObjectContextDidSave, fixture.context)
        let ids = Posted(.NSManagedObjectContextDidSaveObjectIDs, fixture.context)
        try fixture.saveNote("one")
        let first = try #require(posted.userInfo?["newChangeToken"] as? NSPersistentHistoryToken)
        expect(ids.userInfo?["newChangeToken"] as? NSPersistentHistoryToken, equals: first)
        expect(first, equals: fixture.coordinator.currentPersistentHistoryToken(fromStores: nil))
        try fixture.saveNote("two")
        let second = try #require(posted.userInfo?["newChangeToken"] as? NSPersistentHistoryToken)
        #expect(second != first)
        try expect(fixture.transactions(.fetchHistory(after: first)).count, equals: 1)
        try fixture.context.run { try fixture.context.save() }
        expect(posted.count, equals: 3)
        expect(posted.userInfo?["newChangeToken"] as? NSPersistentHistoryToken, equals: second)
    }

    @Test func withoutHistoryThereIsNoToken() throws {
        let stack = try TestStack()
        let posted = Posted(.NSManagedObjectContextDidSave, stack.context)
        try stack.context.run { () throws in
            _ = stack.context.make("Note", ["text": "a"])
            try stack.context.save()
        }
        #expect(posted.count == 1 && posted.userInfo?["newChangeToken"] == nil)
    }
}
