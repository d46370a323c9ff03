// One save, as a store sees it: rows, not objects.

import CoreDataSchema
import Foundation

/// Everything that one save writes to one store. Keys are final; no word refers to a temporary key.
struct StoreChanges {
    /// A row to insert or update. The row stays owned by its object for the time of the save; values of
    /// transformable attributes have their bytes already.
    struct Row {
        // Neither is retained, for each of many rows: the model outlives the save, and the context holds the objects.
        unowned(unsafe) let entity: EntityRuntime
        let primaryKey: Int64
        let row: RowPointer
        /// For updates: numbers of the slots that changed, in `entity.layout.slots`.
        var changedSlots: [Int] = []
        /// For updates and deletes: the version that the context last saw; `RowVersion.any` for the deletion of a
        /// fault whose row nobody read.
        var expectedVersion: Int64 = 0
        /// The version to write.
        var newVersion: Int64 = 1
        /// The object itself, for stores of clients' classes.
        unowned(unsafe) var object: NSManagedObject?
    }

    /// A change of a many-to-many relationship, stated once, from one of its two sides.
    struct Join {
        let entity: EntityRuntime
        let relation: RelationRuntime
        let source: Int64
        var added: [Int64] = []
        var removed: [Int64] = []
        /// The whole new order of an ordered relationship, `nil` if unordered or unchanged.
        var order: [Int64]?
    }

    /// The new order of an ordered one-to-many relationship, whose members hold the foreign key.
    struct Order {
        let entity: EntityRuntime
        let relation: RelationRuntime
        let source: Int64
        let order: [Int64]
    }

    var inserted: [Row] = []
    var updated: [Row] = []
    var deleted: [Row] = []
    /// Rows that aren't written, but must have their expected versions.
    var locked: [Row] = []
    var joins: [Join] = []
    var orders: [Order] = []

    var isEmpty: Bool { writesNothing && locked.isEmpty }

    var writesNothing: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && joins.isEmpty && orders.isEmpty
    }
}

/// A row that another writer changed or removed since the context read it.
///
/// Unchecked because it goes no further than the save of the context whose objects it names.
struct StoreConflict: Error, @unchecked Sendable {
    struct Row {
        let entity: EntityRuntime
        let primaryKey: Int64
        let expectedVersion: Int64
        /// What the store holds now; `nil` if the row is gone.
        let current: RowSlab?
        /// Whether this coordinator wrote it.
        let isOwn: Bool
        let object: NSManagedObject?

        init(_ change: StoreChanges.Row, current: RowSlab?, isOwn: Bool) {
            entity = change.entity
            primaryKey = change.primaryKey
            expectedVersion = change.expectedVersion
            self.current = current
            self.isOwn = isOwn
            object = change.object
        }

        /// A conflict that doesn't name the object.
        init(entity: EntityRuntime, primaryKey: Int64, expectedVersion: Int64, current: RowSlab?) {
            self.entity = entity
            self.primaryKey = primaryKey
            self.expectedVersion = expectedVersion
            self.current = current
            isOwn = true
            object = nil
        }
    }

    var rows: [Row]
}
