// The strings have Apple's values: stores, options and observers written for Apple's framework state them literally.

import CoreData
import CoreDataTestSupport
import Testing

struct StoreConstantsTests {
    @Test(
        "constant has Apple's value",
        arguments: [
            (
                NSBinaryStoreInsecureDecodingCompatibilityOption,
                "NSBinaryStoreInsecureDecodingCompatibilityOption"
            ),
            (NSBinaryStoreSecureDecodingClasses, "NSBinaryStoreSecureDecodingClasses"),
            (NSBinaryStoreType, "Binary"),
            (NSIgnorePersistentStoreVersioningOption, "NSIgnorePersistentStoreVersioningOption"),
            (NSInMemoryStoreType, "InMemory"),
            (NSPersistentStoreConnectionPoolMaxSizeKey, "NSPersistentStoreConnectionPoolMaxSize"),
            (NSPersistentStoreFileProtectionKey, "NSPersistentStoreFileProtectionKey"),
            (NSPersistentStoreForceDestroyOption, "NSPersistentStoreForceDestroyOption"),
            (NSPersistentStoreModelVersionChecksumKey, "NSStoreModelVersionChecksumKey"),
            (NSPersistentStoreOSCompatibility, "NSPersistentStoreOSCompatibility"),
            (
                NSPersistentStoreRemoteChangeNotificationPostOptionKey,
                "NSPersistentStoreRemoteChangeNotificationOptionKey"
            ),
            (NSPersistentStoreTimeoutOption, "NSPersistentStoreTimeoutOption"),
            (NSReadOnlyPersistentStoreOption, "NSReadOnlyPersistentStoreOption"),
            (NSSQLiteAnalyzeOption, "NSSQLiteAnalyzeOption"),
            (NSSQLiteManualVacuumOption, "NSSQLiteManualVacuumOption"),
            (NSSQLitePragmasOption, "NSSQLitePragmasOption"),
            (NSSQLiteStoreType, "SQLite"),
            (NSStoreModelVersionHashesKey, "NSStoreModelVersionHashes"),
            (NSStoreModelVersionIdentifiersKey, "NSStoreModelVersionIdentifiers"),
            (NSStoreTypeKey, "NSStoreType"),
            (NSStoreUUIDKey, "NSStoreUUID"),
            (NSValidateXMLStoreOption, "NSValidateXMLStoreOption"),
            (NSXMLStoreType, "XML"),
            (NSInferMappingModelAutomaticallyOption, "NSInferMappingModelAutomaticallyOption"),
            (NSMigratePersistentStoresAutomaticallyOption, "NSMigratePersistentStoresAutomaticallyOption"),
            (
                NSPersistentStoreDeferredLightweightMigrationOptionKey,
                "NSPersistentStoreDeferredLightweightMigrationOptionKey"
            ),
            (
                NSPersistentStoreStagedMigrationManagerOptionKey,
                "NSPersistentStoreStagedMigrationManagerOptionKey"
            ),
            (NSPersistentHistoryTrackingKey, "NSPersistentHistoryTrackingKey"),
            (NSCoreDataCoreSpotlightExporter, "NSCoreDataCoreSpotlightExporter"),
            (
                NSPersistentStoreRebuildFromUbiquitousContentOption,
                "NSPersistentStoreRebuildFromUbiquitousContentOption"
            ),
            (
                NSPersistentStoreRemoveUbiquitousMetadataOption,
                "NSPersistentStoreRemoveUbiquitousMetadataOption"
            ),
            (
                NSPersistentStoreUbiquitousContainerIdentifierKey,
                "NSPersistentStoreUbiquitousContainerIdentifierKey"
            ),
            (NSPersistentStoreUbiquitousContentNameKey, "NSPersistentStoreUbiquitousContentNameKey"),
            (NSPersistentStoreUbiquitousContentURLKey, "NSPersistentStoreUbiquitousContentURLKey"),
            (NSPersistentStoreUbiquitousPeerTokenOption, "NSPersistentStoreUbiquitousPeerTokenOption"),
        ])
    func constant(value: String, apples: String) {
        expect(value, equals: apples)
    }
}
