// The same codes as members of `CocoaError.Code` and of `CocoaError`, as Swift code spells them.

public import Foundation

extension CocoaError.Code {
    public static let managedObjectValidation = CocoaError.Code(rawValue: 1550)
    public static let validationMultipleErrors = CocoaError.Code(rawValue: 1560)
    public static let validationMissingMandatoryProperty = CocoaError.Code(rawValue: 1570)
    public static let validationRelationshipLacksMinimumCount = CocoaError.Code(rawValue: 1580)
    public static let validationRelationshipExceedsMaximumCount = CocoaError.Code(rawValue: 1590)
    public static let validationRelationshipDeniedDelete = CocoaError.Code(rawValue: 1600)
    public static let validationNumberTooLarge = CocoaError.Code(rawValue: 1610)
    public static let validationNumberTooSmall = CocoaError.Code(rawValue: 1620)
    public static let validationDateTooLate = CocoaError.Code(rawValue: 1630)
    public static let validationDateTooSoon = CocoaError.Code(rawValue: 1640)
    public static let validationInvalidDate = CocoaError.Code(rawValue: 1650)
    public static let validationStringTooLong = CocoaError.Code(rawValue: 1660)
    public static let validationStringTooShort = CocoaError.Code(rawValue: 1670)
    public static let validationStringPatternMatching = CocoaError.Code(rawValue: 1680)
    public static let managedObjectContextLocking = CocoaError.Code(rawValue: 132000)
    public static let persistentStoreCoordinatorLocking = CocoaError.Code(rawValue: 132010)
    public static let managedObjectReferentialIntegrity = CocoaError.Code(rawValue: 133000)
    public static let managedObjectExternalRelationship = CocoaError.Code(rawValue: 133010)
    public static let managedObjectMerge = CocoaError.Code(rawValue: 133020)
    public static let managedObjectConstraintMerge = CocoaError.Code(rawValue: 133021)
    public static let persistentStoreInvalidType = CocoaError.Code(rawValue: 134000)
    public static let persistentStoreTypeMismatch = CocoaError.Code(rawValue: 134010)
    public static let persistentStoreIncompatibleSchema = CocoaError.Code(rawValue: 134020)
    public static let persistentStoreSave = CocoaError.Code(rawValue: 134030)
    public static let persistentStoreIncompleteSave = CocoaError.Code(rawValue: 134040)
    public static let persistentStoreSaveConflicts = CocoaError.Code(rawValue: 134050)
    public static let coreData = CocoaError.Code(rawValue: 134060)
    public static let persistentStoreOperation = CocoaError.Code(rawValue: 134070)
    public static let persistentStoreOpen = CocoaError.Code(rawValue: 134080)
    public static let persistentStoreTimeout = CocoaError.Code(rawValue: 134090)
    public static let persistentStoreUnsupportedRequestType = CocoaError.Code(rawValue: 134091)
    public static let persistentStoreIncompatibleVersionHash = CocoaError.Code(rawValue: 134100)
    public static let migration = CocoaError.Code(rawValue: 134110)
    public static let migrationCancelled = CocoaError.Code(rawValue: 134120)
    public static let migrationMissingSourceModel = CocoaError.Code(rawValue: 134130)
    public static let migrationMissingMappingModel = CocoaError.Code(rawValue: 134140)
    public static let migrationManagerSourceStore = CocoaError.Code(rawValue: 134150)
    public static let migrationManagerDestinationStore = CocoaError.Code(rawValue: 134160)
    public static let entityMigrationPolicy = CocoaError.Code(rawValue: 134170)
    public static let sqlite = CocoaError.Code(rawValue: 134180)
    public static let inferredMappingModel = CocoaError.Code(rawValue: 134190)
    public static let externalRecordImport = CocoaError.Code(rawValue: 134200)
}

extension CocoaError {
    public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
    public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
    public static var validationMissingMandatoryProperty: CocoaError.Code {
        .validationMissingMandatoryProperty
    }
    public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
        .validationRelationshipLacksMinimumCount
    }
    public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
        .validationRelationshipExceedsMaximumCount
    }
    public static var validationRelationshipDeniedDelete: CocoaError.Code {
        .validationRelationshipDeniedDelete
    }
    public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
    public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
    public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
    public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
    public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
    public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
    public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
    public static var validationStringPatternMatching: CocoaError.Code { .validationStringPatternMatching }
    public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
    public static var persistentStoreCoordinatorLocking: CocoaError.Code {
        .persistentStoreCoordinatorLocking
    }
    public static var managedObjectReferentialIntegrity: CocoaError.Code {
        .managedObjectReferentialIntegrity
    }
    public static var managedObjectExternalRelationship: CocoaError.Code {
        .managedObjectExternalRelationship
    }
    public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
    public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
    public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
    public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
    public static var persistentStoreIncompatibleSchema: CocoaError.Code {
        .persistentStoreIncompatibleSchema
    }
    public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
    public static var persistentStoreIncompleteSave: CocoaError.Code { .persistentStoreIncompleteSave }
    public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
    public static var coreData: CocoaError.Code { .coreData }
    public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
    public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
    public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
    public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
        .persistentStoreUnsupportedRequestType
    }
    public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
        .persistentStoreIncompatibleVersionHash
    }
    public static var migration: CocoaError.Code { .migration }
    public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
    public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
    public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
    public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
    public static var migrationManagerDestinationStore: CocoaError.Code { .migrationManagerDestinationStore }
    public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
    public static var sqlite: CocoaError.Code { .sqlite }
    public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
    public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
}
