// The errors of SwiftData.

public import Foundation

/// An error of SwiftData's. Errors of stores that are open come as they are, with Core Data's domain and codes, where none of these
/// fits. What keeps a store from being opened stands under `NSUnderlyingErrorKey` of `loadIssueModelContainer`.
public struct SwiftDataError: Error, Hashable, Sendable, CustomDebugStringConvertible, LocalizedError,
    CustomNSError
{
    private enum Code: String {
        case backwardMigration, configurationFileNameContainsInvalidCharacters, configurationFileNameTooLong
        case configurationSchemaNotFoundInContainerSchema, duplicateConfiguration, historyTokenExpired
        case includePendingChangesWithBatchSize, invalidTransactionFetchRequest, loadIssueModelContainer
        case missingModelContext, modelValidationFailure, sortingPendingChangesWithIdentifiers,
            unknownDataStoreSchema
        case unknownSchema, unsupportedKeyPath, unsupportedPredicate, unsupportedSortDescriptor
    }

    private let code: Code
    /// The cause in words.
    private let reason: String?
    private let cause: (any Error)?

    private init(_ code: Code, _ reason: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.cause = cause
    }

    /// The same error with its cause in words.
    func because(_ reason: String) -> SwiftDataError { SwiftDataError(code, reason) }

    /// The same error with the one that caused it.
    func because(of cause: any Error) -> SwiftDataError { SwiftDataError(code, "\(cause)", cause: cause) }

    /// A store is of a later version than the migration plan leads to.
    public static let backwardMigration = SwiftDataError(.backwardMigration)
    /// A configuration's name can't be that of a file.
    public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
        .configurationFileNameContainsInvalidCharacters)
    /// A configuration's name is too long for a file.
    public static let configurationFileNameTooLong = SwiftDataError(.configurationFileNameTooLong)
    /// A configuration's schema has an entity that the container's hasn't.
    public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
        .configurationSchemaNotFoundInContainerSchema)
    /// Two configurations have the same store.
    public static let duplicateConfiguration = SwiftDataError(.duplicateConfiguration)
    /// History doesn't reach back to the token.
    public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)
    /// A fetch in batches can't include unsaved changes.
    public static let includePendingChangesWithBatchSize = SwiftDataError(.includePendingChangesWithBatchSize)
    /// A history descriptor asks for what no store can find.
    public static let invalidTransactionFetchRequest = SwiftDataError(.invalidTransactionFetchRequest)
    /// A container's store couldn't be opened. `NSUnderlyingErrorKey` of the error's user info has the reason, with Core Data's domain and
    /// code.
    public static let loadIssueModelContainer = SwiftDataError(.loadIssueModelContainer)
    /// Something needs a context and has none.
    public static let missingModelContext = SwiftDataError(.missingModelContext)
    /// A model's values break the schema's rules.
    public static let modelValidationFailure = SwiftDataError(.modelValidationFailure)
    /// Identifiers of unsaved models can't be sorted.
    public static let sortingPendingChangesWithIdentifiers = SwiftDataError(
        .sortingPendingChangesWithIdentifiers)
    /// A store's schema isn't known.
    public static let unknownDataStoreSchema = SwiftDataError(.unknownDataStoreSchema)
    /// A class is no model of the container's schema.
    public static let unknownSchema = SwiftDataError(.unknownSchema)
    /// A key path names no property that a store knows.
    public static let unsupportedKeyPath = SwiftDataError(.unsupportedKeyPath)
    /// A predicate has a part that no store understands.
    public static let unsupportedPredicate = SwiftDataError(.unsupportedPredicate)
    /// A store can't sort in this way.
    public static let unsupportedSortDescriptor = SwiftDataError(.unsupportedSortDescriptor)

    /// Returns true if the errors are of one kind, whatever their cause.
    ///
    /// - Parameters:
    ///   - left: the one error.
    ///   - right: the other.
    public static func == (left: SwiftDataError, right: SwiftDataError) -> Bool { left.code == right.code }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// Returns true if an error is of this kind, for `catch SwiftDataError.unknownSchema`.
    ///
    /// - Parameters:
    ///   - pattern: the kind.
    ///   - error: the error.
    public static func ~= (pattern: SwiftDataError, error: any Error) -> Bool {
        (error as? SwiftDataError) == pattern
    }

    public var debugDescription: String {
        "SwiftDataError.\(code.rawValue)" + (reason.map { ": \($0)" } ?? "")
    }
    public var errorDescription: String? { debugDescription }
    /// The error that caused this one, under `NSUnderlyingErrorKey`: Core Data's, or the one that a migration stage threw.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: debugDescription]
        info[NSUnderlyingErrorKey] = cause
        return info
    }
}
