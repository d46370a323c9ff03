// Names of the notifications, with the values that Apple's framework gives them.

public import Foundation

extension NSNotification.Name {
    /// Posted when Spotlight's index was brought up to date: never off Apple's systems.
    public static let NSCoreDataCoreSpotlightDelegateIndexDidUpdate = NSNotification.Name(
        "NSCoreDataCoreSpotlightDelegateIndexDidUpdateNotification")
    /// Posted after a context merged changes made elsewhere, with the IDs.
    public static let NSManagedObjectContextDidMergeChangesObjectIDs = NSNotification.Name(
        "NSManagedObjectContextDidMergeChangesObjectIDsNotification")
    /// Posted after a context saved, with the objects.
    public static var NSManagedObjectContextDidSave: NSNotification.Name {
        ObservedNotification.didSave.nameToObserve
    }
    /// Posted after a context saved, with the IDs.
    public static var NSManagedObjectContextDidSaveObjectIDs: NSNotification.Name {
        ObservedNotification.didSaveObjectIDs.nameToObserve
    }
    /// Posted when changes of a context's objects are processed, with the objects.
    public static var NSManagedObjectContextObjectsDidChange: NSNotification.Name {
        ObservedNotification.objectsDidChange.nameToObserve
    }
    /// Posted before a context saves.
    public static let NSManagedObjectContextWillSave = NSNotification.Name(
        "NSManagingContextWillSaveChangesNotification")
    /// Posted after stores were added to a coordinator, or removed.
    public static let NSPersistentStoreCoordinatorStoresDidChange = NSNotification.Name(
        "NSPersistentStoreCoordinatorStoresDidChangeNotification")
    /// Of iCloud's first service for stores, which is gone: never posted.
    public static let NSPersistentStoreCoordinatorStoresWillChange = NSNotification.Name(
        "NSPersistentStoreCoordinatorStoresWillChangeNotification")
    /// Posted before a store is removed from its coordinator.
    public static let NSPersistentStoreCoordinatorWillRemoveStore = NSNotification.Name(
        "NSPersistentStoreCoordinatorWillRemoveStoreNotification")
    /// Of iCloud's first service for stores, which is gone: never posted.
    public static let NSPersistentStoreDidImportUbiquitousContentChanges = NSNotification.Name(
        "com.apple.coredata.ubiquity.importer.didfinishimport")
    /// Posted when a store was changed, also from elsewhere.
    public static let NSPersistentStoreRemoteChange = NSNotification.Name(
        "NSPersistentStoreRemoteChangeNotification")
}
