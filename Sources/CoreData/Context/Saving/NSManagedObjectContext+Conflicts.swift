// Between what a store finds in a save and the merge policy that has to settle it.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// The attempts of a save so far.
struct ConflictAttempts {
    /// A save that keeps meeting conflicts gives up after this many. Each round means that another writer was faster.
    static let limit = 10_000

    var count = 0
    /// The combinations of values that weren't unique in the round before.
    var constraints: Set<String> = []
}

extension NSManagedObjectContext {
    final func checkMergePolicy() {
        if mergePolicy is NSMergePolicy { return }
        raise(.invalidArgument, "\(type(of: mergePolicy)) can't be a merge policy: it is no NSMergePolicy")
    }

    final func checkConflicts(of object: NSManagedObject) {
        guard object.registry === registry else {
            raise(.invalidArgument, "\(object) belongs to another context")
        }
        if !saving.conflictChecked.contains(where: { $0 === object }) {
            saving.conflictChecked.append(object)
        }
    }

    /// The objects that a save only checks.
    final var lockedObjects: [NSManagedObject] {
        saving.conflictChecked.filter {
            $0.registry === registry && $0.primaryKey > 0 && $0.committed != nil && !$0.isPendingForSave
                && !$0.state.isGone && !$0.state.isNew
        }
    }

    /// Lets the merge policy settle what a store found, so that the save can be tried again. Throws what the policy
    /// throws, and the error itself if it is no conflict. Its changes aren't a user's, so they can't be
    /// undone.
    final func resolve(_ error: any Error, attempts: inout ConflictAttempts) throws {
        attempts.count += 1
        let manager = undoRecorder?.manager
        manager?.disableUndoRegistration()
        undoRecorder?.noteNewerRows()
        delivery.begin()
        defer {
            delivery.end()
            manager?.enableUndoRegistration()
        }
        let policy = mergePolicy as? NSMergePolicy ?? .error
        switch error {
        case let conflict as SaveConflict:
            let conflicts = conflict.rows.compactMap(mergeConflict)
            try resolve(conflicts, policy: policy, attempts: attempts)
        case let conflict as SaveConstraintConflict:
            let conflicts = conflict.violations.map { constraintConflict($0, store: conflict.store) }
            try resolve(conflicts, policy: policy, found: conflict, attempts: &attempts)
        default:
            try resolveStated(error, policy: policy, attempts: attempts)
        }
        processChanges()
        leaveOutDeletedElsewhere()
    }

    // MARK: Changed rows

    private final func mergeConflict(_ row: StoreConflict.Row, known: NSManagedObject?) -> NSMergeConflict? {
        let named =
            known ?? changes.changed.first { $0.primaryKey == row.primaryKey && $0.runtime === row.entity }
        guard let object = named else { return nil }
        let current = row.current.flatMap { $0.count > 0 ? $0 : nil }
        let isAnew = current != nil && object.rediscover()
        let values = current.map { object.snapshot(of: RowPointer($0.row(0), slab: $0)) }
        let known = object.committed.map { object.snapshot(of: RowPointer($0, slab: object.slab)) }
        return NSMergeConflict(
            object, newVersion: current.map { Int(Int64(bitPattern: $0.row(0)[0])) } ?? 0,
            oldVersion: Int(isAnew ? object.committedVersion : row.expectedVersion),
            cached: row.isOwn ? values : known,
            persisted: row.isOwn ? nil : values, current: current)
    }

    private final func resolve(
        _ conflicts: [NSMergeConflict], policy: NSMergePolicy, attempts: ConflictAttempts
    ) throws {
        if conflicts.isEmpty || attempts.count > ConflictAttempts.limit {
            throw NSMergePolicy.error(conflicts)
        }
        let before = type(of: policy) == NSMergePolicy.self ? [] : conflicts.map(\.sourceObject.copyOfRow)
        try policy.resolve(optimisticLockingConflicts: conflicts)
        // A conflict that a client's policy left open keeps the objects' present values,
        // over the rows as they are.
        for (conflict, kept) in zip(conflicts, before) where conflict.isOpen {
            guard let slab = try conflict.currentRow() else {
                guard conflict.sourceObject.isDeleted else { throw NSMergePolicy.error([conflict]) }
                conflict.sourceObject.vanish()
                continue
            }
            conflict.sourceObject.rebase(on: slab, keeping: kept)
        }
        try readingNewest {
            try RelationshipAgreement(
                in: self, merged: conflicts.map(\.sourceObject), type: policy.mergeType
            ).restore()
        }
    }

