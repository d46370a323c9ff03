// A row that isn't as the save expects it.

package import CoreDataSchema

/// A row that another writer changed or removed since the context read it.
///
/// Unchecked because it goes no further than the save of the context that read the rows.
package struct StoreConflict: Error, @unchecked Sendable {
    package struct Row {
        package let entity: EntityRuntime
        package let primaryKey: Int64
        package let expectedVersion: Int64
        /// The store's present row; `nil` if the row is gone.
        package let current: RowSlab?
        /// Indicates whether this coordinator wrote it.
        package let isOwn: Bool

        package var key: RowKey { RowKey(entity, primaryKey: primaryKey) }

        package init(_ change: StoreChanges.Row, current: RowSlab?, isOwn: Bool) {
            self.init(
                entity: change.entity, primaryKey: change.primaryKey, expectedVersion: change.expectedVersion,
                current: current, isOwn: isOwn)
        }

        package init(
            entity: EntityRuntime, primaryKey: Int64, expectedVersion: Int64, current: RowSlab?,
            isOwn: Bool = true
        ) {
            self.entity = entity
            self.primaryKey = primaryKey
            self.expectedVersion = expectedVersion
            self.current = current
            self.isOwn = isOwn
        }
    }

    package var rows: [Row]

    package init(rows: [Row]) {
        self.rows = rows
    }
}
