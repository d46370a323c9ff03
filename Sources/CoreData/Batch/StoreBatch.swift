// What a batch request asks of one store, and what the store answers.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import Foundation

/// A batch of work on one store.
protocol StoreBatch {
    /// Whether the answer needs keys, and not only their number.
    var collectsKeys: Bool { get }

    /// The batch's part in its caller's progress, by which it can be cancelled.
    var progress: BatchProgress { get }

    /// Does the work in a file, inside a transaction of the caller's, and notes what changed for the history that the
    /// file keeps, if it does.
    func run(on file: SQLiteFile, _ store: SQLiteStore, _ history: HistoryRecorder?) throws -> BatchChanges

    /// Works out what is to change among rows in memory.
    func changes(in rows: MemoryRows) throws -> (changes: MemoryBatch, answer: BatchChanges)
}

/// Rows that a batch changed: their number, and their keys where the batch collects them.
struct BatchChanges {
    /// A row by the number of its entity (`EntityRuntime.number`).
    struct Key: Hashable {
        let entity: Int32
        let primaryKey: Int64

        init(_ entity: EntityRuntime, _ primaryKey: Int64) {
            self.entity = Int32(entity.number)
            self.primaryKey = primaryKey
        }
    }

    /// All rows that the request is about; of an insert, all of its own that are written somewhere.
    var count = 0
    var inserted: [Key] = []
    var updated: [Key] = []
    var deleted: [Key] = []

    /// The rows as a result gives them: each once, though a batch may have written one again and again.
    func objectIDs(in store: NSPersistentStore, _ model: ModelRuntime) -> [NSManagedObjectID] {
        var seen = updated.isEmpty ? [] : Set(inserted)
        let others = updated.filter { seen.insert($0).inserted }
        return (inserted + others + deleted).map {
            NSManagedObjectID(model.runtimes[Int($0.entity)], primaryKey: $0.primaryKey, store: store)
        }
    }
}

/// Rows to insert.
struct BatchInsert: StoreBatch {
    /// What becomes of a row whose unique values another row has.
    enum Conflicts {
        /// The request fails.
        case refused
        /// The row that is there gets the values that the new one states; or all.
        case update(whole: Bool)
        /// The new row is left out.
        case skip

        /// Whether it matters which values a new row states.
        var needStated: Bool {
            if case .update(whole: false) = self { return true }
            return false
        }

        init(_ policy: NSMergePolicyType) {
            self =
                switch policy {
                case .errorMergePolicyType: .refused
                case .mergeByPropertyObjectTrumpMergePolicyType: .update(whole: false)
                case .overwriteMergePolicyType: .update(whole: true)
                case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: .skip
                }
        }
    }

    let entity: EntityRuntime
    let source: any BatchRowSource
    let conflicts: Conflicts
    let collectsKeys: Bool
    let progress: BatchProgress
}

/// New values for the rows that a fetch finds.
struct BatchUpdate: StoreBatch {
    let fetch: StoreFetch
    let values: BatchValues
    let collectsKeys: Bool
    let progress: BatchProgress
}

/// Rows to delete: those that a fetch finds, or those with given keys.
struct BatchDelete: StoreBatch {
    let fetch: StoreFetch
    let primaryKeys: [Int64]?
    let collectsKeys: Bool
    let progress: BatchProgress
}

/// A batch's part in the progress that was current when it began.
struct BatchProgress {
    private let progress: Progress?

    /// `total` is negative where nobody knows how much there is to do.
    init(total: Int = -1) {
        progress = Progress.current() == nil ? nil : Progress(totalUnitCount: Int64(total))
    }

    /// Asks a store so that cancelling stops it. The store looks for itself: a progress tells of its cancelling on a thread
    /// that may have to wait.
    func asking<Result>(_ store: NSPersistentStore, _ body: () throws -> Result) throws -> Result {
        guard let progress else { return try body() }
        do {
            try check()
            return try store.stopping(when: { progress.isCancelled }, body)
        } catch {
            try check()
            throw error
        }
    }

    func advance(by rows: Int) {
        progress?.completedUnitCount += Int64(rows)
    }

    /// Throws if somebody has cancelled.
    func check() throws {
        if progress?.isCancelled == true { throw CocoaError(.userCancelled) }
    }

    /// Ends a batch of so many rows, if nobody knew how many there would be.
    func finish(_ rows: Int) {
        guard let progress, progress.totalUnitCount <= 0 else { return }
        progress.totalUnitCount = max(1, progress.completedUnitCount, Int64(rows))
        progress.completedUnitCount = progress.totalUnitCount
    }
}
