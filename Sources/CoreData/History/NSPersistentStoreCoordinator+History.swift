// The history of a coordinator's stores.

import CoreDataStores
import CoreDataSupport
import Foundation

extension NSPersistentStoreCoordinator {
    final func currentToken(of stores: [Any]?) -> NSPersistentHistoryToken? {
        withLock {
            var numbers: [String: Int64] = [:]
            for kept in histories(of: stores.map { $0.compactMap { $0 as? NSPersistentStore } }) {
                do {
                    if let last = try kept.history.lastTransaction() { numbers[kept.identifier] = last }
                } catch {
                    Log.warning("the history of \(kept.store.url?.path ?? "") can't be read: \(error)")
                }
            }
            return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
        }
    }

    /// Fetches or deletes history.
    final func execute(_ request: NSPersistentHistoryChangeRequest) throws -> NSPersistentHistoryResult {
        try withLock {
            let histories = histories(of: request.affectedStores)
            if histories.isEmpty {
                throw CoreDataError.make(
                    NSPersistentStoreUnsupportedRequestTypeError,
                    description: "No store of the coordinator has a history.",
                    userInfo: [
                        CoreDataError.Key.reason:
                            "Only stores in SQLite files and PostgreSQL databases keep a history."
                    ])
            }
            let result: Any? =
                request.isDeletion
                ? try delete(request, histories: histories)
                : try HistoryFetch(request, histories: histories).result()
            return NSPersistentHistoryResult(result, resultType: request.resultType)
        }
    }

    private func delete(_ request: NSPersistentHistoryChangeRequest, histories: [KeptHistory]) throws
        -> Any?
    {
        var count = 0
        for kept in histories {
            let number = request.token?.numbers[kept.identifier]
            if number == nil && request.date == nil { continue }
            count += try kept.history.deleteHistory(before: number, or: request.date)
        }
        switch request.resultType {
        case .statusOnly: return true
        case .count: return count
        case .objectIDs, .transactionsOnly, .changesOnly, .transactionsAndChanges: return nil
        }
    }

    private func histories(of wanted: [NSPersistentStore]?) -> [KeptHistory] {
        attached.compactMap { entry in
            if let wanted, !wanted.contains(where: { $0 === entry.store }) { return nil }
            return entry.store.rowStore?.history.map { KeptHistory(store: entry.store, history: $0) }
        }
    }
}

/// The history of one of a coordinator's stores.
struct KeptHistory {
    let store: NSPersistentStore
    let history: any StoreHistory

    var identifier: String { store.identifier ?? "" }
}
