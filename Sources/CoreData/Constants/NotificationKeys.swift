// Keys of notifications' user info, with the values that Apple's framework gives them.

// MARK: User info

public let NSAddedPersistentStoresKey = "added"
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
public let NSDeletedObjectsKey = "deleted"
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
public let NSInsertedObjectsKey = "inserted"
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"
public let NSInvalidatedObjectsKey = "invalidated"
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"
public let NSPersistentHistoryTokenKey = "historyToken"
public let NSPersistentStoreURLKey = "storeURL"
public let NSPersistentStoreUbiquitousTransitionTypeKey = "NSPersistentStoreUbiquitousTransitionTypeKey"
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
public let NSRefreshedObjectsKey = "refreshed"
public let NSRemovedPersistentStoresKey = "removed"
public let NSUUIDChangedPersistentStoresKey = "changed"
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
public let NSUpdatedObjectsKey = "updated"
