// The strings have Apple's values: stores, options and observers written for Apple's framework state them literally.

import CoreData
import CoreDataTestSupport
import Testing

struct NotificationKeysTests {
    @Test(
        "constant has Apple's value",
        arguments: [
            (NSAddedPersistentStoresKey, "added"),
            (NSDeletedObjectIDsKey, "deleted_objectIDs"),
            (NSDeletedObjectsKey, "deleted"),
            (NSInsertedObjectIDsKey, "inserted_objectIDs"),
            (NSInsertedObjectsKey, "inserted"),
            (NSInvalidatedAllObjectsKey, "invalidatedAll"),
            (NSInvalidatedObjectIDsKey, "invalidated_objectIDs"),
            (NSInvalidatedObjectsKey, "invalidated"),
            (NSManagedObjectContextQueryGenerationKey, "newQueryGeneration"),
            (NSPersistentHistoryTokenKey, "historyToken"),
            (NSPersistentStoreURLKey, "storeURL"),
            (NSRefreshedObjectIDsKey, "refreshed_objectIDs"),
            (NSRefreshedObjectsKey, "refreshed"),
            (NSRemovedPersistentStoresKey, "removed"),
            (NSUUIDChangedPersistentStoresKey, "changed"),
            (NSUpdatedObjectIDsKey, "updated_objectIDs"),
            (NSUpdatedObjectsKey, "updated"),
            (NSPersistentStoreUbiquitousTransitionTypeKey, "NSPersistentStoreUbiquitousTransitionTypeKey"),
        ])
    func constant(value: String, apples: String) {
        expect(value, equals: apples)
    }
}
