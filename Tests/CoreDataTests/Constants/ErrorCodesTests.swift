// The codes have Apple's values (Apple's headers), however Swift code spells them.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct ErrorCodesTests {
    @Test(
        "constant has Apple's value",
        arguments: [
            ("NSManagedObjectValidationError", NSManagedObjectValidationError, 1550),
            ("NSManagedObjectConstraintValidationError", NSManagedObjectConstraintValidationError, 1551),
            ("NSValidationMultipleErrorsError", NSValidationMultipleErrorsError, 1560),
            ("NSValidationMissingMandatoryPropertyError", NSValidationMissingMandatoryPropertyError, 1570),
            (
                "NSValidationRelationshipLacksMinimumCountError",
                NSValidationRelationshipLacksMinimumCountError, 1580
            ),
            (
                "NSValidationRelationshipExceedsMaximumCountError",
                NSValidationRelationshipExceedsMaximumCountError, 1590
            ),
            ("NSValidationRelationshipDeniedDeleteError", NSValidationRelationshipDeniedDeleteError, 1600),
            ("NSValidationNumberTooLargeError", NSValidationNumberTooLargeError, 1610),
            ("NSValidationNumberTooSmallError", NSValidationNumberTooSmallError, 1620),
            ("NSValidationDateTooLateError", NSValidationDateTooLateError, 1630),
            ("NSValidationDateTooSoonError", NSValidationDateTooSoonError, 1640),
            ("NSValidationInvalidDateError", NSValidationInvalidDateError, 1650),
            ("NSValidationStringTooLongError", NSValidationStringTooLongError, 1660),
            ("NSValidationStringTooShortError", NSValidationStringTooShortError, 1670),
            ("NSValidationStringPatternMatchingError", NSValidationStringPatternMatchingError, 1680),
            ("NSValidationInvalidURIError", NSValidationInvalidURIError, 1690),
            ("NSManagedObjectContextLockingError", NSManagedObjectContextLockingError, 132000),
            ("NSPersistentStoreCoordinatorLockingError", NSPersistentStoreCoordinatorLockingError, 132010),
            ("NSManagedObjectReferentialIntegrityError", NSManagedObjectReferentialIntegrityError, 133000),
            ("NSManagedObjectExternalRelationshipError", NSManagedObjectExternalRelationshipError, 133010),
            ("NSManagedObjectMergeError", NSManagedObjectMergeError, 133020),
            ("NSManagedObjectConstraintMergeError", NSManagedObjectConstraintMergeError, 133021),
            ("NSPersistentStoreInvalidTypeError", NSPersistentStoreInvalidTypeError, 134000),
            ("NSPersistentStoreTypeMismatchError", NSPersistentStoreTypeMismatchError, 134010),
            ("NSPersistentStoreIncompatibleSchemaError", NSPersistentStoreIncompatibleSchemaError, 134020),
            ("NSPersistentStoreSaveError", NSPersistentStoreSaveError, 134030),
            ("NSPersistentStoreIncompleteSaveError", NSPersistentStoreIncompleteSaveError, 134040),
            ("NSPersistentStoreSaveConflictsError", NSPersistentStoreSaveConflictsError, 134050),
            ("NSCoreDataError", NSCoreDataError, 134060),
            ("NSPersistentStoreOperationError", NSPersistentStoreOperationError, 134070),
            ("NSPersistentStoreOpenError", NSPersistentStoreOpenError, 134080),
            ("NSPersistentStoreTimeoutError", NSPersistentStoreTimeoutError, 134090),
            (
                "NSPersistentStoreUnsupportedRequestTypeError", NSPersistentStoreUnsupportedRequestTypeError,
                134091
            ),
            (
                "NSPersistentStoreIncompatibleVersionHashError",
                NSPersistentStoreIncompatibleVersionHashError, 134100
            ),
            ("NSMigrationError", NSMigrationError, 134110),
            ("NSMigrationConstraintViolationError", NSMigrationConstraintViolationError, 134111),
            ("NSMigrationCancelledError", NSMigrationCancelledError, 134120),
            ("NSMigrationMissingSourceModelError", NSMigrationMissingSourceModelError, 134130),
            ("NSMigrationMissingMappingModelError", NSMigrationMissingMappingModelError, 134140),
            ("NSMigrationManagerSourceStoreError", NSMigrationManagerSourceStoreError, 134150),
            ("NSMigrationManagerDestinationStoreError", NSMigrationManagerDestinationStoreError, 134160),
            ("NSEntityMigrationPolicyError", NSEntityMigrationPolicyError, 134170),
            ("NSSQLiteError", NSSQLiteError, 134180),
            ("NSInferredMappingModelError", NSInferredMappingModelError, 134190),
            ("NSExternalRecordImportError", NSExternalRecordImportError, 134200),
            ("NSPersistentHistoryTokenExpiredError", NSPersistentHistoryTokenExpiredError, 134301),
            (
                "NSManagedObjectModelReferenceNotFoundError", NSManagedObjectModelReferenceNotFoundError,
                134504
            ),
            (
                "NSStagedMigrationFrameworkVersionMismatchError",
                NSStagedMigrationFrameworkVersionMismatchError, 134505
            ),
            ("NSStagedMigrationBackwardMigrationError", NSStagedMigrationBackwardMigrationError, 134506),
        ])
    func constant(name: String, value: Int, apples: Int) {
        expect(value, equals: apples, "\(name)")
    }
}
