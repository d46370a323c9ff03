// Keys of notifications' user info, with the values that Apple's framework gives them.

// MARK: User info

/// The stores that were added: an array.
public let NSAddedPersistentStoresKey = "added"
/// The IDs of objects that were deleted: a set.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// The objects that were deleted: a set.
public let NSDeletedObjectsKey = "deleted"
/// The IDs of objects that were inserted: a set.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// The objects that were inserted: a set.
public let NSInsertedObjectsKey = "inserted"
/// Present when all of a context's objects were invalidated: by a reset.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// The IDs of objects that were invalidated: a set.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"
/// The objects that were invalidated: a set.
public let NSInvalidatedObjectsKey = "invalidated"
/// The stores' generation that a context reads from then on.
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"
/// The place in a store's history that a change made from elsewhere led to.
public let NSPersistentHistoryTokenKey = "historyToken"
/// The location of the store that was changed from elsewhere.
public let NSPersistentStoreURLKey = "storeURL"
/// Of iCloud's first service for stores, which is gone: never present.
public let NSPersistentStoreUbiquitousTransitionTypeKey = "NSPersistentStoreUbiquitousTransitionTypeKey"
/// The IDs of objects that were refreshed: a set.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// The objects whose values were read anew and that had no changes: a set.
public let NSRefreshedObjectsKey = "refreshed"
/// The stores that were removed: an array.
public let NSRemovedPersistentStoresKey = "removed"
/// Stores that got another identity: an array of the old ones and the new ones.
public let NSUUIDChangedPersistentStoresKey = "changed"
/// The IDs of objects that were changed: a set.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// The objects that were changed: a set.
public let NSUpdatedObjectsKey = "updated"
/// The place of the stores' histories after a save: an `NSPersistentHistoryToken`. Apple's name for the key isn't public.
let changeTokenKey = "newChangeToken"
