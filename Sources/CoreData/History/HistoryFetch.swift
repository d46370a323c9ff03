// Carries out a history request. With the coordinator's lock held.

import CoreDataPredicate
import CoreDataSQL
import CoreDataStores
import CoreDataSupport
import Foundation

/// A fetch of the history of some stores.
struct HistoryFetch {
    private let request: NSPersistentHistoryChangeRequest
    private let histories: [KeptHistory]
    /// Transactions or changes, whichever the fetch request is for; `nil` without one.
    private let entity: HistoryEntity?

    init(_ request: NSPersistentHistoryChangeRequest, histories: [KeptHistory]) throws {
        self.request = request
        self.histories = histories
        entity = try request.fetchRequest.map(HistoryEntity.of)
    }

    static func expired(_ store: NSPersistentStore) -> NSError {
        CoreDataError.make(
            NSPersistentHistoryTokenExpiredError, description: "The history token has expired.",
            file: store.url,
            reason: "The store doesn't keep all transactions after the token's.",
            userInfo: [NSAffectedStoresErrorKey: [store]])
    }

    /// A transaction with the changes that were found; empty where none were asked for.
    private typealias Found = (record: HistoryRecord, changes: [NSPersistentHistoryChange], count: Int)

    func result() throws -> Any {
        var found: [Found] = []
        // One store in its own order can stop at the limit; the others are ordered first.
        let stops = histories.count == 1 && (request.fetchRequest?.sortDescriptors ?? []).isEmpty
        for kept in histories { try read(kept, bounded: stops) { found.append($0) } }
        if histories.count > 1 { order(&found) }
        try sort(&found)
        if !stops { found = bounded(found) }
        return answer(found)
    }

    // MARK: Reading

    private var wantsChanges: Bool {
        switch request.resultType {
        case .changesOnly, .transactionsAndChanges, .objectIDs: true
        case .statusOnly, .count, .transactionsOnly: false
        }
    }

    private var isForChanges: Bool { entity === HistoryEntity.change }

    private func read(_ kept: KeptHistory, bounded: Bool, body: (Found) -> Void) throws {
        let since = request.date?.timeIntervalSinceReferenceDate
        var bounds = HistoryBounds(bounded ? request.fetchRequest : nil)
        try kept.history.readHistory { reader in
            let filter = try request.fetchRequest.map {
                try HistoryFilter($0, store: kept.store, reader: reader)
            }
            try reader.transactions(after: start(in: kept, reader), since: since) { row in
                let record = HistoryRecord(row, storeID: kept.identifier)
                if isForChanges {
                    let found = try changes(
                        of: record, store: kept.store, reader: reader, filter: filter, bounds: &bounds)
                    if found.count > 0 { body(found) }
                } else if try filter?.matches(record) ?? true, bounds.takes() {
                    var all = HistoryBounds(nil)
                    let none: Found = (record, [], 0)
                    body(
                        wantsChanges
                            ? try changes(
                                of: record, store: kept.store, reader: reader, filter: nil, bounds: &all)
                            : none)
                }
                return !bounds.isFull
            }
        }
    }

    /// The changes of a transaction that a filter lets through.
    private func changes(
        of record: HistoryRecord, store: NSPersistentStore, reader: any HistoryReader,
        filter: HistoryFilter?, bounds: inout HistoryBounds
    ) throws -> Found {
        var found: Found = (record, [], 0)
        var start: Int64 = 0
        if filter?.takesAll ?? true, bounds.skipped > 0 {
            let passed = try reader.passChanges(of: record.row.number, count: bounds.skipped)
            bounds.skip(passed.count)
            guard let key = passed.key else { return found }
            start = key
        }
        try reader.changes(of: record.row.number, after: start) { change, entity in
            let id = NSManagedObjectID(entity, primaryKey: change.primaryKey, store: store)
            if try filter?.matches(change, id: id) ?? true, bounds.takes() {
                found.count += 1
                if wantsChanges {
                    found.changes.append(NSPersistentHistoryChange(change, record: record, id: id))
                }
            }
            return !bounds.isFull
        }
        return found
    }