    // MARK: Values that aren't unique

    private final func constraintConflict(
        _ violation: SaveConstraintConflict.Violation, store: NSPersistentStore
    ) -> NSConstraintConflict {
        var holders: [NSManagedObject] = []
        if let slab = violation.database, slab.count > 0 {
            registerRows(
                slab, store: store, entity: violation.owner.managed, into: &holders)
        }
        let snapshot = violation.database.flatMap { slab in
            holders.first?.snapshot(of: RowPointer(slab.row(0), slab: slab))
        }
        return NSConstraintConflict(
            violation.constraint, databaseObject: holders.first, databaseSnapshot: snapshot,
            conflictingObjects: violation.objects,
            conflictingSnapshots: violation.objects.map { $0.snapshot(violating: violation.constraint) },
            databaseRow: violation.database)
    }

    private final func resolve(
        _ conflicts: [NSConstraintConflict], policy: NSMergePolicy, found: SaveConstraintConflict,
        attempts: inout ConflictAttempts
    ) throws {
        // A policy that changes nothing must not be asked for ever.
        let names = Set(conflicts.map(\.identification))
        if !names.isDisjoint(with: attempts.constraints) || attempts.count > ConflictAttempts.limit {
            throw NSMergePolicy.error(conflicts, of: found)
        }
        attempts.constraints = names
        if policy.mergeType == .errorMergePolicyType, type(of: policy) == NSMergePolicy.self {
            throw NSMergePolicy.error(conflicts, of: found)
        }
        try policy.resolve(constraintConflicts: conflicts)
    }

    // MARK: Conflicts that a client's store states

    /// An incremental store reports conflicts by an error whose user info lists them under `conflictList`.
    /// Throws an error that is no conflict as it is: one of a client's own type would come back as another from `NSError`.
    private final func resolveStated(
        _ failure: any Error, policy: NSMergePolicy, attempts: ConflictAttempts
    ) throws {
        let error = failure as NSError
        let list = error.userInfo[NSPersistentStoreSaveConflictsErrorKey]
        guard error.domain == NSCocoaErrorDomain, attempts.count <= ConflictAttempts.limit else {
            throw failure
        }
        if let conflicts = list as? [NSMergeConflict], !conflicts.isEmpty,
            error.code == NSManagedObjectMergeError || error.code == NSPersistentStoreSaveConflictsError
        {
            return try resolve(conflicts, policy: policy, attempts: attempts)
        }
        if let conflicts = list as? [NSConstraintConflict], !conflicts.isEmpty,
            error.code == NSManagedObjectConstraintMergeError
        {
            // The store alone knows its rows: without a bound a policy could be asked for ever.
            if attempts.count > 100 { throw failure }
            return try policy.resolve(constraintConflicts: conflicts)
        }
        throw failure
    }
}

extension NSManagedObject {
    /// Returns the object's values, with the values that a constraint's derived attributes will have.
    fileprivate final func snapshot(violating constraint: [String]) -> [String: Any] {
        let pointer = RowPointer(row, slab: slab)
        var values = snapshot(of: pointer)
        for name in constraint {
            guard let slot = runtime.layout.slot(named: name),
                let derivation = OwnDerivation(slot, of: runtime)
            else { continue }
            values[name] = derivation.value(in: pointer).any ?? NSNull()
        }
        return values
    }
}

extension NSConstraintConflict {
    /// The same for the same objects with the same values.
    fileprivate final var identification: String {
        let values = constraint.map { "\(constraintValues[$0] ?? "")" }
        let objects = conflictingObjects.map { "\(ObjectIdentifier($0).hashValue)" }
        return (constraint + values + objects).joined(separator: "\u{0}")
    }
}
