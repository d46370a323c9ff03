// The notifications' names have Apple's values.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct NotificationNamesTests {
    @Test(
        "name has Apple's value",
        arguments: [
            (
                NSNotification.Name.NSCoreDataCoreSpotlightDelegateIndexDidUpdate,
                "NSCoreDataCoreSpotlightDelegateIndexDidUpdateNotification"
            ),
            (
                NSNotification.Name.NSManagedObjectContextDidMergeChangesObjectIDs,
                "NSManagedObjectContextDidMergeChangesObjectIDsNotification"
            ),
            (
                NSNotification.Name.NSManagedObjectContextDidSave,
                "NSManagingContextDidSaveChangesNotification"
            ),
            (
                NSNotification.Name.NSManagedObjectContextDidSaveObjectIDs,
                "NSManagedObjectContextDidSaveObjectIDsNotification"
            ),
            (
                NSNotification.Name.NSManagedObjectContextObjectsDidChange,
                "NSObjectsChangedInManagingContextNotification"
            ),
            (
                NSNotification.Name.NSManagedObjectContextWillSave,
                "NSManagingContextWillSaveChangesNotification"
            ),
            (
                NSNotification.Name.NSPersistentStoreCoordinatorStoresDidChange,
                "NSPersistentStoreCoordinatorStoresDidChangeNotification"
            ),
            (
                NSNotification.Name.NSPersistentStoreCoordinatorStoresWillChange,
                "NSPersistentStoreCoordinatorStoresWillChangeNotification"
            ),
            (
                NSNotification.Name.NSPersistentStoreCoordinatorWillRemoveStore,
                "NSPersistentStoreCoordinatorWillRemoveStoreNotification"
            ),
            (
                NSNotification.Name.NSPersistentStoreDidImportUbiquitousContentChanges,
                "com.apple.coredata.ubiquity.importer.didfinishimport"
            ),
            (NSNotification.Name.NSPersistentStoreRemoteChange, "NSPersistentStoreRemoteChangeNotification"),
            (
                NSManagedObjectContext.willSaveObjectsNotification,
                "NSManagingContextWillSaveChangesNotification"
            ),
            (
                NSManagedObjectContext.didSaveObjectsNotification,
                "NSManagingContextDidSaveChangesNotification"
            ),
            (
                NSManagedObjectContext.didChangeObjectsNotification,
                "NSObjectsChangedInManagingContextNotification"
            ),
            (
                NSManagedObjectContext.didSaveObjectIDsNotification,
                "NSManagedObjectContextDidSaveObjectIDsNotification"
            ),
            (
                NSManagedObjectContext.didMergeChangesObjectIDsNotification,
                "NSManagedObjectContextDidMergeChangesObjectIDsNotification"
            ),
        ])
    func name(name: NSNotification.Name, apples: String) {
        expect(name.rawValue, equals: apples)
    }
}
