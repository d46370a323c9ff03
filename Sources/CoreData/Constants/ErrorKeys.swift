// The error domain and the keys of errors' user info, with the values that Apple's framework gives them.

import CoreDataStores

// MARK: Domain

/// The domain of SQLite's errors, and the key of SQLite's extended result code in other errors.
public let NSSQLiteErrorDomain = ErrorKey.sqlite

// MARK: User info

/// The objects that an error is about: an array.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The stores that an error is about: an array.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The errors that one error stands for: an array.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The conflicts that a save met: an array of `NSMergeConflict` or `NSConstraintConflict`.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// The key of the property whose value is wrong.
public let NSValidationKeyErrorKey = ErrorKey.validationKey
/// The object that is wrong.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The predicate that doesn't hold.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The value that is wrong.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
