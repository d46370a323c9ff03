// The strings have Apple's values: stores, options and observers written for Apple's framework state them literally.

import CoreData
import CoreDataTestSupport
import Testing

struct ErrorKeysTests {
    @Test(
        "constant has Apple's value",
        arguments: [
            (NSAffectedObjectsErrorKey, "NSAffectedObjectsErrorKey"),
            (NSAffectedStoresErrorKey, "NSAffectedStoresErrorKey"),
            (NSDetailedErrorsKey, "NSDetailedErrors"),
            (NSPersistentStoreSaveConflictsErrorKey, "conflictList"),
            (NSSQLiteErrorDomain, "NSSQLiteErrorDomain"),
            (NSValidationKeyErrorKey, "NSValidationErrorKey"),
            (NSValidationObjectErrorKey, "NSValidationErrorObject"),
            (NSValidationPredicateErrorKey, "NSValidationErrorPredicate"),
            (NSValidationValueErrorKey, "NSValidationErrorValue"),
        ])
    func constant(value: String, apples: String) {
        expect(value, equals: apples)
    }
}
