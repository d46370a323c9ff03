// A batch request to one store, and the store's answer.

import CoreDataPredicate
package import CoreDataSchema
import CoreDataSupport
import Foundation

/// A batch of work on one store.
package enum StoreBatch {
    case insert(BatchInsert)
    case update(BatchUpdate)
    case delete(BatchDelete)

    /// Indicates whether the answer needs keys, and not only their number.
    package var collectsKeys: Bool {
        switch self {
        case .insert(let batch): batch.collectsKeys
        case .update(let batch): batch.collectsKeys
        case .delete(let batch): batch.collectsKeys
        }
    }

    /// The batch's part in its caller's progress, by which it can be cancelled.
    package var progress: BatchProgress {
        switch self {
        case .insert(let batch): batch.progress
        case .update(let batch): batch.progress
        case .delete(let batch): batch.progress
        }
    }
}

/// Rows that a batch changed: their number, and their keys where the batch collects them.
package struct BatchChanges {
    /// All rows that the request is about; of an insert, all of its own that are written somewhere.
    package var count = 0
    package var inserted: [RowKey] = []
    package var updated: [RowKey] = []
    package var deleted: [RowKey] = []
}

/// Rows to insert.
package struct BatchInsert {
    /// The treatment of a row whose unique values another row has.
    package enum Conflicts {
        /// The request fails.
        case refused
        /// The row that is there gets the values that the new one states; or all.
        case update(whole: Bool)
        /// The new row is left out.
        case skip

        /// Indicates whether the rows that have a new row's values matter before it is written.
        package var areLookedUp: Bool {
            if case .refused = self { return false }
            return true
        }

        /// Indicates whether it matters which values a new row states.
        package var needStated: Bool {
            if case .update(whole: false) = self { return true }
            return false
        }
    }

    package let entity: EntityRuntime
    package let source: any BatchRowSource
    package let conflicts: Conflicts
    package let collectsKeys: Bool
    package let progress: BatchProgress

    package init(
        entity: EntityRuntime, source: any BatchRowSource, conflicts: Conflicts, collectsKeys: Bool,
        progress: BatchProgress
    ) {
        self.entity = entity
        self.source = source
        self.conflicts = conflicts
        self.collectsKeys = collectsKeys
        self.progress = progress
    }
}

/// New values for the rows that a fetch finds.
package struct BatchUpdate {
    package let fetch: StoreFetch
    package let values: BatchValues
    package let collectsKeys: Bool
    package let progress: BatchProgress

    package init(fetch: StoreFetch, values: BatchValues, collectsKeys: Bool, progress: BatchProgress) {
        self.fetch = fetch
        self.values = values
        self.collectsKeys = collectsKeys
        self.progress = progress
    }
}

/// Rows to delete: those that a fetch finds, or those with given keys.
package struct BatchDelete {
    package let fetch: StoreFetch
    package let primaryKeys: [Int64]?
    package let collectsKeys: Bool
    package let progress: BatchProgress

    package init(fetch: StoreFetch, primaryKeys: [Int64]?, collectsKeys: Bool, progress: BatchProgress) {
        self.fetch = fetch
        self.primaryKeys = primaryKeys
        self.collectsKeys = collectsKeys
        self.progress = progress
    }
}

/// A batch's part in the progress that was current when it began.
package struct BatchProgress {
    private let progress: Progress?

    /// `total` is negative where nobody knows how much there is to do.
    package init(total: Int = -1) {
        progress = Progress.current() == nil ? nil : Progress(totalUnitCount: Int64(total))
    }

    /// A closure that returns whether somebody has cancelled; `nil` if nobody can.
    package var isCancelled: (() -> Bool)? {
        progress.map { progress in { progress.isCancelled } }
    }

    package func advance(by rows: Int) {
        progress?.completedUnitCount += Int64(rows)
    }

    /// Throws if somebody has cancelled.
    package func check() throws {
        if progress?.isCancelled == true { throw CocoaError(.userCancelled) }
    }

    /// Ends a batch of so many rows, if nobody knew how many there would be.
    package func finish(_ rows: Int) {
        guard let progress, progress.totalUnitCount <= 0 else { return }
        progress.totalUnitCount = max(1, progress.completedUnitCount, Int64(rows))
        progress.completedUnitCount = progress.totalUnitCount
    }
}
