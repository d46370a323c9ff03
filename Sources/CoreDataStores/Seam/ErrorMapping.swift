// From the failures of the layers below to `NSError`s with Apple's codes. `Docs/Errors.md` is the table.

import CoreDataFiles
package import CoreDataSQL
import CoreDataSQLiteEngine
package import Foundation

/// Words failures of a store's file.
package enum ErrorMapping {
    /// The operation that failed.
    package enum Occasion {
        case opening
        case fetching
        case saving

        /// Apple's general sentence for it.
        package var sentence: String {
            switch self {
            case .opening: "The persistent store cannot be opened."
            case .fetching: "The persistent store could not be read."
            case .saving: "The persistent store could not be saved."
            }
        }
    }

    /// The error that a client sees. Errors that are `NSError`s of ours already pass unchanged.
    package static func error(
        _ error: any Error, occasion: Occasion, file: URL?, layout: StoreLayout? = nil
    ) -> any Error {
        switch error {
        case let failure as EngineFailure:
            if case .unique(let violation) = failure.kind {
                return constraint(violation, failure: failure, file: file, layout: layout)
            }
            if case .external(let number) = failure.kind { return external(failure, number: number) }
            if failure.message == "parser stack overflow" {
                return CoreDataError.make(
                    ErrorCode.coreData,
                    description:
                        "The fetch can't be answered by the store: the predicate is nested too deeply for the database",
                    file: file, reason: "Its expressions are nested too deeply for the database's parser.")
            }
            return engine(failure, occasion: occasion, file: file)
        case let failure as TranslationFailure:
            return CoreDataError.make(
                ErrorCode.coreData,
                description: "The fetch can't be answered by the store: \(failure.reason)", file: file,
                reason: failure.reason)
        case let failure as LayoutFailure:
            return CoreDataError.make(
                ErrorCode.incompatibleSchema, description: occasion.sentence, file: file,
                entity: failure.entity,
                property: failure.property, reason: failure.description)
        case let failure as MetadataFailure:
            return CoreDataError.make(
                NSFileReadCorruptFileError, description: occasion.sentence, file: file,
                reason: failure.description)
        case let failure as ModelFileError:
            return CoreDataError.make(
                ErrorCode.incompatibleSchema, description: "The model can't be read.", file: file,
                reason: "\(failure)")
        default: return error
        }
    }

    private static func engine(_ failure: EngineFailure, occasion: Occasion, file: URL?) -> NSError {
        var userInfo: [String: Any] = [:]
        if failure.extendedCode != 0 || failure.code != 0 {
            userInfo[ErrorKey.sqlite] = Int(failure.extendedCode)
        }
        let (code, sentence) = meaning(failure.kind, occasion: occasion)
        return CoreDataError.make(
            code, description: sentence, file: file ?? URL(fileURLWithPath: failure.path),
            reason: failure.message,
            underlying: underlying(failure), userInfo: userInfo)
    }

    /// SQLite's own error, with the system's below it where a call of the system's failed.
    private static func underlying(_ failure: EngineFailure) -> NSError {
        var details: [String: Any] = [NSLocalizedDescriptionKey: failure.message]
        if failure.systemError != 0 {
            details[NSUnderlyingErrorKey] = NSError(
                domain: NSPOSIXErrorDomain, code: Int(failure.systemError))
        }
        return NSError(
            domain: ErrorKey.sqlite, code: Int(failure.extendedCode), userInfo: details)
    }

    /// A file of an external value, which is another than the store's.
    private static func external(_ failure: EngineFailure, number: Int32) -> NSError {
        CoreDataError.make(
            NSFileReadUnknownError, description: "A value of the persistent store could not be read.",
            file: URL(fileURLWithPath: failure.path), reason: failure.message,
            underlying: NSError(
                domain: NSPOSIXErrorDomain, code: Int(number),
                userInfo: [NSLocalizedDescriptionKey: String(cString: strerror(number))]))
    }

    /// Returns whether a read that failed may succeed a moment later: SQLite was interrupted (9) or the
    /// system couldn't deliver a page (10), the file of an external value couldn't be read for EINTR, EAGAIN
    /// or EIO. A lock that outlasted SQLite's time-out isn't: that was waiting already.
    package static func isTransient(_ error: any Error) -> Bool {
        if case .external(let number)? = (error as? EngineFailure)?.kind {
            return [EINTR, EAGAIN, EIO].contains(number)
        }
        let userInfo = (error as NSError).userInfo
        if let code = userInfo[ErrorKey.sqlite] as? Int { return [9, 10].contains(code & 0xFF) }
        guard let cause = userInfo[NSUnderlyingErrorKey] as? NSError else { return false }
        return cause.domain == NSPOSIXErrorDomain && [EINTR, EAGAIN, EIO].contains(Int32(cause.code))
    }

    /// Returns whether a read failed for a page of the file, so that reading fewer rows may succeed: the
    /// system couldn't deliver it (10), or it is damaged (11).
    package static func concernsPages(_ error: any Error) -> Bool {
        ((error as NSError).userInfo[ErrorKey.sqlite] as? Int).map { [10, 11].contains($0 & 0xFF) }
            ?? false
    }

    /// The store may be read only.
    package static func readOnly(_ file: URL?, keepsHistory: Bool) -> NSError {
        CoreDataError.make(
            ErrorCode.save, description: "The store is read-only.", file: file,
            reason: keepsHistory
                ? "It keeps a persistent history, and was added without NSPersistentHistoryTrackingKey."
                : "It was added with NSReadOnlyPersistentStoreOption.")
    }

    /// Two rows with the same values where the model says that they must differ.
    private static func constraint(
        _ violation: UniqueViolation, failure: EngineFailure, file: URL?, layout: StoreLayout?
    ) -> NSError {
        let tables = (layout?.tables.values.filter { $0.table == violation.table } ?? [])
            .sorted { $0.number < $1.number }
        let names = violation.columns.map { column in
            tables.lazy.flatMap(\.columns).compactMap { $0.value.path(to: column, from: $0.key) }.first
                ?? column
        }
        let entity = tables.first { table in names.allSatisfy { table.column(ofSlot: $0) != nil } }?
            .entityName
        return CoreDataError.make(
            ErrorCode.constraintMerge,
            description:
                "Two objects have the same values for \(names.joined(separator: ", ")), which must be unique.",
            file: file, entity: entity, property: names.first, reason: failure.message,
            userInfo: ["constraint": names, ErrorKey.sqlite: Int(failure.extendedCode)])
    }

    private static func meaning(_ kind: EngineFailure.Kind, occasion: Occasion) -> (Int, String) {
        switch kind {
        case .notADatabase:
            (
                NSFileReadCorruptFileError,
                "The file couldn't be opened because it isn't in the correct format."
            )
        case .notAStore:
            (ErrorCode.typeMismatch, "The file is an SQLite database but not a persistent store.")
        case .corrupt: (NSFileReadCorruptFileError, "The persistent store's file is damaged.")
        case .truncated: (NSFileReadCorruptFileError, "The persistent store's file is incomplete.")
        case .busy: (ErrorCode.timeout, "The persistent store is locked by another process.")
        case .readOnly:
            (
                NSFileWriteNoPermissionError,
                "The persistent store couldn't be saved because it may not be written."
            )
        case .full: (NSFileWriteOutOfSpaceError, "There isn't enough space to save the persistent store.")
        case .unique: (ErrorCode.constraintMerge, "A constraint was violated.")
        case .constraint: (ErrorCode.save, "A constraint of the store's file was violated.")
        case .missing: (NSFileReadNoSuchFileError, "The persistent store's file doesn't exist.")
        case .noFolder: (NSFileWriteUnknownError, StoreErrors.noFolder)
        case .permission:
            (NSFileReadNoPermissionError, "You don't have permission to open the persistent store.")
        case .external, .io, .schema, .interrupted, .other: (general(occasion), occasion.sentence)
        }
    }

    private static func general(_ occasion: Occasion) -> Int {
        switch occasion {
        case .opening: ErrorCode.open
        case .fetching: ErrorCode.sqlite
        case .saving: ErrorCode.save
        }
    }
}

extension PropertyColumn {
    /// The property, or the element of a composite attribute, that has a column.
    fileprivate func path(to column: String, from name: String) -> String? {
        switch self {
        case .attribute(column, _), .toOne(column, _, _, _): name
        case .composite(let elements):
            elements.lazy.compactMap { $0.value.path(to: column, from: "\(name).\($0.key)") }.first
        default: nil
        }
    }
}
