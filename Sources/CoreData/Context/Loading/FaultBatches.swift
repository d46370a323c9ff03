// Recent fetches with a batch size, whose faults are filled together.

import CoreDataStores
import Foundation

/// The keys of the latest fetches in batches.
struct FaultBatches {
    /// The number of fetches that are remembered.
    static let limit = 4

    /// Most recent last.
    private var recent: [FaultBatch] = []

    mutating func remember(_ batch: FaultBatch) {
        recent.append(batch)
        if recent.count > Self.limit { recent.removeFirst() }
    }

    /// The keys of the batch that a row is in, of the latest fetch that found it, with the number of that fetch's entity.
    ///
    /// - Parameters:
    ///   - primaryKey: the row's key.
    ///   - store: the row's store.
    ///   - isWanted: tells of an entity's number whether the row may be one of its.
    func keys(
        with primaryKey: Int64, in store: NSPersistentStore, where isWanted: (Int) -> Bool
    ) -> (entity: Int, keys: ArraySlice<Int64>)? {
        for batch in recent.reversed() where batch.store === store && isWanted(batch.keys.entity) {
            if let keys = batch.batch(of: primaryKey) { return (batch.keys.entity, keys) }
        }
        return nil
    }
}
