// Moves the rows of one store to another, page by page in transactions of their own, and goes on where it was stopped.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// The progress of a transfer.
package struct TransferProgress: Sendable {
    /// The work of the step, in words.
    package let step: String
    package let entity: String
    /// The rows of the entity that it was done for.
    package let done: Int
    package let total: Int
}

/// A transfer between two stores of one coordinator, which nobody else uses.
///
/// In the new store the rows are those of the old one under keys that follow from theirs. With each page the new store's metadata
/// take down what is done. Memory is needed for a page of rows and some of keys.
package final class StoreTransfer {
    private let source: NSPersistentStore
    private let target: NSPersistentStore
    private let coordinator: NSPersistentStoreCoordinator
    private let entities: [ManagedEntity]
    private let steps: [TransferStep]
    private var mark: TransferMark
    private var shifts = KeyShift()
    private let progress: (TransferProgress) throws -> Void
    /// Indicates whether the source is read as it was at the first read, whoever writes meanwhile.
    private let isCopy: Bool

    /// Rows of one transaction.
    static let pageSize = 1024

    /// A transfer of everything that a store holds into an empty store, or one into which it was begun.
    ///
    /// - Parameter isCopy: whether the source is read as it is at one moment. Such a transfer can't be gone on with: the moment
    ///   is over.
    /// - Throws: `NSPersistentStoreOperationError` (134070) if the new store holds other rows.
    package init(
        from source: NSPersistentStore, to target: NSPersistentStore, isCopy: Bool = false,
        progress: @escaping (TransferProgress) throws -> Void
    ) throws {
        guard let coordinator = source.persistentStoreCoordinator, source.rowStore != nil,
            target.rowStore != nil, target.takesCopies
        else { throw StoreErrors.removed(source.url) }
        self.source = source
        self.target = target
        self.coordinator = coordinator
        self.progress = progress
        self.isCopy = isCopy
        let model = coordinator.runtime
        let members = source.members(of: model)
        let entities = model.entities.filter { members?.contains($0.name) ?? true }
        self.entities = entities
        steps = TransferStep.all(for: entities)
        let begun = TransferMark(coordinator.metadata(for: target))
        mark = begun ?? TransferMark(source: source.identifier ?? "", isCopy: isCopy)
        try begun == nil ? requireEmpty() : requireSource()
    }

    /// Moves what isn't moved yet, then compares the stores.
    ///
    /// - Returns: what both stores hold of each entity.
    /// - Throws: the errors of reading and saving; `NSPersistentStoreOperationError` (134070) if the source isn't what it was, or
    ///   if the stores differ in the end.
    package func run() throws -> [TransferredEntity] {
        guard isCopy else { return try coordinator.withLock(runSteps) }
        let reader = NSManagedObjectContext(.privateQueue)
        reader.generation = QueryGeneration(coordinator, of: [source])
        defer {
            reader.generation = nil
            coordinator.withLock { coordinator.releaseUnusedSnapshots() }
        }
        return try coordinator.withRequester(reader, body: runSteps)
    }

    private func runSteps() throws -> [TransferredEntity] {
        if mark.shifts.isEmpty { try chooseKeys() }
        for entity in entities {
            if let root = entity.modelRuntime.runtimes.first(where: { $0.number == entity.rootNumber }) {
                shifts.set(mark.shifts[root.name] ?? 0, ofRoot: root.number)
            }
        }
        while mark.step < steps.count {
            try run(steps[mark.step])
            (mark.step, mark.done, mark.last) = (mark.step + 1, 0, 0)
        }
        let compared = try compare()
        try finish()
        return compared
    }

    // MARK: Beginning and end

    private func requireEmpty() throws {
        let count = try coordinator.withLock {
            try entities.reduce(0) { try $0 + target.fetchCount(exactly($1)) }
        }
        if count > 0 { throw failure("The store already holds objects.", store: target) }
    }

    private func requireSource() throws {
        if isCopy || mark.isCopy {
            throw failure("A copy into the store was begun, and can't be gone on with.", store: target)
        }
        if mark.source != source.identifier {
            throw failure("Another store's objects were begun to be moved into the store.", store: target)
        }
    }

    private func failure(_ reason: String, store: NSPersistentStore) -> NSError {
        CoreDataError.make(
            NSPersistentStoreOperationError, description: "The persistent store couldn't be moved.",
            file: store.url,
            reason: reason)
    }

    private func chooseKeys() throws {
        for root in Set(entities.map(\.rootNumber)).sorted() {
            let entity = coordinator.runtime.entities[root]
            var fetch = StoreFetch(entity: entity)
            fetch.sortKeys = [SortKey("objectID", ascending: false)]
            fetch.limit = 1
            let last = try source.fetchKeys(fetch).primaryKeys.first ?? 0
            guard last > 0, let count = Int(exactly: last), !target.learnsKeys else {
                mark.shifts[entity.name] = 0
                continue
            }
            let keys = try target.allocateKeys(root: entity, count: count)
            mark.shifts[entity.name] = keys.lowerBound - 1
        }
        try write(StoreChanges())
    }

    /// The mark goes, and what clients put into the source's metadata comes.
    private func finish() throws {
        var metadata: [String: Any] = target.metadata ?? [:]
        metadata[TransferMark.key] = nil
        target.metadata = metadata
        target.takeClientMetadata(of: source)
        try target.takeCopies { _ in }
    }

    /// Writes a page, and the mark with it.
    private func write(_ changes: StoreChanges) throws {
        var metadata: [String: Any] = target.metadata ?? [:]
        metadata[TransferMark.key] = mark.propertyList
        target.metadata = metadata
        do {
            try target.takeCopies { write in if !changes.isEmpty { try write(changes) } }
        } catch let conflict as StoreConstraintConflict {
            throw NSMergePolicy.error([], of: SaveConstraintConflict(conflict, in: target))
        }
    }

    private func exactly(_ entity: ManagedEntity) -> StoreFetch {
        var fetch = StoreFetch(entity: entity)
        fetch.includesSubentities = false
        return fetch
    }

    // MARK: Steps

    private func run(_ step: TransferStep) throws {
        let total = try source.fetchCount(exactly(step.entity))
        var pages = try SortedKeys(of: step.entity, in: source, after: mark.done, last: mark.last)
        while let keys = try pages.next(Self.pageSize) {
            mark.done += keys.count
            mark.last = keys.last ?? 0
            try copy(keys, step: step)
            try progress(
                TransferProgress(step: step.words, entity: step.entity.name, done: mark.done, total: total))
        }
    }

    private func copy(_ keys: [Int64], step: TransferStep) throws {
        switch step.kind {
        case .members(let relation):
            try write(shifts.memberChanges(relation, of: step.entity, sources: keys, in: source))
        case .rows: try copyRows(keys, step: step) { insertion($0, changes: &$1, step: step) }
        case .links: try copyRows(keys, step: step) { update($0, changes: &$1, step: step) }
        }
    }

    private typealias RowWords = UnsafeMutablePointer<UInt64>

    private func copyRows(
        _ keys: [Int64], step: TransferStep, add: (StoreChanges.Row, inout StoreChanges) -> Void
    ) throws {
        let entity = step.entity
        var owned: [RowWords] = []
        defer { for words in owned { OwnedRow.destroy(words, layout: entity.layout) } }
        var changes = StoreChanges()
        var count = 0
        try source.fetchRows(entity: entity, primaryKeys: keys) { slab in
            for number in 0..<slab.count {
                let words = shifts.shifted(slab.row(number), entity: entity)
                owned.append(words)
                let row = StoreChanges.Row(
                    entity: entity, primaryKey: slab.primaryKeys[number] + shifts[entity],
                    row: RowPointer(words, slab: slab), newVersion: max(1, Int64(bitPattern: words[0])))
                add(row, &changes)
                count += 1
            }
        }
        if count != keys.count { throw failure("Rows were deleted while they were moved.", store: source) }
        try write(changes)
    }

    private func insertion(
        _ row: StoreChanges.Row, changes: inout StoreChanges, step: TransferStep
    ) {
        for number in step.late { SlotValue.clear(step.entity.layout.slots[number], in: row.row.words) }
        changes.inserted.append(row)
    }

    private func update(_ row: StoreChanges.Row, changes: inout StoreChanges, step: TransferStep) {
        let slots = step.entity.layout.slots
        if step.late.allSatisfy({ row.row.isNull(slots[$0].index) }) { return }
        changes.updated.append(
            StoreChanges.Row(
                entity: row.entity, primaryKey: row.primaryKey, row: row.row, changedSlots: step.late,
                expectedVersion: row.newVersion, newVersion: RowVersion.next(after: row.newVersion)))
    }

    // MARK: Comparing

    /// Throws for the first entity that isn't the same in both stores.
    private func compare() throws -> [TransferredEntity] {
        try entities.filter { !$0.isAbstract }.sorted { $0.name < $1.name }.map { entity in
            let sums = try [(source, KeyShift()), (target, shifts)].map { store, shifts in
                var sums = RowChecksums(of: entity, in: store, shifts)
                try sums.addAll { done, total in
                    try progress(
                        TransferProgress(step: "comparing", entity: entity.name, done: done, total: total))
                }
                return sums
            }
            if let difference = sums[0].difference(from: sums[1]) { throw failure(difference, store: target) }
            return TransferredEntity(name: entity.name, count: sums[0].count, checksum: sums[0].checksum)
        }
    }
}

/// The rows of an entity itself, which are the same in two stores.
package struct TransferredEntity: Sendable {
    package let name: String
    package let count: Int
    /// The sum of all values and relationships. Not the same in another process.
    package let checksum: UInt64
}

extension TransferStep {
    fileprivate var words: String {
        switch kind {
        case .rows: "copying"
        case .links: "connecting"
        case .members(let relation): "connecting \(relation.name) of"
        }
    }
}

extension NSPersistentStoreCoordinator {
    /// Returns whether metadata are those of a store that rows are being moved into.
    package class func isTransferBegun(_ metadata: [String: Any]) -> Bool { TransferMark(metadata) != nil }

    /// Returns whether metadata are those of a store into which another one was begun to be copied.
    package class func isCopyBegun(_ metadata: [String: Any]) -> Bool {
        TransferMark(metadata)?.isCopy == true
    }
}
