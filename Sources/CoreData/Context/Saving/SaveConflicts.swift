// The conflicts that keep a save from being written, with the objects that they concern.

import CoreDataSchema
import CoreDataStores

/// Rows that aren't as the context saw them.
///
/// Unchecked because it goes no further than the save of the context whose objects it names.
struct SaveConflict: Error, @unchecked Sendable {
    let rows: [(row: StoreConflict.Row, object: NSManagedObject?)]

    init(_ conflict: StoreConflict, objects: SavedObjects) {
        rows = conflict.rows.map { ($0, objects[$0.key]) }
    }

    /// A conflict of rows whose objects the context that saves has yet to find.
    init(_ rows: [StoreConflict.Row]) {
        self.rows = rows.map { ($0, nil) }
    }
}

/// Values that must be unique and aren't.
///
/// Unchecked because it goes no further than the save of the context whose objects it names.
struct SaveConstraintConflict: Error, @unchecked Sendable {
    struct Violation {
        let constraint: [String]
        /// The entity that states the constraint.
        let owner: EntityRuntime
        /// The row that has the values, in a slab of its own; `nil` if only the save's objects have them.
        let database: RowSlab?
        /// The objects of the save that have the values.
        let objects: [NSManagedObject]
    }

    let store: NSPersistentStore
    let violations: [Violation]

    init(_ conflict: StoreConstraintConflict, in store: NSPersistentStore, objects: SavedObjects? = nil) {
        self.store = store
        violations = conflict.violations.map { found in
            Violation(
                constraint: found.constraint, owner: found.owner, database: found.database,
                objects: found.rows.compactMap { objects?[$0] })
        }
    }
}
