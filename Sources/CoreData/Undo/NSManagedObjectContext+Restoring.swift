// Taking an event back.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    /// Brings objects back to before an event. The changes are an event of their own, which redoes it.
    final func undo(_ event: UndoEvent) {
        // Observers are called when every object is back.
        delivery.begin()
        defer { delivery.end() }
        let isOlder = undoRecorder?.hasNewerRows(than: event) ?? false
        let batches = event.batches.reversed().map { records in
            records.filter { $0.object.registry === registry && !$0.object.state.isDeletedElsewhere }
        }
        let records = Array(batches.joined())
        for record in records where record.kind == .vanished { bringBack(record) }
        for batch in batches { restoreChanges(batch) }
        followRestored(records)
        for record in records where record.isWhole { record.object.endReplacing(record.replaced) }
        if isOlder { UndoAgreement(records).restore() }
        for record in records where record.kind == .appeared {
            takeAway(record.object, applyingRules: isOlder)
        }
        for record in records { record.announce() }
        processChanges()
        for record in records {
            record.isWhole = false
            record.formerKey = nil
            record.replaced = nil
            record.left = []
            if !isOlder || !record.leadsToChanges { unmark(record.object) }
        }
    }

    private final func restoreChanges(_ records: [UndoRecord]) {
        let restored = Set(records.map { ObjectIdentifier($0.object) })
        for record in records where record.kind != .appeared && !record.isWhole {
            record.restoreChanges(among: restored)
        }
        for record in records where record.isWhole { record.restoreRelationships() }
        for record in records where record.isWhole { record.restoreInverses() }
    }

    /// Deletes what the event inserted. Delete rules apply only to what others have connected with it since: the event's own
    /// objects have records of their own.
    private final func takeAway(_ object: NSManagedObject, applyingRules: Bool) {
        if !object.state.isLive { return }
        object.state.apply(.deletion)
        if applyingRules { changes.hasFreshDeletes = true } else { object.state.apply(.rules) }
        track(object)
    }

    /// Undoes a deletion. An object whose row is gone from the store, or that never had one, is a new object.
    private final func bringBack(_ record: UndoRecord) {
        let object = record.object
        guard object.state.isGone, let before = record.before else {
            object.takeDeletionBack()
            return track(object)
        }
        record.isWhole = true
        object.state.apply(.renewal)
        object.state.mark(.renewal)
        if object.state.isFault { object.state.rows(.emptying) }
        if object.committed != nil {
            record.formerKey = object.primaryKey
            object.primaryKey = TemporaryKeys.next()
            object.identity = nil
            object.table = 0
        }
        record.replaced = object.beginReplacing()
        object.become(before)
        if let store = record.store { object.assignedStore = store }
        object.state.apply(.insertion)
        registry.register(object, table: Int(object.table), primaryKey: object.primaryKey)
        track(object)
    }

    /// An object that is again as the store has it has no changes.
    private final func unmark(_ object: NSManagedObject) {
        guard object.state.lifecycle == .updated, !object.state.marks.contains(.pending),
            !object.state.isFault,
            !object.runtime.properties.contains(where: object.isChanged)
        else { return }
        object.state.apply(.changeLoss)
        object.announceStatus()
    }
}

extension UndoRecord {
    /// Gives the object back what the event changed in it. Objects that have no record of their own follow.
    func restoreChanges(among restored: Set<ObjectIdentifier>) {
        object.prepareToRead()
        object.replacingValues { restoreValues(among: restored) }
    }

    private func restoreValues(among restored: Set<ObjectIdentifier>) {
        guard !object.state.isGone, let before else { return }
        object.prepareToChange()
        for index in slots {
            let slot = object.runtime.layout.slots[index]
            object.extras?.decoded[index] = nil
            slot.copy(from: before, to: object.row)
        }
        for (slot, relation, target) in toOnes {
            // A merge may have changed since then where the relationship leads.
            if let now = object.toOne(slot, relation: relation), now !== target, now.isReachable,
                let inverse = relation.inverse
            {
                if restored.contains(ObjectIdentifier(now)) {
                    left.append((inverse, now))
                } else {
                    now.readAnew(unless: inverse, leadsTo: object)
                    now.detachInverse(inverse, from: object)
                }
            }
            object.storeToOne(target.flatMap { $0.isReachable ? $0 : nil }, slot: slot, relation: relation)
        }
        for (relation, change) in toManys { object.toMany(relation).undo(change) }
        object.noteChange()
    }

    /// Gives an object without a row all its relationships back, on its own side.
    func restoreRelationships() {
        for (property, objects) in related {
            let objects = objects.filter(\.isReachable)
            switch property.kind {
            case .toOne(let slot, let relation):
                object.storeToOne(objects.first, slot: slot, relation: relation)
            case .toMany(let relation):
                object.ensureExtras().relations[relation.number] = ToMany(
                    owner: object, relation, unsaved: objects)
            default: break
            }
        }
    }

    /// Objects that no delete rule took out of the relationship still know the object by its former row.
    func restoreInverses() {
        for (property, objects) in related {
            guard let inverse = property.relation?.inverse else { continue }
            for other in objects where other.isReachable {
                let theirs = other.relations(inverse)
                if inverse.isToMany {
                    other.toMany(theirs).restate(object)
                } else if let slot = other.runtime.layout.slot(named: theirs.name),
                    other.state.isFault
                        || other.row[slot.word] != UInt64(bitPattern: object.primaryKey)
                {
                    other.storeToOne(object, slot: slot, relation: theirs)
                } else {
                    continue
                }
                other.noteChange()
            }
        }
    }

    /// Tells the object what happened to it.
    func announce() {
        let event: NSSnapshotEventType =
            switch kind {
            case .appeared: .undoInsertion
            case .changed: .undoUpdate
            case .vanished: .undoDeletion
            }
        object.awakening { object.awake(fromSnapshotEvents: event) }
    }
}

extension NSManagedObject {
    /// Indicates whether a relationship may lead to the object: its row isn't known to be gone.
    final var isReachable: Bool { !state.isDeletedForGood }

    /// Takes values as those of an object that was never saved.
    fileprivate final func become(_ values: RowPointer) {
        endEvent()
        releaseRows()
        row = OwnedRow.copy(values.words, layout: runtime.layout)
        row[0] = 0
        committed = nil
        slab = values.slab
        state.rows(.replacement)
        extras?.forgetRelations()
        extras?.decoded.removeAll()
    }
}
