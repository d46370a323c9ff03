import CoreData
import CoreDataTestSupport
import Testing

struct ContextNotificationsTests {
    @Test func keysAreThoseOfTheConstants() {
        let keys: [(NSManagedObjectContext.NotificationKey, String)] = [
            (.queryGeneration, NSManagedObjectContextQueryGenerationKey),
            (.invalidatedAllObjects, NSInvalidatedAllObjectsKey),
            (.insertedObjects, NSInsertedObjectsKey), (.updatedObjects, NSUpdatedObjectsKey),
            (.deletedObjects, NSDeletedObjectsKey), (.refreshedObjects, NSRefreshedObjectsKey),
            (.invalidatedObjects, NSInvalidatedObjectsKey),
            (.insertedObjectIDs, NSInsertedObjectIDsKey), (.updatedObjectIDs, NSUpdatedObjectIDsKey),
            (.deletedObjectIDs, NSDeletedObjectIDsKey), (.refreshedObjectIDs, NSRefreshedObjectIDsKey),
            (.invalidatedObjectIDs, NSInvalidatedObjectIDsKey),
        ]
        for (key, text) in keys {
            let raw: NSManagedObjectContext.NotificationKey.RawValue = key.rawValue
            #expect(raw == text && NSManagedObjectContext.NotificationKey(rawValue: text) == key)
        }
        #expect(NSManagedObjectContext.NotificationKey(rawValue: "none") == nil)
    }

    @Test func namesAreThoseOfTheConstants() {
        expect(NSManagedObjectContext.willSaveObjectsNotification, equals: .NSManagedObjectContextWillSave)
        expect(NSManagedObjectContext.didSaveObjectsNotification, equals: .NSManagedObjectContextDidSave)
        expect(
            NSManagedObjectContext.didChangeObjectsNotification,
            equals: .NSManagedObjectContextObjectsDidChange)
        expect(
            NSManagedObjectContext.didSaveObjectIDsNotification,
            equals: .NSManagedObjectContextDidSaveObjectIDs)
        expect(
            NSManagedObjectContext.didMergeChangesObjectIDsNotification,
            equals: .NSManagedObjectContextDidMergeChangesObjectIDs)
    }
}
