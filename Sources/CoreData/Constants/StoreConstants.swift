// Store types, options and metadata keys, with the values that Apple's framework gives them.

import CoreDataStores

// MARK: Store types

/// A store in a property list file, read and written whole.
public let NSBinaryStoreType = StoreTypeName.binary
/// A store that lives as long as its coordinator.
public let NSInMemoryStoreType = StoreTypeName.inMemory
/// A store in an SQLite file.
public let NSSQLiteStoreType = StoreTypeName.sqlite
/// A store in an XML file, read and written whole.
public let NSXMLStoreType = StoreTypeName.xml

// MARK: Store options

/// Indicates whether a binary store may hold objects of any class. Nothing here makes
/// objects of unknown classes.
public let NSBinaryStoreInsecureDecodingCompatibilityOption =
    "NSBinaryStoreInsecureDecodingCompatibilityOption"
/// The classes that a binary store may hold besides the standard ones.
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"
/// The delegate that keeps Spotlight's index up to date. Without effect off Apple's systems.
public let NSCoreDataCoreSpotlightExporter = "NSCoreDataCoreSpotlightExporter"
/// Indicates whether a store is opened although the model's version hashes differ.
public let NSIgnorePersistentStoreVersioningOption = StoreOption.ignoresVersions
/// Indicates whether a migration may infer what belongs to what.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Indicates whether a store of an older version of the model is migrated when it is added.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// Indicates whether the store keeps a history of its changes.
public let NSPersistentHistoryTrackingKey = StoreOption.historyTracking
/// The number of connections that an SQLite store may open.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"
/// Indicates whether the costly part of a migration may be done later.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
    "NSPersistentStoreDeferredLightweightMigrationOptionKey"
/// The encryption of the store's file on a device. Without effect off Apple's systems.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
/// Indicates whether a store is destroyed even if the file isn't one.
public let NSPersistentStoreForceDestroyOption = StoreOption.forceDestroy
/// Of iCloud's first service for stores, which is gone. Without effect.
public let NSPersistentStoreRebuildFromUbiquitousContentOption =
    "NSPersistentStoreRebuildFromUbiquitousContentOption"
/// Indicates whether changes that others make to the store are announced.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
    StoreOption.remoteChangeNotification
/// Of iCloud's first service for stores, which is gone. Without effect.
public let NSPersistentStoreRemoveUbiquitousMetadataOption = "NSPersistentStoreRemoveUbiquitousMetadataOption"
/// The object that leads a migration in stages.
public let NSPersistentStoreStagedMigrationManagerOptionKey =
    "NSPersistentStoreStagedMigrationManagerOptionKey"
/// The seconds to wait for a locked file. 240 unless set.
public let NSPersistentStoreTimeoutOption = StoreOption.timeout
/// Of iCloud's first service for stores, which is gone. Without effect.
public let NSPersistentStoreUbiquitousContainerIdentifierKey =
    "NSPersistentStoreUbiquitousContainerIdentifierKey"
/// Of iCloud's first service for stores, which is gone. Without effect.
public let NSPersistentStoreUbiquitousContentNameKey = "NSPersistentStoreUbiquitousContentNameKey"
/// Of iCloud's first service for stores, which is gone. Without effect.
public let NSPersistentStoreUbiquitousContentURLKey = "NSPersistentStoreUbiquitousContentURLKey"
/// Of iCloud's first service for stores, which is gone. Without effect.
public let NSPersistentStoreUbiquitousPeerTokenOption = "NSPersistentStoreUbiquitousPeerTokenOption"
/// Indicates whether saving to the store fails.
public let NSReadOnlyPersistentStoreOption = StoreOption.readOnly
/// Indicates whether SQLite gathers statistics for its query planner when the store is added.
public let NSSQLiteAnalyzeOption = StoreOption.sqliteAnalyze
/// Indicates whether the file is rebuilt without gaps when the store is added.
public let NSSQLiteManualVacuumOption = StoreOption.sqliteManualVacuum
/// Pragmas of SQLite to set on the connections: a dictionary from names to values.
public let NSSQLitePragmasOption = StoreOption.sqlitePragmas
/// Indicates whether an XML file is checked against its document type when it is read.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"

// MARK: Store metadata

/// The checksum of the model's version hashes.
public let NSPersistentStoreModelVersionChecksumKey = "NSStoreModelVersionChecksumKey"
/// The systems that can read the store.
public let NSPersistentStoreOSCompatibility = "NSPersistentStoreOSCompatibility"
/// The version hash of each entity: a dictionary from names to `Data`.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// The model's version identifiers.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// The store's type.
public let NSStoreTypeKey = "NSStoreType"
/// The store's identity, which object IDs carry.
public let NSStoreUUIDKey = "NSStoreUUID"
