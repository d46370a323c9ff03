// Rows that another writer changed since the context read them.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    /// A save that keeps meeting new conflicts gives up after this many tries.
    private static var conflictLimit: Int { 16 }

    /// Changes the objects as the merge policy says, so that the save can be tried again; throws otherwise.
    final func resolve(_ conflict: StoreConflict, attempts: Int) throws {
        let policy = (mergePolicy as? NSMergePolicy)?.mergeType ?? .errorMergePolicyType
        if policy == .errorMergePolicyType || attempts > Self.conflictLimit { throw error(for: conflict) }
        for row in conflict.rows {
            guard
                let object = changed.first(where: {
                    $0.primaryKey == row.primaryKey && $0.runtime === row.entity
                })
            else { throw error(for: conflict) }
            guard let slab = row.current, slab.count > 0 else {
                try resolveMissing(object, policy, conflict)
                continue
            }
            if object.state.contains(.deleted) {
                if policy == .rollbackMergePolicyType { undelete(object) }
                object.committed?[0] = slab.row(0)[0]
                continue
            }
            switch policy {
            case .rollbackMergePolicyType: rollBack(object, to: slab)
            case .mergeByPropertyStoreTrumpMergePolicyType: object.mergeStoreTrump(slab)
            case .overwriteMergePolicyType: object.overwrite(slab)
            default: object.replaceCommitted(slab, row: 0, keepingChanges: true)
            }
            object.awake(fromSnapshotEvents: .mergePolicy)
        }
    }

    private final func resolveMissing(
        _ object: NSManagedObject, _ policy: NSMergePolicyType, _ conflict: StoreConflict
    ) throws {
        // A row that is gone can't take a change; a deletion of it has nothing left to do.
        let yields = policy == .rollbackMergePolicyType || policy == .mergeByPropertyStoreTrumpMergePolicyType
        guard yields || object.state.contains(.deleted) else { throw error(for: conflict) }
        registry.unregister(object, table: Int(object.table), primaryKey: object.primaryKey)
        object.state.insert([.deleted, .gone])
        object.state.subtract([.updated])
    }

    private final func rollBack(_ object: NSManagedObject, to slab: RowSlab) {
        object.replaceCommitted(slab, row: 0, keepingChanges: false)
        for case let members as ToMany in object.extras?.relations ?? [] { members.revert() }
        object.extras?.forgetToOnes()
        object.state.subtract([.updated, .listed])
    }

    private final func undelete(_ object: NSManagedObject) {
        object.state.subtract([.deleted, .propagated, .listed])
    }

    private final func error(for conflict: StoreConflict) -> NSError {
        let conflicts = conflict.rows.compactMap { row -> NSMergeConflict? in
            guard
                let object = changed.first(where: {
                    $0.primaryKey == row.primaryKey && $0.runtime === row.entity
                })
            else { return nil }
            return NSMergeConflict(
                source: object, newVersion: row.current.map { Int($0.row(0)[0]) } ?? 0,
                oldVersion: Int(row.expectedVersion), cachedSnapshot: nil,
                persistedSnapshot: row.current.map { object.snapshot(of: $0) })
        }
        return CoreDataError.make(
            NSManagedObjectMergeError, "Could not merge changes.",
            userInfo: [
                NSPersistentStoreSaveConflictsErrorKey: conflicts,
                NSAffectedObjectsErrorKey: conflicts.map(\.sourceObject),
            ])
    }
}

extension ObjectExtras {
    /// Drops cached to-one objects, so that they are found again from the row.
    func forgetToOnes() {
        for number in relations.indices where relations[number] is NSManagedObject { relations[number] = nil }
    }
}

extension NSManagedObject {
    /// Attribute values of a row of this object's entity.
    final func snapshot(of slab: RowSlab) -> [String: Any] {
        var values: [String: Any] = [:]
        let pointer = RowPointer(slab.row(0), slab: slab)
        for slot in runtime.layout.slots where !slot.isTransient && slot.destination == nil {
            values[slot.name] = SlotValue.any(slot, in: pointer) ?? NSNull()
        }
        return values
    }

    /// Takes the store's value wherever the store changed, keeps the context's elsewhere.
    final func mergeStoreTrump(_ slab: RowSlab) {
        guard state.contains(.ownsRow), let committed else {
            return replaceCommitted(slab, row: 0, keepingChanges: false)
        }
        let layout = runtime.layout
        let (mine, old) = (RowPointer(row, slab: self.slab), RowPointer(committed, slab: self.slab))
        let fresh = RowPointer(slab.row(0), slab: slab)
        let merged = OwnedRow.copy(fresh.words, layout)
        for slot in layout.slots
        where slot.isTransient
            || (!SlotValue.areEqual(slot, mine, old) && SlotValue.areEqual(slot, fresh, old))
        {
            copySlot(slot, from: mine, to: merged)
        }
        releaseRows()
        row = merged
        state.insert(.ownsRow)
        self.committed = fresh.words
        self.slab = slab
        extras?.decoded.removeAll()
        extras?.forgetToOnes()
    }

    /// Keeps every value of the context, so that columns which only the store changed are written back too.
    final func overwrite(_ slab: RowSlab) {
        let layout = runtime.layout
        let mine = RowPointer(row, slab: self.slab)
        let whole = OwnedRow.copy(slab.row(0), layout)
        for slot in layout.slots { copySlot(slot, from: mine, to: whole) }
        releaseRows()
        row = whole
        state.insert(.ownsRow)
        committed = slab.row(0)
        self.slab = slab
    }
}
