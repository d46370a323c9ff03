// Unsaved relationships to objects whose rows are gone by the time of the save.

import CoreDataSchema
import Foundation

extension NSManagedObjectContext {
    /// Takes objects that are known to be deleted by others, or by an earlier save, out of the relationships that the
    /// next save would write: the store would keep keys of rows that it doesn't have. The rules of
    /// relationships are validated afterwards. This is nothing to undo. Nothing is looked at where
    /// nothing can have been lost.
    final func leaveOutDeletedElsewhere() {
        guard mayReferToLost else { return }
        let foreign = Set(
            changes.changed.filter { $0.state.isDeletedElsewhere }.map {
                RowName(root: $0.runtime.rootNumber, key: $0.primaryKey)
            })
        let manager = undoRecorder?.manager
        manager?.disableUndoRegistration()
        defer { manager?.enableUndoRegistration() }
        for object in changes.changed
        where object.isPendingForSave && !object.state.isDeleted && !object.state.isFault {
            object.leaveOut(foreign)
        }
        processChanges()
    }
}

/// A row, of whatever store.
private struct RowName: Hashable {
    let root: Int
    let key: Int64
}

extension NSManagedObject {
    fileprivate final func leaveOut(_ foreign: Set<RowName>) {
        if extras == nil && foreign.isEmpty { return }
        for property in runtime.properties {
            switch property.kind {
            case .toOne(let slot, let relation):
                guard isLost(slot, relation: relation, foreign: foreign), isChanged(property) else {
                    continue
                }
                replacingValues { storeToOne(nil, slot: slot, relation: relation) }
                noteChange()
            case .toMany(let relation):
                guard let members = extras?.relations[relation.number] as? ToMany else { continue }
                let gone = members.writtenMembers(withOrder: !foreign.isEmpty).filter(\.isDeletedForGood)
                if gone.isEmpty { continue }
                replacingValues { for member in gone { members.noteStored(member, isMember: false) } }
                noteChange()
            default: break
            }
        }
    }

    /// Returns whether a to-one relationship leads to an object that is gone. A refresh may
    /// have forgotten which it is.
    private final func isLost(_ slot: Slot, relation: RelationRuntime, foreign: Set<RowName>) -> Bool {
        if let target = extras?.relations[relation.number] as? NSManagedObject {
            return target.isDeletedForGood
        }
        if foreign.isEmpty || RowPointer(row, slab: slab).isNull(slot.index) { return false }
        let root = relation.destination(in: runtime.model).rootNumber
        guard foreign.contains(RowName(root: root, key: Int64(bitPattern: row[slot.word]))) else {
            return false
        }
        return toOne(slot, relation: relation)?.isDeletedForGood ?? false
    }

    /// Indicates that no store has the object's row any more, or will have it.
    final var isDeletedForGood: Bool { state.isDeletedForGood }

    /// Says that unsaved relationships of the context's objects may lead to this one, which is deleted for good.
    final func noteLost() { registry.context?.mayReferToLost = true }
}

extension ToMany {
    /// The members whose keys a save writes.
    fileprivate func writtenMembers(withOrder: Bool) -> [NSManagedObject] {
        withOrder && isReordered ? members : Array(added)
    }
}
