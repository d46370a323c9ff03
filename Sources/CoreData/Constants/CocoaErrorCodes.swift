// The same codes as members of `CocoaError.Code` and of `CocoaError`, as Swift code spells them.

public import Foundation

extension CocoaError.Code {
    /// A value breaks a rule of the model for which there is no code of its own.
    public static let managedObjectValidation = CocoaError.Code(rawValue: 1550)
    /// Several errors, which stand under `NSDetailedErrorsKey`.
    public static let validationMultipleErrors = CocoaError.Code(rawValue: 1560)
    /// A property that isn't optional is nil.
    public static let validationMissingMandatoryProperty = CocoaError.Code(rawValue: 1570)
    /// A to-many relationship has fewer objects than the model demands.
    public static let validationRelationshipLacksMinimumCount = CocoaError.Code(rawValue: 1580)
    /// A to-many relationship has more objects than the model allows.
    public static let validationRelationshipExceedsMaximumCount = CocoaError.Code(rawValue: 1590)
    /// An object can't be deleted: a relationship with the rule deny has objects.
    public static let validationRelationshipDeniedDelete = CocoaError.Code(rawValue: 1600)
    /// A number is above its bound, or beyond its type.
    public static let validationNumberTooLarge = CocoaError.Code(rawValue: 1610)
    /// A number is below its bound, or beyond its type.
    public static let validationNumberTooSmall = CocoaError.Code(rawValue: 1620)
    /// A date is after its bound.
    public static let validationDateTooLate = CocoaError.Code(rawValue: 1630)
    /// A date is before its bound.
    public static let validationDateTooSoon = CocoaError.Code(rawValue: 1640)
    /// A date isn't one.
    public static let validationInvalidDate = CocoaError.Code(rawValue: 1650)
    /// A string is longer than allowed.
    public static let validationStringTooLong = CocoaError.Code(rawValue: 1660)
    /// A string is shorter than allowed.
    public static let validationStringTooShort = CocoaError.Code(rawValue: 1670)
    /// A string isn't of the pattern that the model states.
    public static let validationStringPatternMatching = CocoaError.Code(rawValue: 1680)
    /// A context's lock couldn't be taken.
    public static let managedObjectContextLocking = CocoaError.Code(rawValue: 132000)
    /// A coordinator's lock couldn't be taken.
    public static let persistentStoreCoordinatorLocking = CocoaError.Code(rawValue: 132010)
    /// A fault can't be read: its row is gone.
    public static let managedObjectReferentialIntegrity = CocoaError.Code(rawValue: 133000)
    /// An object has a relationship to an object of another store.
    public static let managedObjectExternalRelationship = CocoaError.Code(rawValue: 133010)
    /// A save met rows that changed since they were read, and the merge policy left them so.
    public static let managedObjectMerge = CocoaError.Code(rawValue: 133020)
    /// A save met values that must be unique and are not, and the merge policy left them so.
    public static let managedObjectConstraintMerge = CocoaError.Code(rawValue: 133021)
    /// There is no store class of the type, or the class makes no valid stores.
    public static let persistentStoreInvalidType = CocoaError.Code(rawValue: 134000)
    /// The store at the URL is of another type.
    public static let persistentStoreTypeMismatch = CocoaError.Code(rawValue: 134010)
    /// A store doesn't fit the model: a property or a configuration has no place in it.
    public static let persistentStoreIncompatibleSchema = CocoaError.Code(rawValue: 134020)
    /// A store couldn't be saved.
    public static let persistentStoreSave = CocoaError.Code(rawValue: 134030)
    /// Some stores were saved before another failed.
    public static let persistentStoreIncompleteSave = CocoaError.Code(rawValue: 134040)
    /// Rows changed since they were read; `NSPersistentStoreSaveConflictsErrorKey` tells which.
    public static let persistentStoreSaveConflicts = CocoaError.Code(rawValue: 134050)
    /// The operation can't be done, for a reason that has no code of its own.
    public static let coreData = CocoaError.Code(rawValue: 134060)
    /// A store can't be used: it isn't the coordinator's, or was removed.
    public static let persistentStoreOperation = CocoaError.Code(rawValue: 134070)
    /// A store couldn't be opened.
    public static let persistentStoreOpen = CocoaError.Code(rawValue: 134080)
    /// Another process kept a store locked for longer than `NSPersistentStoreTimeoutOption` says.
    public static let persistentStoreTimeout = CocoaError.Code(rawValue: 134090)
    /// A store can't answer a request of this kind.
    public static let persistentStoreUnsupportedRequestType = CocoaError.Code(rawValue: 134091)
    /// The store was made with another version of the model.
    public static let persistentStoreIncompatibleVersionHash = CocoaError.Code(rawValue: 134100)
    /// A migration failed.
    public static let migration = CocoaError.Code(rawValue: 134110)
    /// A migration was cancelled.
    public static let migrationCancelled = CocoaError.Code(rawValue: 134120)
    /// The model that a store was made with can't be found.
    public static let migrationMissingSourceModel = CocoaError.Code(rawValue: 134130)
    /// No mapping from the store's model to the coordinator's can be found.
    public static let migrationMissingMappingModel = CocoaError.Code(rawValue: 134140)
    /// A migration couldn't read the source store.
    public static let migrationManagerSourceStore = CocoaError.Code(rawValue: 134150)
    /// A migration couldn't write the destination store.
    public static let migrationManagerDestinationStore = CocoaError.Code(rawValue: 134160)
    /// A migration policy of an entity failed.
    public static let entityMigrationPolicy = CocoaError.Code(rawValue: 134170)
    /// SQLite failed; its code stands under `NSSQLiteErrorDomain`.
    public static let sqlite = CocoaError.Code(rawValue: 134180)
    /// No mapping can be inferred between two versions of a model.
    public static let inferredMappingModel = CocoaError.Code(rawValue: 134190)
    /// Records for an external index couldn't be imported.
    public static let externalRecordImport = CocoaError.Code(rawValue: 134200)
}