    /// The number of the transaction to begin after. Throws if those that follow it are gone.
    private func start(in kept: KeptHistory, _ reader: any HistoryReader) throws -> Int64? {
        guard let number = request.token?.numbers[kept.identifier] else { return nil }
        let span = try reader.span()
        let oldest = span.oldest ?? span.last + 1
        if number < oldest - 1 || number > span.last { throw Self.expired(kept.store) }
        return number
    }

    // MARK: Ordering

    /// The transactions of several stores by time; each one's token stands for those before it.
    private func order(_ found: inout [Found]) {
        // A clock may have been set back: the transactions of a store stay in their order.
        var latest: [String: Double] = [:]
        let timed = found.map { entry in
            let time = max(latest[entry.record.storeID] ?? -.infinity, entry.record.row.timestamp)
            latest[entry.record.storeID] = time
            return (time: time, entry: entry)
        }
        found = timed.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }.map(\.element.entry)
        var numbers = request.token?.numbers ?? [:]
        for entry in found {
            numbers[entry.record.storeID] = entry.record.row.number
            entry.record.token = NSPersistentHistoryToken(numbers)
        }
    }

    /// Transactions, or the changes of each, as the fetch request's sort descriptors say.
    private func sort(_ found: inout [Found]) throws {
        guard let descriptors = request.fetchRequest?.sortDescriptors, !descriptors.isEmpty else { return }
        let keys = descriptors.compactMap(\.sortKey)
        guard keys.count == descriptors.count else {
            throw CoreDataError.make(
                NSCoreDataError, description: "The history can't be fetched with this request.",
                userInfo: [CoreDataError.Key.reason: "Only sort descriptors with keys can order it."])
        }
        let order = SortEvaluator(keys)
        if isForChanges {
            for place in found.indices {
                found[place].changes = try found[place].changes.map { ($0, $0.values) }
                    .sorted { try order.areInIncreasingOrder($0.1, and: $1.1) }.map(\.0)
            }
        } else {
            found = try found.map { ($0, $0.record.values) }
                .sorted { try order.areInIncreasingOrder($0.1, and: $1.1) }.map(\.0)
        }
    }

    private func bounded(_ found: [Found]) -> [Found] {
        var bounds = HistoryBounds(request.fetchRequest)
        return found.compactMap { entry in
            guard isForChanges else { return bounds.takes() ? entry : nil }
            var entry = entry
            if wantsChanges {
                entry.changes = entry.changes.filter { _ in bounds.takes() }
                entry.count = entry.changes.count
            } else {
                entry.count = (0..<entry.count).filter { _ in bounds.takes() }.count
            }
            return entry.count > 0 ? entry : nil
        }
    }

    // MARK: Answering

    private func answer(_ found: [Found]) -> Any {
        switch request.resultType {
        case .statusOnly: return true
        case .count: return isForChanges ? found.reduce(0) { $0 + $1.count } : found.count
        case .objectIDs:
            var seen: Set<NSManagedObjectID> = []
            return found.flatMap(\.changes).map(\.changedObjectID).filter { seen.insert($0).inserted }
        case .changesOnly: return found.flatMap(\.changes)
        case .transactionsOnly: return found.map { NSPersistentHistoryTransaction($0.record) }
        case .transactionsAndChanges:
            return found.map { NSPersistentHistoryTransaction($0.record, changes: $0.changes) }
        }
    }
}

/// Limit and offset of a fetch request.
struct HistoryBounds {
    /// The number of results that are still to be left out.
    private(set) var skipped: Int
    private var left: Int?

    init(_ request: NSFetchRequest<any NSFetchRequestResult>?) {
        skipped = request?.fetchOffset ?? 0
        let limit = request?.fetchLimit ?? 0
        left = limit > 0 ? limit : nil
    }

    /// Returns whether the next result is within the bounds.
    mutating func takes() -> Bool {
        if isFull { return false }
        if skipped > 0 {
            skipped -= 1
            return false
        }
        left = left.map { $0 - 1 }
        return true
    }

    /// Leaves some out that nobody looked at.
    mutating func skip(_ count: Int) { skipped -= count }

    var isFull: Bool { left == 0 }
}
