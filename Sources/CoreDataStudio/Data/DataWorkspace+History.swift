// The persistent history as a time line.

import CoreData
import StoreTools

extension DataWorkspace {
    private static let changesShown = 100
    /// Transactions that one answer looks at: a filter that finds few goes on with the next one.
    private static let scanned: Int64 = 20_000

    /// Transactions, the latest first. Looks at a bounded part of the history, however long it is; `next` says where
    /// the next part begins.
    func history(before: Int64, author: String?, object: String?, limit: Int, _ grants: Grants) throws
        -> StudioValue
    {
        guard let store = historyStore else {
            throw StudioProblem(
                status: 404,
                "The store keeps no history: it was never opened with NSPersistentHistoryTrackingKey.")
        }
        let last = coordinator.currentPersistentHistoryToken(fromStores: [store])?.numbers[
            store.identifier ?? ""]
        // There is no token either where the store can't be asked: then this is the error.
        if last == nil { _ = try transactions(after: 0, count: 1, in: store, .transactionsOnly) }
        let id = try object.map { try self.object($0).objectID }
        var scan = HistoryScan(next: min(before, (last ?? 0) + 1))
        while scan.found.count < limit, scan.seen < Self.scanned, !scan.isComplete {
            try read(&scan, in: store, author: author, object: id)
        }
        let shown = scan.found.prefix(limit)
        let next = scan.found.count > limit ? shown.last ?? scan.next : scan.next
        let isLast = scan.found.count <= limit && (scan.isComplete || next <= 1)
        return [
            "transactions": .list(try shown.map { value(try transaction($0, in: store), grants: grants) }),
            "authors": .texts(scan.authors.sorted()), "isLast": .bool(isLast), "next": .integer(next),
        ]
    }

    /// The numbers of the window of transactions before those that were looked at.
    private func read(
        _ scan: inout HistoryScan, in store: NSPersistentStore, author: String?, object: NSManagedObjectID?
    ) throws {
        let low = max(0, scan.next - scan.window)
        let isFile = store.type == NSSQLiteStoreType
        let all = try transactions(after: low, count: scan.next - low - 1, in: store, .transactionsOnly)
            .filter { $0.transactionNumber < scan.next }
        scan.authors.formUnion(all.map { $0.author ?? "" })
        let concerned = try object.map { try numbers(concerning: $0, after: low, all, in: store) }
        scan.found += all.reversed().filter { transaction in
            (author == nil || (transaction.author ?? "") == author)
                && concerned?.contains(transaction.transactionNumber) != false
        }.map(\.transactionNumber)
        // In files transactions have numbers without gaps, but that the oldest are purged; a server counts all of its own.
        scan.isComplete = low == 0 || isFile && Int64(all.count) < scan.next - low - 1
        scan.next = low + 1
        scan.seen += Int64(all.count)
        let isSparse = Int64(all.count) < scan.window / 10
        scan.window = isSparse && !isFile ? scan.window * 8 : min(scan.window * 2, 5000)
    }

    var historyStore: NSPersistentStore? {
        coordinator.persistentStores.first { Self.isDatabase($0) && Self.keepsHistory($0) }
    }

    static func keepsHistory(_ store: NSPersistentStore) -> Bool {
        let option = store.options?[NSPersistentHistoryTrackingKey]
        return (option as? NSNumber)?.boolValue ?? (option != nil)
    }

    /// Up to so many transactions that follow a number; those that are left where some of them are purged.
    private func transactions(
        after number: Int64, count: Int64, in store: NSPersistentStore, _ type: NSPersistentHistoryResultType
    ) throws -> [NSPersistentHistoryTransaction] {
        guard count > 0, let fetch = NSPersistentHistoryTransaction.fetchRequest else { return [] }
        fetch.fetchLimit = Int(count)
        return try execute(fetch, after: number, in: store, type: type)
    }

