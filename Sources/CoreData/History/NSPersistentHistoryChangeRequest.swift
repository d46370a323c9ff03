// Asks stores for their history, or has them forget it.

import CoreDataSupport
public import Foundation

/// The kind of result that a history request returns.
public enum NSPersistentHistoryResultType: Int, Sendable {
    /// The success, as a `Bool`.
    case statusOnly = 0
    /// The IDs of the objects that changed, each once, as `[NSManagedObjectID]`.
    case objectIDs = 1
    /// The number of transactions, or of changes where the fetch request is for changes, as an `Int`.
    case count = 2
    /// `[NSPersistentHistoryTransaction]` without changes.
    case transactionsOnly = 3
    /// `[NSPersistentHistoryChange]`.
    case changesOnly = 4
    /// `[NSPersistentHistoryTransaction]` with changes.
    case transactionsAndChanges = 5
}

/// The answer to a history request.
open class NSPersistentHistoryResult: NSPersistentStoreResult {
    /// The result, of the kind that the request's `resultType` names.
    public final let result: Any?
    /// The kind of the result.
    public final let resultType: NSPersistentHistoryResultType

    init(_ result: Any?, resultType: NSPersistentHistoryResultType) {
        self.result = result
        self.resultType = resultType
        super.init()
    }
}

/// A request for the history of a context's stores, oldest first, or for its deletion. Executed by
/// `NSManagedObjectContext.execute(_:)`, which returns an `NSPersistentHistoryResult`.
///
/// Fetching after a token whose transactions were partly deleted throws `NSPersistentHistoryTokenExpiredError`.
///
/// ```swift
/// let token: NSPersistentHistoryToken? = nil
/// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
/// let result = try context.execute(request) as? NSPersistentHistoryResult
/// for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
///     context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
/// }
/// ```
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    /// The kind of result to return: transactions with changes of a fetch, the status
    /// of a deletion, unless set.
    open var resultType = NSPersistentHistoryResultType.transactionsAndChanges
    /// The token that the request was made with.
    public private(set) final var token: NSPersistentHistoryToken?
    /// Restricts what is fetched: made by `NSPersistentHistoryTransaction.fetchRequest` or
    /// `NSPersistentHistoryChange.fetchRequest`. Predicate, sort descriptors, limit and offset count.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?
    /// The time that the request was made with.
    private(set) final var date: Date?
    private(set) final var isDeletion = false

    /// A request for all of the history.
    public required override init() {
        super.init()
    }

    /// That of a fetch: there is no value of its own.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// Returns a copy with everything that the request says.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = Self()
        copy.resultType = resultType
        copy.token = token
        copy.fetchRequest = fetchRequest
        copy.date = date
        copy.isDeletion = isDeletion
        copy.affectedStores = affectedStores
        return copy
    }

    // MARK: Fetching

    /// Returns a request for what was saved after a time.
    open class func fetchHistory(after date: Date) -> Self {
        make(date: date)
    }

    /// Returns a request for what was saved after a token's place; for everything with `nil`, and for
    /// everything of stores that the token doesn't know.
    open class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self {
        make(token)
    }

    /// Returns a request for what was saved after a transaction; for everything with `nil`.
    open class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> Self {
        fetchHistory(after: transaction?.token)
    }

    /// Returns a request for what a fetch request for transactions or changes finds.
    open class func fetchHistory(withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>) -> Self {
        let request = Self()
        request.fetchRequest = fetchRequest
        return request
    }

    // MARK: Deleting

    /// Returns a request to delete what was saved before a time.
    open class func deleteHistory(before date: Date) -> Self {
        make(date: date, deletes: true)
    }

    /// Returns a request to delete what was saved before a token's last transaction, which stays; nothing for
    /// `nil`.
    open class func deleteHistory(before token: NSPersistentHistoryToken?) -> Self {
        make(token, deletes: true)
    }

    /// Returns a request to delete what was saved before a transaction, which stays; nothing for `nil`.
    open class func deleteHistory(before transaction: NSPersistentHistoryTransaction?) -> Self {
        deleteHistory(
            before: transaction.map { NSPersistentHistoryToken([$0.storeID: $0.transactionNumber]) })
    }

    private class func make(
        _ token: NSPersistentHistoryToken? = nil, date: Date? = nil, deletes: Bool = false
    ) -> Self {
        let request = Self()
        (request.token, request.date, request.isDeletion) = (token, date, deletes)
        if deletes { request.resultType = .statusOnly }
        return request
    }
}
