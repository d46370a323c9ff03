// Errors of values that fail validation.

import CoreDataStores
import Foundation

extension CoreDataError {
    /// A value that fails validation. Several of them make one error: `combined(_:)`.
    static func validation(
        _ code: Int, description: String, object: Any?, key: String?, value: Any?,
        predicate: NSPredicate? = nil
    ) -> NSError {
        var userInfo: [String: Any] = [:]
        userInfo[NSValidationObjectErrorKey] = object
        userInfo[NSValidationKeyErrorKey] = key
        userInfo[NSValidationValueErrorKey] = value
        userInfo[NSValidationPredicateErrorKey] = predicate
        userInfo[NSLocalizedFailureReasonErrorKey] = description
        userInfo[NSLocalizedRecoverySuggestionErrorKey] = suggestion(code, key: key)
        return make(code, description: description, userInfo: userInfo)
    }

    /// Tells a person what to do about a value that fails validation.
    private static func suggestion(_ code: Int, key: String?) -> String {
        let subject = key.map { "\"\($0)\"" } ?? "the property"
        return switch code {
        case NSValidationMissingMandatoryPropertyError: "Give \(subject) a value."
        case NSValidationRelationshipLacksMinimumCountError: "Add items to \(subject)."
        case NSValidationRelationshipExceedsMaximumCountError: "Remove items from \(subject)."
        case NSValidationRelationshipDeniedDeleteError: "Delete or move the items of \(subject) first."
        case NSValidationNumberTooLargeError: "Give \(subject) a smaller number."
        case NSValidationNumberTooSmallError: "Give \(subject) a larger number."
        case NSValidationDateTooLateError: "Give \(subject) an earlier date."
        case NSValidationDateTooSoonError: "Give \(subject) a later date."
        case NSValidationStringTooLongError: "Give \(subject) a shorter text."
        case NSValidationStringTooShortError: "Give \(subject) a longer text."
        case NSValidationStringPatternMatchingError: "Give \(subject) a text of the form that is asked for."
        default: "Give \(subject) another value."
        }
    }

    /// One error for several failures: the only one itself, else a `NSValidationMultipleErrorsError` whose
    /// details lie under `NSDetailedErrorsKey`. Nested multiples are flattened. `nil` for none.
    static func combined(_ errors: [NSError]) -> NSError? {
        let all = errors.flatMap { error -> [NSError] in
            guard error.domain == NSCocoaErrorDomain, error.code == NSValidationMultipleErrorsError,
                let details = error.userInfo[NSDetailedErrorsKey] as? [NSError]
            else { return [error] }
            return details
        }
        guard all.count > 1 else { return all.first }
        return make(
            NSValidationMultipleErrorsError, description: "Multiple validation errors occurred.",
            userInfo: [
                NSDetailedErrorsKey: all,
                NSLocalizedFailureReasonErrorKey: all.compactMap(\.localizedFailureReason).joined(
                    separator: " "),
                NSLocalizedRecoverySuggestionErrorKey: "Correct each of the \(all.count) values.",
            ])
    }
}
