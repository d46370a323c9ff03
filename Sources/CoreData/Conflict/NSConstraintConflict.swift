// Objects with the same values where the model says that they must differ.

import CoreDataSchema
public import Foundation

/// Objects that violate one uniqueness constraint with one combination of values.
///
/// Snapshots hold attributes and to-one relationships, these as object IDs, and `NSNull` for nil.
open class NSConstraintConflict: NSObject {
    /// The names of the properties whose values must be unique together.
    public final let constraint: [String]
    /// The values that are not unique, by property.
    public final let constraintValues: [String: Any]
    /// The object whose row in the store has the values; `nil` if only unsaved objects are in conflict.
    public final let databaseObject: NSManagedObject?
    /// The values of that row.
    public final let databaseSnapshot: [String: Any]?
    /// The objects of the save that have the values: at least one beside a database object, else at least two.
    public final let conflictingObjects: [NSManagedObject]
    /// The values of each of those objects.
    public final let conflictingSnapshots: [[AnyHashable: Any]]

    /// The database object's row, if whoever found the conflict has read it.
    final let databaseRow: RowSlab?

    /// States a conflict, as a store does that finds one in a save request.
    ///
    /// - Parameters:
    ///   - contraint: the names of the properties whose values must be unique together.
    ///   - databaseObject: the object of the row that has the values in the store, if one has.
    ///   - databaseSnapshot: that row's values by key.
    ///   - conflictingObjects: the objects that have the same values.
    ///   - conflictingSnapshots: the values of each of those objects, by key.
    public convenience init(
        constraint contraint: [String], database databaseObject: NSManagedObject?,
        databaseSnapshot: [AnyHashable: Any]?, conflicting conflictingObjects: [NSManagedObject],
        conflictingSnapshots: [Any]
    ) {
        self.init(
            contraint, databaseObject: databaseObject, databaseSnapshot: databaseSnapshot.map(Self.byName),
            conflictingObjects: conflictingObjects,
            conflictingSnapshots: conflictingSnapshots.map { $0 as? [AnyHashable: Any] ?? [:] },
            databaseRow: nil)
    }

    init(
        _ constraint: [String], databaseObject: NSManagedObject?, databaseSnapshot: [String: Any]?,
        conflictingObjects: [NSManagedObject], conflictingSnapshots: [[AnyHashable: Any]],
        databaseRow: RowSlab?
    ) {
        self.constraint = constraint
        self.databaseObject = databaseObject
        self.databaseSnapshot = databaseSnapshot
        self.conflictingObjects = conflictingObjects
        self.conflictingSnapshots = conflictingSnapshots
        self.databaseRow = databaseRow
        let known = conflictingSnapshots.first.map(Self.byName) ?? databaseSnapshot ?? [:]
        var values: [String: Any] = [:]
        for name in constraint {
            values[name] =
                known[name] ?? CompositeElements.value(at: CompositeElements.path(name), in: known)
        }
        constraintValues = values
        super.init()
    }

    private static func byName(_ snapshot: [AnyHashable: Any]) -> [String: Any] {
        Dictionary(
            snapshot.compactMap { key, value in (key.base as? String).map { ($0, value) } },
            uniquingKeysWith: { first, _ in first })
    }

    open override var description: String {
        let row = databaseObject.map { " and the store's \($0.objectID)" } ?? ""
        return "<NSConstraintConflict over (\(constraint.joined(separator: ", "))) of "
            + conflictingObjects.map { "\($0.objectID)" }.joined(separator: ", ") + row + ">"
    }
}