    private func transaction(_ number: Int64, in store: NSPersistentStore) throws
        -> NSPersistentHistoryTransaction
    {
        let found = try transactions(after: number - 1, count: 1, in: store, .transactionsAndChanges)
        guard let transaction = found.first, transaction.transactionNumber == number else {
            throw StudioProblem(status: 409, "The history was purged meanwhile: load the page again.")
        }
        return transaction
    }

    /// Those of the transactions that changed an object.
    private func numbers(
        concerning id: NSManagedObjectID, after number: Int64, _ all: [NSPersistentHistoryTransaction],
        in store: NSPersistentStore
    ) throws -> Set<Int64> {
        guard let last = all.last?.transactionNumber else { return [] }
        let changed = try transactions(
            after: number, count: last - number, in: store, .transactionsAndChanges)
        return Set(
            changed.filter { ($0.changes ?? []).contains { $0.changedObjectID == id } }
                .map(\.transactionNumber))
    }

    private func execute(
        _ fetch: NSFetchRequest<any NSFetchRequestResult>, after number: Int64, in store: NSPersistentStore,
        type: NSPersistentHistoryResultType
    ) throws -> [NSPersistentHistoryTransaction] {
        let token = number > 0 ? NSPersistentHistoryToken([store.identifier ?? "": number]) : nil
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        request.fetchRequest = fetch
        request.resultType = type
        request.affectedStores = [store]
        do {
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return result?.result as? [NSPersistentHistoryTransaction] ?? []
        } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError && number > 0 {
            // Transactions after the number are partly purged: the rest begins the history.
            return try execute(fetch, after: 0, in: store, type: type)
        }
    }

    /// Deletes what happened before a time; the objects stay as they are.
    func purgeHistory(before date: Date) throws -> StudioValue {
        guard let store = historyStore else {
            throw StudioProblem(status: 404, "The store keeps no history.")
        }
        let request = NSPersistentHistoryChangeRequest.deleteHistory(before: date)
        request.resultType = .count
        request.affectedStores = [store]
        let result = try fetching { try context.execute(request) } as? NSPersistentHistoryResult
        feed.note(.store)
        return ["count": .integer(result?.result as? Int ?? 0), "status": status]
    }

    private func value(_ transaction: NSPersistentHistoryTransaction, grants: Grants) -> StudioValue {
        let changes = (transaction.changes ?? []).filter {
            grants.has(.read, entity: $0.changedObjectID.entity)
        }
        return [
            "number": .integer(transaction.transactionNumber),
            "date": .text(Timestamp.text(of: transaction.timestamp)),
            "author": .optional(transaction.author), "context": .optional(transaction.contextName),
            "process": .text(transaction.processID), "count": .integer(changes.count),
            "changes": .list(changes.prefix(Self.changesShown).map(value)),
        ]
    }

    private func value(_ change: NSPersistentHistoryChange) -> StudioValue {
        let id = change.changedObjectID
        let kind =
            switch change.changeType {
            case .insert: "inserted"
            case .update: "updated"
            case .delete: "deleted"
            }
        let object = change.changeType == .delete ? nil : try? context.existingObject(with: id)
        let kept = change.tombstone.map { tombstone in
            Dictionary(tombstone.map { ("\($0.key)", $0.value) }, uniquingKeysWith: { first, _ in first })
        }
        return [
            "kind": .text(kind), "id": .text(names.name(of: id)), "entity": .text(id.entity.name ?? ""),
            "title": .text(object?.title ?? ""), "isThere": .bool(object != nil),
            "properties": .texts((change.updatedProperties ?? []).map(\.label).sorted()),
            "kept": .optional(
                kept.flatMap { $0.isEmpty ? nil : String(PrintedValue(any: $0).cell.prefix(300)) }),
        ]
    }
}

/// The progress of a search of the history, from the latest transaction back.
private struct HistoryScan {
    /// The rest of the history lies before this transaction.
    var next: Int64
    /// The transactions that were looked at.
    var seen: Int64 = 0
    var window: Int64 = 200
    var found: [Int64] = []
    var authors: Set<String> = []
    var isComplete = false

    init(next: Int64) { self.next = next }
}
