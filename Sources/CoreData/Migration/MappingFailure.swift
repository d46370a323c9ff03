// The failure of a migration, as an error that names the mapping and the property.

import CoreDataPredicate
import CoreDataStores
import Foundation

enum MappingFailure {
    /// An error about a mapping; its name and the property's are in the user info as `entity` and `property`.
    static func make(
        _ mapping: NSEntityMapping, property: NSPropertyMapping?, reason: String,
        code: Int = NSMigrationError, underlying: (any Error)? = nil
    ) -> NSError {
        let place = [mapping.name, property?.name].compactMap(\.self).joined(separator: ".")
        return CoreDataError.make(
            code, description: "The migration failed at \"\(place)\": \(reason)", file: nil,
            entity: mapping.name,
            property: property?.name, reason: reason, underlying: underlying)
    }

    /// An error about the store that is read or the one that is written.
    static func store(_ code: Int, sentence: String, file: URL, error: any Error) -> NSError {
        let cause = error as NSError
        return CoreDataError.make(
            code, description: sentence, file: file,
            reason: cause.localizedFailureReason ?? cause.localizedDescription,
            underlying: cause)
    }

    /// Returns the error of a save that failed in the course of a migration.
    static func saving(_ error: any Error, to file: URL) -> any Error {
        let cause = error as NSError
        guard cause.domain == NSCocoaErrorDomain else { return error }
        switch cause.code {
        case NSManagedObjectConstraintMergeError, NSManagedObjectConstraintValidationError:
            return store(
                NSMigrationConstraintViolationError,
                sentence:
                    "The migration failed: the new store would have objects with the same values where these must be "
                    + "unique.", file: file, error: cause)
        case NSValidationMultipleErrorsError, 1550..<1680: return cause
        default:
            return store(
                NSMigrationManagerDestinationStoreError,
                sentence: "The migration failed: the new store can't be saved.",
                file: file, error: cause)
        }
    }
}
