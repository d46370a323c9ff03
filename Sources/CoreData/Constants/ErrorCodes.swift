// Error codes in `NSCocoaErrorDomain`, with Apple's values.

import CoreDataStores

/// A value breaks a rule of the model for which there is no code of its own.
public let NSManagedObjectValidationError = 1550
/// Values that must be unique are not.
public let NSManagedObjectConstraintValidationError = 1551
/// Several errors, which stand under `NSDetailedErrorsKey`.
public let NSValidationMultipleErrorsError = 1560
/// A property that isn't optional is nil.
public let NSValidationMissingMandatoryPropertyError = 1570
/// A to-many relationship has fewer objects than the model demands.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// A to-many relationship has more objects than the model allows.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// An object can't be deleted: a relationship with the rule deny has objects.
public let NSValidationRelationshipDeniedDeleteError = ErrorCode.relationshipDeniedDelete
/// A number is above its bound, or beyond its type.
public let NSValidationNumberTooLargeError = 1610
/// A number is below its bound, or beyond its type.
public let NSValidationNumberTooSmallError = 1620
/// A date is after its bound.
public let NSValidationDateTooLateError = 1630
/// A date is before its bound.
public let NSValidationDateTooSoonError = 1640
/// A date isn't one.
public let NSValidationInvalidDateError = 1650
/// A string is longer than allowed.
public let NSValidationStringTooLongError = 1660
/// A string is shorter than allowed.
public let NSValidationStringTooShortError = 1670
/// A string isn't of the pattern that the model states.
public let NSValidationStringPatternMatchingError = 1680
/// A URI isn't one.
public let NSValidationInvalidURIError = 1690
/// A context's lock couldn't be taken.
public let NSManagedObjectContextLockingError = 132000
/// A coordinator's lock couldn't be taken.
public let NSPersistentStoreCoordinatorLockingError = 132010
/// A fault can't be read: its row is gone.
public let NSManagedObjectReferentialIntegrityError = 133000
/// An object has a relationship to an object of another store.
public let NSManagedObjectExternalRelationshipError = 133010
/// A save met rows that changed since they were read, and the merge policy left them so.
public let NSManagedObjectMergeError = 133020
/// A save met values that must be unique and are not, and the merge policy left them so.
public let NSManagedObjectConstraintMergeError = ErrorCode.constraintMerge
/// There is no store class of the type, or the class makes no valid stores.
public let NSPersistentStoreInvalidTypeError = 134000
/// The store at the URL is of another type.
public let NSPersistentStoreTypeMismatchError = ErrorCode.typeMismatch
/// A store doesn't fit the model: a property or a configuration has no place in it.
public let NSPersistentStoreIncompatibleSchemaError = ErrorCode.incompatibleSchema
/// A store couldn't be saved.
public let NSPersistentStoreSaveError = ErrorCode.save
/// Some stores were saved before another failed.
public let NSPersistentStoreIncompleteSaveError = 134040
/// Rows changed since they were read; `NSPersistentStoreSaveConflictsErrorKey` tells which.
public let NSPersistentStoreSaveConflictsError = ErrorCode.saveConflicts
/// The operation can't be done, for a reason that has no code of its own.
public let NSCoreDataError = ErrorCode.coreData
/// A store can't be used: it isn't the coordinator's, or was removed.
public let NSPersistentStoreOperationError = ErrorCode.operation
/// A store couldn't be opened.
public let NSPersistentStoreOpenError = ErrorCode.open
/// Another process kept a store locked for longer than `NSPersistentStoreTimeoutOption` says.
public let NSPersistentStoreTimeoutError = ErrorCode.timeout
/// A store can't answer a request of this kind.
public let NSPersistentStoreUnsupportedRequestTypeError = ErrorCode.unsupportedRequest
/// The store was made with another version of the model.
public let NSPersistentStoreIncompatibleVersionHashError = ErrorCode.incompatibleVersionHash
/// A migration failed.
public let NSMigrationError = ErrorCode.migration
/// A migration met values that must be unique and are not.
public let NSMigrationConstraintViolationError = ErrorCode.migrationConstraintViolation
/// A migration was cancelled.
public let NSMigrationCancelledError = 134120
/// The model that a store was made with can't be found.
public let NSMigrationMissingSourceModelError = 134130
/// No mapping from the store's model to the coordinator's can be found.
public let NSMigrationMissingMappingModelError = 134140
/// A migration couldn't read the source store.
public let NSMigrationManagerSourceStoreError = 134150
/// A migration couldn't write the destination store.
public let NSMigrationManagerDestinationStoreError = 134160
/// A migration policy of an entity failed.
public let NSEntityMigrationPolicyError = 134170
/// SQLite failed; its code stands under `NSSQLiteErrorDomain`.
public let NSSQLiteError = ErrorCode.sqlite
/// No mapping can be inferred between two versions of a model.
public let NSInferredMappingModelError = 134190
/// Records for an external index couldn't be imported.
public let NSExternalRecordImportError = 134200
/// A store no longer has the changes that a history token asks for.
public let NSPersistentHistoryTokenExpiredError = 134301
/// A model reference names a model that can't be found.
public let NSManagedObjectModelReferenceNotFoundError = 134504
/// A staged migration needs a newer version of the framework.
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// A staged migration would have to go back to an older version of the model.
public let NSStagedMigrationBackwardMigrationError = 134506