extension CocoaError {
    /// A value breaks a rule of the model for which there is no code of its own.
    public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
    /// Several errors, which stand under `NSDetailedErrorsKey`.
    public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
    /// A property that isn't optional is nil.
    public static var validationMissingMandatoryProperty: CocoaError.Code {
        .validationMissingMandatoryProperty
    }
    /// A to-many relationship has fewer objects than the model demands.
    public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
        .validationRelationshipLacksMinimumCount
    }
    /// A to-many relationship has more objects than the model allows.
    public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
        .validationRelationshipExceedsMaximumCount
    }
    /// An object can't be deleted: a relationship with the rule deny has objects.
    public static var validationRelationshipDeniedDelete: CocoaError.Code {
        .validationRelationshipDeniedDelete
    }
    /// A number is above its bound, or beyond its type.
    public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
    /// A number is below its bound, or beyond its type.
    public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
    /// A date is after its bound.
    public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
    /// A date is before its bound.
    public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
    /// A date isn't one.
    public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
    /// A string is longer than allowed.
    public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
    /// A string is shorter than allowed.
    public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
    /// A string isn't of the pattern that the model states.
    public static var validationStringPatternMatching: CocoaError.Code { .validationStringPatternMatching }
    /// A context's lock couldn't be taken.
    public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
    /// A coordinator's lock couldn't be taken.
    public static var persistentStoreCoordinatorLocking: CocoaError.Code {
        .persistentStoreCoordinatorLocking
    }
    /// A fault can't be read: its row is gone.
    public static var managedObjectReferentialIntegrity: CocoaError.Code {
        .managedObjectReferentialIntegrity
    }
    /// An object has a relationship to an object of another store.
    public static var managedObjectExternalRelationship: CocoaError.Code {
        .managedObjectExternalRelationship
    }
    /// A save met rows that changed since they were read, and the merge policy left them so.
    public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
    /// A save met values that must be unique and are not, and the merge policy left them so.
    public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
    /// There is no store class of the type, or the class makes no valid stores.
    public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
    /// The store at the URL is of another type.
    public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
    /// A store doesn't fit the model: a property or a configuration has no place in it.
    public static var persistentStoreIncompatibleSchema: CocoaError.Code {
        .persistentStoreIncompatibleSchema
    }
    /// A store couldn't be saved.
    public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
    /// Some stores were saved before another failed.
    public static var persistentStoreIncompleteSave: CocoaError.Code { .persistentStoreIncompleteSave }
    /// Rows changed since they were read; `NSPersistentStoreSaveConflictsErrorKey` tells which.
    public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
    /// The operation can't be done, for a reason that has no code of its own.
    public static var coreData: CocoaError.Code { .coreData }
    /// A store can't be used: it isn't the coordinator's, or was removed.
    public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
    /// A store couldn't be opened.
    public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
    /// Another process kept a store locked for longer than `NSPersistentStoreTimeoutOption` says.
    public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
    /// A store can't answer a request of this kind.
    public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
        .persistentStoreUnsupportedRequestType
    }
    /// The store was made with another version of the model.
    public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
        .persistentStoreIncompatibleVersionHash
    }
    /// A migration failed.
    public static var migration: CocoaError.Code { .migration }
    /// A migration was cancelled.
    public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
    /// The model that a store was made with can't be found.
    public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
    /// No mapping from the store's model to the coordinator's can be found.
    public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
    /// A migration couldn't read the source store.
    public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
    /// A migration couldn't write the destination store.
    public static var migrationManagerDestinationStore: CocoaError.Code { .migrationManagerDestinationStore }
    /// A migration policy of an entity failed.
    public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
    /// SQLite failed; its code stands under `NSSQLiteErrorDomain`.
    public static var sqlite: CocoaError.Code { .sqlite }
    /// No mapping can be inferred between two versions of a model.
    public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
    /// Records for an external index couldn't be imported.
    public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
}
