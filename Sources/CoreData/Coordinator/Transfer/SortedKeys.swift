// The keys of an entity's rows in their order, some at a time.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import Foundation

/// Reads keys in parts, so that not all of them are in memory.
struct SortedKeys {
    private static let partSize = 100_000

    private let entity: ManagedEntity
    private let store: NSPersistentStore
    private var offset: Int
    private var part: ArraySlice<Int64> = []
    private var isOver = false

    /// The keys behind the first so many, the last of which must be `last`.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) if another row stands there.
    init(of entity: ManagedEntity, in store: NSPersistentStore, after done: Int = 0, last: Int64 = 0) throws {
        self.entity = entity
        self.store = store
        offset = done
        if done > 0, try store.fetchKeys(fetch(offset: done - 1, limit: 1)).primaryKeys.first != last {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, description: "The persistent store couldn't be moved.",
                file: store.url,
                reason: "Its rows of \(entity.name) aren't those that were there when it was begun.")
        }
    }

    private func fetch(offset: Int, limit: Int) -> StoreFetch {
        var fetch = StoreFetch(entity: entity)
        fetch.includesSubentities = false
        fetch.sortKeys = [SortKey("objectID")]
        (fetch.offset, fetch.limit) = (offset, limit)
        return fetch
    }

    /// Returns up to so many keys; `nil` behind the last.
    mutating func next(_ count: Int) throws -> [Int64]? {
        if part.isEmpty, !isOver {
            part = ArraySlice(try store.fetchKeys(fetch(offset: offset, limit: Self.partSize)).primaryKeys)
            offset += part.count
            isOver = part.count < Self.partSize
        }
        if part.isEmpty { return nil }
        let keys = Array(part.prefix(count))
        part = part.dropFirst(count)
        return keys
    }
}
