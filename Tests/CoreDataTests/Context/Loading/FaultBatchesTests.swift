// Which rows a fault brings along, without a coordinator and a file.

import CoreDataTestSupport
import CoreDataStores
import Foundation
import Testing

@testable import CoreData

@Suite struct FaultBatchesTests {
    private let store = NSPersistentStore(
        persistentStoreCoordinator: nil, configurationName: nil, at: URL(filePath: "/nowhere"), options: nil)

    private func batch(_ keys: ClosedRange<Int64>, of entity: Int = 0, size: Int = 4) -> FaultBatch {
        FaultBatch(
            StoreKeys(primaryKeys: ContiguousArray(keys), entity: entity), batchSize: size, store: store)
    }

    @Test func aRowComesWithThoseOfItsBatch() {
        var batches = FaultBatches()
        batches.remember(batch(11...20))
        let first = batches.keys(with: 12, in: store) { _ in true }
        #expect(first?.keys == [11, 12, 13, 14] && first?.entity == 0)
        expect(batches.keys(with: 20, in: store) { _ in true }?.keys, equals: [19, 20])
        #expect(batches.keys(with: 21, in: store) { _ in true } == nil)
    }

    @Test func theLatestFetchThatFoundTheRowCounts() {
        var batches = FaultBatches()
        batches.remember(batch(1...10))
        batches.remember(batch(2...9, of: 3, size: 2))
        expect(batches.keys(with: 4, in: store) { _ in true }?.keys, equals: [4, 5])
        expect(batches.keys(with: 10, in: store) { _ in true }?.keys, equals: [9, 10])
        expect(batches.keys(with: 4, in: store) { $0 == 0 }?.keys, equals: [1, 2, 3, 4])
    }

    @Test func rowsOfAnotherStoreAreOthers() {
        var batches = FaultBatches()
        batches.remember(batch(1...10))
        let other = NSPersistentStore(
            persistentStoreCoordinator: nil, configurationName: nil, at: URL(filePath: "/nowhere"),
            options: nil)
        #expect(batches.keys(with: 4, in: other) { _ in true } == nil)
    }

    @Test func oldFetchesAreForgotten() {
        var batches = FaultBatches()
        for start in 0...Int64(FaultBatches.limit) { batches.remember(batch(start * 10...start * 10 + 5)) }
        #expect(batches.keys(with: 3, in: store) { _ in true } == nil)
        expect(batches.keys(with: 13, in: store) { _ in true }?.keys, equals: [10, 11, 12, 13])
    }
}
