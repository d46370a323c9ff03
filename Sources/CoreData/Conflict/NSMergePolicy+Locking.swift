// The standard policies' resolution of rows that changed behind a context's back.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension NSMergePolicy {
    /// Merges the rows as the type says; with the error type, throws.
    final func resolveLocking(_ conflicts: [NSMergeConflict]) throws {
        if conflicts.isEmpty { return }
        if mergeType == .errorMergePolicyType { throw Self.error(conflicts) }
        for conflict in conflicts where conflict.sourceObject.managedObjectContext != nil {
            let object = conflict.sourceObject
            guard let slab = try conflict.currentRow() else {
                try resolveMissing(conflict)
                continue
            }
            // A deletion stands, unless the policy gives everything up.
            if object.state.isDeleted && mergeType != .rollbackMergePolicyType {
                object.takeRowOfDeleted(slab)
            } else {
                object.merge(slab, as: mergeType)
            }
        }
    }

    /// The row is gone. A deletion has nothing left to do; a change yields to the store, or the object is saved anew.
    /// An object that a parent context deleted stays deleted.
    private final func resolveMissing(_ conflict: NSMergeConflict) throws {
        let object = conflict.sourceObject
        let yields =
            mergeType == .rollbackMergePolicyType || mergeType == .mergeByPropertyStoreTrumpMergePolicyType
        if yields || object.state.isDeleted || !object.state.hasChanges {
            object.vanish()
        } else if object.managedObjectContext?.parentContext != nil {
            throw Self.error([conflict])
        } else {
            object.resurrect()
        }
    }

    /// The error that a save fails with.
    static func error(_ conflicts: [NSMergeConflict]) -> NSError {
        CoreDataError.make(
            NSManagedObjectMergeError, description: "Could not merge changes.",
            userInfo: [
                NSPersistentStoreSaveConflictsErrorKey: conflicts,
                NSAffectedObjectsErrorKey: conflicts.map(\.sourceObject),
            ])
    }

    /// The error that a save fails with, or a copy of a store, which has no objects.
    static func error(
        _ conflicts: [NSConstraintConflict], of found: SaveConstraintConflict? = nil
    ) -> NSError {
        let first = found?.violations.first
        let constraint = first?.constraint ?? conflicts.first?.constraint ?? []
        var userInfo: [String: Any] = ["constraint": constraint]
        userInfo[CoreDataError.Key.entity] = first?.owner.name
        userInfo[CoreDataError.Key.property] = constraint.first
        userInfo[NSFilePathErrorKey] = found?.store.url?.path
        userInfo[NSURLErrorKey] = found?.store.url
        userInfo[NSPersistentStoreSaveConflictsErrorKey] = conflicts
        userInfo[NSAffectedObjectsErrorKey] = conflicts.flatMap(\.conflictingObjects)
        return CoreDataError.make(
            NSManagedObjectConstraintMergeError,
            description:
                "Several objects have the same values for \(constraint.joined(separator: ", ")), which must be "
                + "unique.", userInfo: userInfo)
    }
}
