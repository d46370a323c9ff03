// The writer of a row: this coordinator, or somebody else with the same file.

package import CoreDataSchema
import Foundation

/// The rows that a store changed lately, each with the version that it got.
package struct RecentWrites {
    private struct Write {
        let root: Int
        let primaryKey: Int64
        /// 0 for a deletion.
        let version: Int64
    }

    private static let capacity = 4096
    private var writes: ContiguousArray<Write> = []
    private var next = 0

    package init() {}

    /// Remembers a save; of one that is too large, nothing.
    package mutating func note(_ changes: StoreChanges) {
        if changes.updated.count + changes.deleted.count > Self.capacity { return }
        for row in changes.updated {
            add(Write(root: row.entity.rootNumber, primaryKey: row.primaryKey, version: row.newVersion))
        }
        for row in changes.deleted {
            add(Write(root: row.entity.rootNumber, primaryKey: row.primaryKey, version: 0))
        }
    }

    private mutating func add(_ write: Write) {
        if writes.count < Self.capacity {
            writes.append(write)
        } else {
            writes[next] = write
            next = (next + 1) % Self.capacity
        }
    }

    /// Returns whether the row got this version here; 0 asks for its deletion.
    package func contains(_ entity: EntityRuntime, primaryKey: Int64, version: Int64) -> Bool {
        writes.contains {
            $0.primaryKey == primaryKey && $0.version == version && $0.root == entity.rootNumber
        }
    }
}
