// Reads that fail where nothing can be thrown: a getter fires a fault, or reads members or an external value.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// The reads of a context that failed, until the objects are refreshed.
struct FailedReads {
    struct Entry {
        let object: NSManagedObject
        /// The property that couldn't be read; `nil` for the row.
        let property: String?
        let error: NSError
    }

    fileprivate struct Key: Hashable {
        let object: ObjectIdentifier
        let property: String?
    }

    private(set) var entries: [Entry] = []
    private var known: Set<Key> = []

    /// The first error.
    var error: NSError? { entries.first?.error }

    /// Returns whether the failure is the first one of this part of the object.
    mutating func add(_ entry: Entry) -> Bool {
        guard known.insert(Key(entry)).inserted else { return false }
        entries.append(entry)
        return true
    }

    mutating func removeAll(where isObsolete: (Entry) -> Bool) {
        entries.removeAll(where: isObsolete)
        known = Set(entries.map(Key.init))
    }
}

extension FailedReads.Key {
    fileprivate init(_ entry: FailedReads.Entry) {
        self.init(object: ObjectIdentifier(entry.object), property: entry.property)
    }
}

extension NSManagedObjectContext {
    /// The error of the first read that failed where no call could throw it: a getter fired a fault, or read the
    /// members of a relationship or the file of an external value. `nil` if there was none, or its object was
    /// refreshed since.
    ///
    /// Until then the values read as nil, and requests of the context throw the error (Docs/Errors.md). An addition
    /// to Apple's class.
    public final var readError: NSError? { failedReads.error }

    /// Throws the error of a read that failed, so that nothing is saved or answered that was computed from it.
    final func throwReadError() throws {
        if let error = failedReads.error { throw error }
    }

    /// Begins every request: there must be stores to ask, and no value that couldn't be read.
    ///
    /// A predicate may name objects that the parent's save has given permanent keys meanwhile.
    final func beginRequest() throws {
        checkQueue()
        try checkCoordinator()
        catchUpWithParents()
        try throwReadError()
    }

    final func checkCoordinator() throws {
        guard persistentStoreCoordinator != nil else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                description: "The context has no persistent store coordinator.",
                file: nil,
                reason: "Set persistentStoreCoordinator or parent before the first request.")
        }
    }

    /// Ends a block that may throw: as the error that the block's type can have.
    final func endThrowingBlock<Failure: Error>(_ type: Failure.Type) throws(Failure) {
        if let error = failedReads.error as? Failure { throw error }
    }

    // MARK: Trying again

    /// Pauses in microseconds before a read that failed for a moment is tried again.
    private static var pauses: [UInt32] { [2_000, 50_000] }

    /// Reads, and tries again what may succeed a moment later (`ErrorMapping.isTransient`), twice at most.
    final func retrying<Answer>(
        _ subject: @autoclosure () -> String, read: () throws -> Answer
    ) throws -> Answer {
        do {
            return try read()
        } catch  where ErrorMapping.isTransient(error) {
            return try again(subject(), after: error, read: read)
        }
    }

    private final func again<Answer>(
        _ subject: String, after first: any Error, read: () throws -> Answer
    ) throws -> Answer {
        var failure = first
        for pause in Self.pauses {
            Log.warning("\(subject) couldn't be read and is read again: \(failure.localizedDescription)")
            usleep(pause)
            do {
                return try read()
            } catch {
                failure = error
                if !ErrorMapping.isTransient(error) { break }
            }
        }
        throw failure
    }

    // MARK: Taking note

    /// Takes note of a read that failed: logs it, and keeps it for the next request. Asks whether the object may be
    /// used without the value, as for one whose row is gone.
    ///
    /// - Parameters:
    ///   - property: what couldn't be read; `nil` for the row.
    ///   - key: the property that the client was reading.
    final func noteFailedRead(
        of object: NSManagedObject, property: String?, for key: String?, cause: any Error
    ) {
        let error = Self.error(cause, object: object, key: key)
        let entry = FailedReads.Entry(object: object, property: property, error: error)
        guard failedReads.add(entry) else { return }
        let subject = key.map { "\"\($0)\" of \(object.runtime.name)" } ?? object.runtime.name
        let reason = "\(subject) can't be read for \(object.objectID): \(Self.reason(error))"
        let described = key.flatMap { object.runtime.description(ofProperty: $0) }
        let isHandled = shouldHandleInaccessibleFault(
            object, for: object.objectID, triggeredByProperty: described)
        if stopsAtFailedReads || !isHandled {
            raise(.objectInaccessible, reason, instead: "fulfillFault(forKey:)")
        }
        Log.warning(reason)
    }

    private static func error(_ cause: any Error, object: NSManagedObject, key: String?) -> NSError {
        let cause = ErrorMapping.error(cause, occasion: .fetching, file: nil) as NSError
        var userInfo = cause.userInfo
        userInfo[NSAffectedObjectsErrorKey] = [object.objectID]
        userInfo[CoreDataError.Key.entity] = object.runtime.name
        userInfo[CoreDataError.Key.property] = key
        return NSError(domain: cause.domain, code: cause.code, userInfo: userInfo)
    }

    private static func reason(_ error: NSError) -> String {
        [error.localizedDescription, error.localizedFailureReason].compactMap { $0 }.joined(separator: " ")
    }

    // MARK: Forgetting

    /// An object is refreshed: what couldn't be read is read again.
    final func forgetFailedReads(of object: NSManagedObject) {
        if failedReads.entries.isEmpty { return }
        failedReads.removeAll { $0.object === object }
        object.forgetFailedReads()
    }

    /// All objects are refreshed by `refresh`. Those with changes that still can't be read keep their errors.
    final func forgettingFailedReads<Result>(_ refresh: () -> Result) -> Result {
        let before = failedReads.entries
        failedReads = FailedReads()
        for entry in before { entry.object.forgetFailedReads() }
        let result = refresh()
        for entry in before where entry.object.hasUnreadableValues { _ = failedReads.add(entry) }
        return result
    }
}
