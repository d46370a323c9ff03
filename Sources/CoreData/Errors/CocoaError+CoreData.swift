// The values that Core Data puts into an error's user info, as typed properties.

public import Foundation

extension CocoaError {
    /// The objects that kept the operation from succeeding.
    public var affectedObjects: [AnyObject]? {
        userInfo[NSAffectedObjectsErrorKey] as? [AnyObject]
    }

    /// The stores that kept the operation from succeeding.
    public var affectedStores: [AnyObject]? {
        userInfo[NSAffectedStoresErrorKey] as? [AnyObject]
    }

    /// The objects whose rows had changed when they were to be saved.
    public var persistentStoreSaveConflicts: [NSMergeConflict]? {
        userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    }

    /// The key whose value failed validation.
    public var validationKey: String? {
        userInfo[NSValidationKeyErrorKey] as? String
    }

    /// The object that failed validation.
    public var validationObject: Any? {
        userInfo[NSValidationObjectErrorKey]
    }

    /// The predicate that the value didn't satisfy.
    public var validationPredicate: NSPredicate? {
        userInfo[NSValidationPredicateErrorKey] as? NSPredicate
    }

    /// The value that failed validation.
    public var validationValue: Any? {
        userInfo[NSValidationValueErrorKey]
    }
}
