import CoreData
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
        #expect(NSManagedObjectContext.willSaveObjectsNotification == .NSManagedObjectContextWillSave)
        #expect(NSManagedObjectContext.didSaveObjectsNotification == .NSManagedObjectContextDidSave)
        #expect(
            NSManagedObjectContext.didChangeObjectsNotification == .NSManagedObjectContextObjectsDidChange)
        #expect(
            NSManagedObjectContext.didSaveObjectIDsNotification == .NSManagedObjectContextDidSaveObjectIDs)
        #expect(
            NSManagedObjectContext.didMergeChangesObjectIDsNotification
                == .NSManagedObjectContextDidMergeChangesObjectIDs)
    }
}
