// From failures of the server to `NSError`s with Apple's codes.

import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import Foundation

enum PostgreSQLErrors {
    static func error(_ failure: ServerFailure, occasion: ErrorMapping.Occasion, url: URL?) -> NSError {
        let (code, sentence) = meaning(failure.kind, occasion: occasion)
        var userInfo: [String: Any] = [:]
        if failure.kind == .unknownOutcome { userInfo[StoreErrors.unknownOutcome] = true }
        var underlying: NSError?
        if !failure.sqlState.isEmpty {
            userInfo[PostgreSQLStore.sqlStateKey] = failure.sqlState
            underlying = NSError(
                domain: PostgreSQLStore.errorDomain, code: Int(failure.sqlState, radix: 36) ?? 0,
                userInfo: [
                    NSLocalizedDescriptionKey: failure.message, PostgreSQLStore.sqlStateKey: failure.sqlState,
                ])
        }
        // An address that can't be used may show a password.
        let place = failure.kind == .address ? nil : url
        return CoreDataError.make(
            code, description: sentence, file: place, reason: failure.message, underlying: underlying,
            userInfo: userInfo)
    }

    /// The error for rows that have the same values where a model says that they must differ; `nil` if it was another index that
    /// refused a row.
    ///
    /// - Parameter indexes: those of the store.
    static func constraint(_ failure: ServerFailure, indexes: [IndexShape], url: URL?) -> NSError? {
        guard let index = indexes.first(where: { $0.name == failure.constraint }),
            let constraint = index.constraint
        else { return nil }
        let names = constraint.properties
        return CoreDataError.make(
            ErrorCode.constraintMerge,
            description:
                "Two objects have the same values for \(names.joined(separator: ", ")), which must be unique.",
            file: url, entity: constraint.entity, property: names.first, reason: failure.message,
            userInfo: ["constraint": names, PostgreSQLStore.sqlStateKey: failure.sqlState])
    }

    private static func meaning(_ kind: ServerFailure.Kind, occasion: ErrorMapping.Occasion) -> (
        Int, String
    ) {
        switch kind {
        case .address: (ErrorCode.open, "The address of the persistent store can't be read.")
        case .connection: (general(occasion), "The persistent store's server can't be reached.")
        case .unknownOutcome:
            (ErrorCode.save, "The persistent store couldn't find out whether the save is kept.")
        case .crowded: (ErrorCode.timeout, "The persistent store's server has no connection to give.")
        case .access: (NSFileReadNoPermissionError, "The persistent store's server refuses access.")
        case .permission where occasion == .saving, .readOnly:
            (
                NSFileWriteNoPermissionError,
                "The persistent store couldn't be saved because it may not be written."
            )
        case .permission:
            (NSFileReadNoPermissionError, "You don't have permission to open the persistent store.")
        case .server: (ErrorCode.open, "The persistent store's server doesn't suit the store.")
        case .timeout: (ErrorCode.timeout, "The persistent store is locked by somebody else.")
        case .unique: (ErrorCode.constraintMerge, "A constraint was violated.")
        case .constraint: (ErrorCode.save, "A constraint of the store's tables was violated.")
        case .full: (NSFileWriteOutOfSpaceError, "There isn't enough space to save the persistent store.")
        case .schema where occasion == .opening:
            (NSFileReadNoSuchFileError, "The persistent store doesn't exist.")
        case .conflict, .schema, .cancelled, .value, .limit, .other: (general(occasion), occasion.sentence)
        }
    }

    private static func general(_ occasion: ErrorMapping.Occasion) -> Int {
        switch occasion {
        case .opening: ErrorCode.open
        case .fetching: ErrorCode.sqlite
        case .saving: ErrorCode.save
        }
    }
}
