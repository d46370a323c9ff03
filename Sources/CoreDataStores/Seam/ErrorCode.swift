// Apple's codes of the errors that stores throw, and the keys of their user info.

/// Codes in `NSCocoaErrorDomain`.
package enum ErrorCode {
    package static let relationshipDeniedDelete = 1600
    package static let constraintMerge = 133021
    package static let typeMismatch = 134010
    package static let incompatibleSchema = 134020
    package static let save = 134030
    package static let saveConflicts = 134050
    package static let coreData = 134060
    package static let operation = 134070
    package static let open = 134080
    package static let timeout = 134090
    package static let unsupportedRequest = 134091
    package static let incompatibleVersionHash = 134100
    package static let migration = 134110
    package static let migrationConstraintViolation = 134111
    package static let sqlite = 134180
}

/// Keys of errors' user info.
package enum ErrorKey {
    /// SQLite's extended result code; also the domain of SQLite's errors.
    package static let sqlite = "NSSQLiteErrorDomain"
    package static let validationKey = "NSValidationErrorKey"
}

/// The types of the built-in stores, as metadata states them.
package enum StoreTypeName {
    package static let sqlite = "SQLite"
    package static let inMemory = "InMemory"
    package static let xml = "XML"
    package static let binary = "Binary"
}
