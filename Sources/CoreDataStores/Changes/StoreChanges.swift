// One save, as a store sees it: rows, not objects.

package import CoreDataSchema
import Foundation

/// Everything that one save writes to one store. Keys are final; no word refers to a temporary key.
package struct StoreChanges {
    /// A row to insert or update. The row stays owned by its object for the time of the save; values of
    /// transformable attributes have their bytes already.
    package struct Row {
        // Not retained, for each of many rows: the model outlives the save.
        private let reference: Unmanaged<EntityRuntime>
        package var entity: EntityRuntime { reference._withUnsafeGuaranteedRef { $0 } }
        package let primaryKey: Int64
        package let row: RowPointer
        /// For updates: numbers of the slots that changed, in `entity.layout.slots`.
        package var changedSlots: [Int] = []
        /// For updates and deletes: the version that the context last saw; `RowVersion.any` for the deletion of a
        /// fault whose row nobody read. For inserts: 0, or the version of a row that another writer deleted and that is
        /// written anew.
        package var expectedVersion: Int64 = 0
        /// The version to write.
        package var newVersion: Int64 = 1

        package init(
            entity: EntityRuntime, primaryKey: Int64, row: RowPointer, changedSlots: [Int] = [],
            expectedVersion: Int64 = 0, newVersion: Int64 = 1
        ) {
            self.init(
                entity: Unmanaged.passUnretained(entity), primaryKey: primaryKey, row: row,
                changedSlots: changedSlots, expectedVersion: expectedVersion, newVersion: newVersion)
        }

        /// The row of an entity that somebody holds until the save is over.
        @inline(__always)
        package init<Entity: EntityRuntime>(
            entity: Unmanaged<Entity>, primaryKey: Int64, row: RowPointer, changedSlots: [Int] = [],
            expectedVersion: Int64 = 0, newVersion: Int64 = 1
        ) {
            reference = Unmanaged.fromOpaque(entity.toOpaque())
            self.primaryKey = primaryKey
            self.row = row
            self.changedSlots = changedSlots
            self.expectedVersion = expectedVersion
            self.newVersion = newVersion
        }

        /// Returns whether two rows are of one entity.
        package func isBeside(_ other: Row) -> Bool { reference.toOpaque() == other.reference.toOpaque() }
    }

    /// A change of a many-to-many relationship, stated once, from one of its two sides.
    package struct Join {
        package let entity: EntityRuntime
        package let relation: RelationRuntime
        package let source: Int64
        package var added: [Int64] = []
        package var removed: [Int64] = []
        /// The whole new order of an ordered relationship, `nil` if unordered or unchanged.
        package var order: [Int64]?

        package init(
            entity: EntityRuntime, relation: RelationRuntime, source: Int64, added: [Int64] = [],
            removed: [Int64] = [], order: [Int64]? = nil
        ) {
            self.entity = entity
            self.relation = relation
            self.source = source
            self.added = added
            self.removed = removed
            self.order = order
        }
    }

    /// The new order of an ordered one-to-many relationship, whose members hold the foreign key.
    package struct Order {
        package let entity: EntityRuntime
        package let relation: RelationRuntime
        package let source: Int64
        package let order: [Int64]

        package init(entity: EntityRuntime, relation: RelationRuntime, source: Int64, order: [Int64]) {
            self.entity = entity
            self.relation = relation
            self.source = source
            self.order = order
        }
    }

    package var inserted: [Row] = []
    package var updated: [Row] = []
    package var deleted: [Row] = []
    /// Rows that aren't written, but must have their expected versions.
    package var locked: [Row] = []
    package var joins: [Join] = []
    package var orders: [Order] = []
    /// The to-many relationships that changed, by their numbers among the entity's properties: what a history names
    /// beside the slots of updated rows.
    package var changedRelationships: [RowKey: [Int]] = [:]

    package init() {}

    package var isEmpty: Bool { writesNothing && locked.isEmpty }

    package var writesNothing: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && joins.isEmpty && orders.isEmpty
    }
}

extension StoreChanges {
    /// The rows that are written anew after another writer deleted them: by now somebody else may have done so too.
    package var insertedAnew: [Row] { inserted.filter { $0.expectedVersion != 0 } }
}

extension StoreChanges.Row {
    package var key: RowKey { RowKey(entity, primaryKey: primaryKey) }
}
