// One save, as a store's history has it.

import CoreDataSQL
public import Foundation

/// The history's record of a transaction without its changes.
final class HistoryRecord {
    let row: HistoryTransactionRow
    let storeID: String
    /// The position in the history after the transaction.
    var token: NSPersistentHistoryToken

    init(_ row: HistoryTransactionRow, storeID: String) {
        self.row = row
        self.storeID = storeID
        token = NSPersistentHistoryToken([storeID: row.number])
    }

    var timestamp: Date { Date(timeIntervalSinceReferenceDate: row.timestamp) }
}

/// One save in the persistent history of a store.
open class NSPersistentHistoryTransaction: NSObject, NSCopying {
    final let record: HistoryRecord
    /// The changes, in the order in which they were written; `nil` if the request
    /// asked for transactions only.
    public internal(set) final var changes: [NSPersistentHistoryChange]?

    init(_ record: HistoryRecord, changes: [NSPersistentHistoryChange]? = nil) {
        self.record = record
        self.changes = changes
        super.init()
        for change in changes ?? [] { change.owner = self }
    }

    /// When it was saved.
    open var timestamp: Date { record.timestamp }
    /// The transaction's place in its store: later ones have higher numbers.
    open var transactionNumber: Int64 { record.row.number }
    /// `NSStoreUUID` of the store.
    open var storeID: String { record.storeID }
    /// The identifier of the program that saved, or its name where it has no bundle; empty if unknown.
    open var bundleID: String { record.row.texts[.bundleID] ?? "" }
    /// The name of the process that saved; empty if unknown.
    open var processID: String { record.row.texts[.processID] ?? "" }
    /// The name of the context that saved.
    open var contextName: String? { record.row.texts[.contextName] }
    /// The `transactionAuthor` of the context that saved.
    open var author: String? { record.row.texts[.author] }
    /// The position in the history after this transaction. In an answer from several stores the token stands
    /// for all that comes before it in the answer.
    open var token: NSPersistentHistoryToken { record.token }

    /// Returns what a context's save notification would have said, for `mergeChanges(fromContextDidSave:)`.
    ///
    /// Without `changes` it names no objects.
    open func objectIDNotification() -> Notification {
        var info: [AnyHashable: Any] = [NSPersistentHistoryTokenKey: token]
        for (type, key) in [
            (NSPersistentHistoryChangeType.insert, NSInsertedObjectIDsKey),
            (.update, NSUpdatedObjectIDsKey), (.delete, NSDeletedObjectIDsKey),
        ] {
            let ids = (changes ?? []).filter { $0.changeType == type }.map(\.changedObjectID)
            if !ids.isEmpty { info[key] = Set(ids) }
        }
        return Notification(name: ObservedNotification.didSaveObjectIDs.name, object: nil, userInfo: info)
    }

    /// Returns the transaction itself, as it can't be changed.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: Fetching transactions

    /// The entity with the attributes that predicates on transactions can name.
    open class var entityDescription: NSEntityDescription? { HistoryEntity.transaction.description }

    /// Returns the entity that predicates on transactions are about, the same for every context.
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        entityDescription
    }

    /// A new fetch request for `NSPersistentHistoryChangeRequest.fetchHistory(withFetch:)`.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        HistoryEntity.transaction.fetchRequest
    }
}
