// Back to what the store has: refresh, rollback, reset.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    final func refreshValues(of object: NSManagedObject, mergeChanges flag: Bool) {
        checkQueue()
        guard object.registry === registry else { return }
        if object.state.isNew, !flag { return forget(new: object) }
        guard object.isKnownBelow else { return }
        if undoRecorder != nil { processChanges() }
        forgetFailedReads(of: object)
        if flag && (object.state.ownsRow || object.hasChangedRelations) {
            reread(object)
        } else {
            drop(object)
        }
        changes.noteRefreshed(object)
        object.awake(fromSnapshotEvents: .refresh)
        agree(refreshed: flag ? [object] : [])
    }

    /// Makes an object a fault, without its changes.
    private final func drop(_ object: NSManagedObject) {
        let (pairs, wasDeleted) = (
            object.changedPairs, object.state.isDeleted && !object.state.isDeletedForGood
        )
        changes.dropChanges(of: object)
        object.turnIntoFault()
        object.followDropped(wasDeleted ? object.storedPairs : pairs)
    }

    final func refreshAll() {
        checkQueue()
        processChanges()
        let fresh = forgettingFailedReads(refreshRegistered)
        for object in changes.refreshed { object.awake(fromSnapshotEvents: .refresh) }
        agree(refreshed: fresh)
    }

    /// Returns the objects whose changes stayed.
    private final func refreshRegistered() -> [NSManagedObject] {
        var (dirty, gone): ([NSManagedObject], [NSManagedObject]) = ([], [])
        for object in registry.all() {
            if object.state.isInaccessible { gone.append(object) }
            if !object.isKnownBelow || object.state.isDeletedForGood { continue }
            if object.state.hasChanges && !object.isFault {
                dirty.append(object)
                continue
            }
            // A fault loses the row that a fetch left.
            if !object.isFault { changes.noteRefreshed(object) }
            object.turnIntoFault()
        }
        _ = reread(dirty)
        changes.noteRefreshed(dirty)
        // Their rows may be there again, as those are that a parent deleted and doesn't any more.
        findAgain(gone)
        return dirty
    }

    /// Gives objects that had values before a fetch the rows that it found, in its order, under their changes. This ends no event.
    /// Returns `false` if there were no changes.
    final func refresh(refetched objects: [NSManagedObject], rows slabs: [RowSlab]) -> Bool {
        var fresh: [NSManagedObject] = []
        var place = 0
        for slab in slabs {
            for row in 0..<slab.count {
                let object = objects[place]
                place += 1
                if object.isFault || object.state.isDeletedForGood { continue }
                object.takeUnderChanges(slab, row: row)
                fresh.append(object)
            }
        }
        undoRecorder?.noteNewerRows()
        if fresh.isEmpty || changes.changed.isEmpty { return false }
        RelationshipAgreement(in: self, merged: fresh, type: .mergeByPropertyObjectTrumpMergePolicyType)
            .restoreUnderChanges()
        return true
    }

    /// Puts fresh values under an object's changes. If they can't be read it keeps those that it has.
    private final func reread(_ object: NSManagedObject) {
        let slab: RowSlab?
        do {
            let store = try requiredStore(ofTable: Int(object.table))
            slab = try retrying("\(object.objectID)") { try storedRow(of: object, store) }
        } catch {
            return noteFailedRead(of: object, property: nil, for: nil, cause: error)
        }
        if let slab, slab.count > 0 { return object.takeUnderChanges(slab, row: 0) }
        object.replacingValues { object.forgetReadRelationships() }
    }

    /// A new object has no values elsewhere, and being new is one of the changes that it loses.
    private final func forget(new object: NSManagedObject) {
        if undoRecorder != nil { processChanges() }
        let pairs = object.changedPairs.filter { !$0.isStored }
        registry.unregister(object, table: Int(object.table), primaryKey: object.primaryKey)
        retained.remove(object)
        changes.remove(object)
        object.noteLost()
        object.beForgotten()
        object.followDropped(pairs)
        changes.noteRefreshed(object)
        processChanges()
    }

    final func rollBack() {
        checkQueue()
        forgettingFailedReads { rollBackChanges() }
        announceChanges()
    }

    private final func rollBackChanges() {
        let objects = changes.takeAllForRollback()
        var back = RolledBack()
        registry.letGoOfDeparted()
        undoRecorder?.forget(self)
        saving.forgetWrittenAnew()
        for object in objects {
            let (wasDeleted, wasAnnounced) = (
                object.isDeleted, object.state.marks.contains(.insertionAnnounced)
            )
            object.endEvent()
            object.state.mark(.reversion)
            if object.state.isGone { continue }
            if object.state.isNew {
                registry.depart(object)
                object.state.apply(.discarding)
                retained.remove(object)
                if wasAnnounced { back.inserted.append(object) }
            } else {
                object.state.apply(.reversion)
                object.replacingValues { object.revertToCommitted() }
                if wasDeleted { back.deleted.append(object) } else { changes.noteRefreshed(object) }
            }
        }
        for object in objects where !object.state.isGone {
            object.awake(fromSnapshotEvents: .rollback)
        }
        announce(back)
    }

    /// Tells observers what a rollback took back: what was inserted is gone, what was deleted is there again.
    private final func announce(_ back: RolledBack) {
        let refreshed = changes.takeRefreshed()
        var info: [AnyHashable: Any] = [:]
        for (key, objects) in [
            (NSInsertedObjectsKey, back.deleted), (NSDeletedObjectsKey, back.inserted),
            (NSRefreshedObjectsKey, refreshed),
        ] where !objects.isEmpty {
            info[key] = Set(objects)
        }
        if info.isEmpty { return }
        NotificationCenter.default.post(
            name: ObservedNotification.objectsDidChange.name, object: self, userInfo: info)
    }

    final func forgetObjects() {
        checkQueue()
        undoRecorder?.forget(self)
        let objects = registry.all()
        for object in objects { object.beForgotten() }
        changes = ChangeTracker()
        batches = FaultBatches()
        saving.conflictChecked.removeAll()
        saving.forgetWrittenAnew()
        failedReads = FailedReads()
        retained.removeAll()
        mirrors.all.removeAll()
        renewRegistry()
        advanceGeneration()
        announceChanges()
        NotificationCenter.default.post(
            name: ObservedNotification.objectsDidChange.name, object: self,
            userInfo: [NSInvalidatedAllObjectsKey: objects.map(\.objectID)])
    }
}

/// The changes that a rollback took back.
private struct RolledBack {
    var inserted: [NSManagedObject] = []
    var deleted: [NSManagedObject] = []
}

extension NSManagedObject {
    /// Drops changes of values and relationships.
    final func revertToCommitted() {
        if state.ownsRow, let committed {
            OwnedRow.destroy(row, layout: runtime.layout)
            row = committed
            state.rows(.reverting)
        }
        for case let members as ToMany in extras?.relations.all ?? [] { members.revert() }
        extras?.forgetToOnes()
        extras?.decoded.removeAll()
        extras?.fetched.removeAll()
    }
}
