// `CocoaError.Code` and `CocoaError` have a member for each code, with its number.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct CocoaErrorCodesTests {
    @Test(
        "member of both types is the constant",
        arguments: [
            (
                CocoaError.Code.managedObjectValidation, CocoaError.managedObjectValidation,
                NSManagedObjectValidationError
            ),
            (
                CocoaError.Code.validationMultipleErrors, CocoaError.validationMultipleErrors,
                NSValidationMultipleErrorsError
            ),
            (
                CocoaError.Code.validationMissingMandatoryProperty,
                CocoaError.validationMissingMandatoryProperty, NSValidationMissingMandatoryPropertyError
            ),
            (
                CocoaError.Code.validationRelationshipLacksMinimumCount,
                CocoaError.validationRelationshipLacksMinimumCount,
                NSValidationRelationshipLacksMinimumCountError
            ),
            (
                CocoaError.Code.validationRelationshipExceedsMaximumCount,
                CocoaError.validationRelationshipExceedsMaximumCount,
                NSValidationRelationshipExceedsMaximumCountError
            ),
            (
                CocoaError.Code.validationRelationshipDeniedDelete,
                CocoaError.validationRelationshipDeniedDelete, NSValidationRelationshipDeniedDeleteError
            ),
            (
                CocoaError.Code.validationNumberTooLarge, CocoaError.validationNumberTooLarge,
                NSValidationNumberTooLargeError
            ),
            (
                CocoaError.Code.validationNumberTooSmall, CocoaError.validationNumberTooSmall,
                NSValidationNumberTooSmallError
            ),
            (
                CocoaError.Code.validationDateTooLate, CocoaError.validationDateTooLate,
                NSValidationDateTooLateError
            ),
            (
                CocoaError.Code.validationDateTooSoon, CocoaError.validationDateTooSoon,
                NSValidationDateTooSoonError
            ),
            (
                CocoaError.Code.validationInvalidDate, CocoaError.validationInvalidDate,
                NSValidationInvalidDateError
            ),
            (
                CocoaError.Code.validationStringTooLong, CocoaError.validationStringTooLong,
                NSValidationStringTooLongError
            ),
            (
                CocoaError.Code.validationStringTooShort, CocoaError.validationStringTooShort,
                NSValidationStringTooShortError
            ),
            (
                CocoaError.Code.validationStringPatternMatching, CocoaError.validationStringPatternMatching,
                NSValidationStringPatternMatchingError
            ),
            (
                CocoaError.Code.managedObjectContextLocking, CocoaError.managedObjectContextLocking,
                NSManagedObjectContextLockingError
            ),
            (
                CocoaError.Code.persistentStoreCoordinatorLocking,
                CocoaError.persistentStoreCoordinatorLocking, NSPersistentStoreCoordinatorLockingError
            ),
            (
                CocoaError.Code.managedObjectReferentialIntegrity,
                CocoaError.managedObjectReferentialIntegrity, NSManagedObjectReferentialIntegrityError
            ),
            (
                CocoaError.Code.managedObjectExternalRelationship,
                CocoaError.managedObjectExternalRelationship, NSManagedObjectExternalRelationshipError
            ),
            (CocoaError.Code.managedObjectMerge, CocoaError.managedObjectMerge, NSManagedObjectMergeError),
            (
                CocoaError.Code.managedObjectConstraintMerge, CocoaError.managedObjectConstraintMerge,
                NSManagedObjectConstraintMergeError
            ),
            (
                CocoaError.Code.persistentStoreInvalidType, CocoaError.persistentStoreInvalidType,
                NSPersistentStoreInvalidTypeError
            ),
            (
                CocoaError.Code.persistentStoreTypeMismatch, CocoaError.persistentStoreTypeMismatch,
                NSPersistentStoreTypeMismatchError
            ),
            (
                CocoaError.Code.persistentStoreIncompatibleSchema,
                CocoaError.persistentStoreIncompatibleSchema, NSPersistentStoreIncompatibleSchemaError
            ),
            (CocoaError.Code.persistentStoreSave, CocoaError.persistentStoreSave, NSPersistentStoreSaveError),
            (
                CocoaError.Code.persistentStoreIncompleteSave, CocoaError.persistentStoreIncompleteSave,
                NSPersistentStoreIncompleteSaveError
            ),
            (
                CocoaError.Code.persistentStoreSaveConflicts, CocoaError.persistentStoreSaveConflicts,
                NSPersistentStoreSaveConflictsError
            ),
            (CocoaError.Code.coreData, CocoaError.coreData, NSCoreDataError),
            (
                CocoaError.Code.persistentStoreOperation, CocoaError.persistentStoreOperation,
                NSPersistentStoreOperationError
            ),
            (CocoaError.Code.persistentStoreOpen, CocoaError.persistentStoreOpen, NSPersistentStoreOpenError),
            (
                CocoaError.Code.persistentStoreTimeout, CocoaError.persistentStoreTimeout,
                NSPersistentStoreTimeoutError
            ),
            (
                CocoaError.Code.persistentStoreUnsupportedRequestType,
                CocoaError.persistentStoreUnsupportedRequestType, NSPersistentStoreUnsupportedRequestTypeError
            ),
            (
                CocoaError.Code.persistentStoreIncompatibleVersionHash,
                CocoaError.persistentStoreIncompatibleVersionHash,
                NSPersistentStoreIncompatibleVersionHashError
            ),
            (CocoaError.Code.migration, CocoaError.migration, NSMigrationError),
            (CocoaError.Code.migrationCancelled, CocoaError.migrationCancelled, NSMigrationCancelledError),
            (
                CocoaError.Code.migrationMissingSourceModel, CocoaError.migrationMissingSourceModel,
                NSMigrationMissingSourceModelError
            ),
            (
                CocoaError.Code.migrationMissingMappingModel, CocoaError.migrationMissingMappingModel,
                NSMigrationMissingMappingModelError
            ),
            (
                CocoaError.Code.migrationManagerSourceStore, CocoaError.migrationManagerSourceStore,
                NSMigrationManagerSourceStoreError
            ),
            (
                CocoaError.Code.migrationManagerDestinationStore, CocoaError.migrationManagerDestinationStore,
                NSMigrationManagerDestinationStoreError
            ),
            (
                CocoaError.Code.entityMigrationPolicy, CocoaError.entityMigrationPolicy,
                NSEntityMigrationPolicyError
            ),
            (CocoaError.Code.sqlite, CocoaError.sqlite, NSSQLiteError),
            (
                CocoaError.Code.inferredMappingModel, CocoaError.inferredMappingModel,
                NSInferredMappingModelError
            ),
            (
                CocoaError.Code.externalRecordImport, CocoaError.externalRecordImport,
                NSExternalRecordImportError
            ),
        ])
    func member(code: CocoaError.Code, short: CocoaError.Code, number: Int) {
        expect(code.rawValue, equals: number)
        expect(short, equals: code)
        let error = NSError(domain: NSCocoaErrorDomain, code: number)
        expect((error as any Error as? CocoaError)?.code, equals: code)
    }
}
