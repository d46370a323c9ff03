// Takes the store's row into an object with unsaved changes, and keeps the objects on the other side of its
// relationships in step.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// A to-one relationship of a merged object, whose other side has to follow.
private struct ToOneChange {
    let object: NSManagedObject
    let inverse: RelationRuntime
    let before: NSManagedObject?
    let base: NSManagedObject?
    let stored: NSManagedObject?
    let after: NSManagedObject?
}

extension ManagedEntity {
    /// The slots of which a condition is true. A composite attribute is one property: its elements belong to each other, and are all
    /// here if one is.
    final func wholeSlots(where isIncluded: (Slot) -> Bool) -> [Slot] {
        let properties = Set(layout.slots.lazy.filter(isIncluded).map { self.slotProperties[$0.index] })
        return properties.isEmpty ? [] : layout.slots.filter { properties.contains(slotProperties[$0.index]) }
    }
}

extension NSManagedObject {
    /// A copy of the object's current values.
    final var copyOfRow: RowCopy { RowCopy(row, slab: slab, layout: runtime.layout) }

    /// Merges a newer row into the object as a policy of this type does.
    final func merge(_ slab: RowSlab, as type: NSMergePolicyType) {
        replacingValues { takeMerged(slab, row: 0, as: type) }
        registry.context?.changes.noteRefreshed(self)
        awake(fromSnapshotEvents: .mergePolicy)
    }

    /// Puts a row under the object's unsaved changes, which stay. Relationships that were read are read again.
    final func takeUnderChanges(_ slab: RowSlab, row number: Int) {
        rediscover()
        replacingValues {
            if state.isDeleted {
                takeRowOfDeleted(slab, row: number)
            } else if state.hasChanges {
                takeMerged(slab, row: number, as: .mergeByPropertyObjectTrumpMergePolicyType)
            } else {
                replaceCommitted(slab, row: number, keepingChanges: true)
            }
            forgetReadRelationships()
        }
    }

    private final func takeMerged(_ slab: RowSlab, row number: Int, as type: NSMergePolicyType) {
        let targets = toOneTargets(in: RowPointer(slab.row(number), slab: slab))
        if type == .rollbackMergePolicyType { revertRelations() }
        switch type {
        case .rollbackMergePolicyType: replaceCommitted(slab, row: number, keepingChanges: false)
        case .mergeByPropertyStoreTrumpMergePolicyType: mergeStoreTrump(slab)
        case .overwriteMergePolicyType: overwrite(slab)
        default: replaceCommitted(slab, row: number, keepingChanges: true)
        }
        extras?.decoded.removeAll()
        forgetUnchangedToOnes()
        follow(targets)
        let keepsOrder =
            type != .mergeByPropertyStoreTrumpMergePolicyType && type != .rollbackMergePolicyType
        for case let members as ToMany in extras?.relations.all ?? [] {
            members.rebase(keepingOrder: keepsOrder)
        }
        // Another object's rollback may change this one again, which then is listed anew.
        if type == .rollbackMergePolicyType, !hasUnplacedMembers {
            registry.context?.changes.withdraw(self)
        }
    }

    /// Indicates that members whose rows say so belong to an ordered relationship, which has to give them their places.
    private final var hasUnplacedMembers: Bool {
        extras?.relations.contains(where: { relation in
            guard let members = relation as? ToMany else { return false }
            return members.relation.isOrdered && !members.added.isEmpty
        }) ?? false
    }

    /// Keeps what the object holds over a newer row: what differs from the row that it was read from, and what
    /// was set since `kept` was taken.
    final func rebase(on slab: RowSlab, keeping kept: RowCopy) {
        let touched = runtime.wholeSlots {
            !SlotValue.areEqual($0, left: RowPointer(row, slab: self.slab), right: kept.pointer)
        }
        let mine = copyOfRow
        merge(slab, as: .mergeByPropertyObjectTrumpMergePolicyType)
        if touched.isEmpty || state.isDeleted { return }
        replacingValues {
            prepareToChange()
            for slot in touched { slot.copy(from: mine.pointer, to: row) }
            extras?.forgetToOnes()
        }
    }

    /// Takes a newer row of an object that is to be deleted, whose relationships then are the store's, and those which objects
    /// have that deny to be left.
    final func takeRowOfDeleted(_ slab: RowSlab, row number: Int = 0) {
        replacingValues {
            let kept = connectionsMadeHere
            replaceCommitted(slab, row: number, keepingChanges: false)
            forgetRelationships()
            takeUp(kept)
        }
    }

    /// The objects with which this one was connected by unsaved changes, and that lead to it still.
    private final var connectionsMadeHere: [(PropertyRuntime, NSManagedObject)] {
        runtime.properties.flatMap { property -> [(PropertyRuntime, NSManagedObject)] in
            guard let inverse = property.relation?.inverse else { return [] }
            let others: [NSManagedObject]
            switch property.kind {
            case .toOne(let slot, let relation):
                others = isChanged(slot) ? [toOne(slot, relation: relation)].compactMap { $0 } : []
            case .toMany(let relation):
                others = (extras?.relations[relation.number] as? ToMany).map { Array($0.added) } ?? []
            case .attribute, .composite, .fetched: others = []
            }
            return others.filter { $0.state.isLive && $0.leads(to: self, by: inverse) }.map { (property, $0) }
        }
    }

    private final func leads(to other: NSManagedObject, by relation: RelationRuntime) -> Bool {
        if relation.isToMany {
            return (extras?.relations[relation.number] as? ToMany)?.added.contains(other) ?? false
        }
        guard let slot = runtime.layout.slot(named: relation.name) else { return false }
        return toOne(slot, relation: relations(relation)) === other
    }

    private final func takeUp(_ connections: [(PropertyRuntime, NSManagedObject)]) {
        for (property, other) in connections {
            switch property.kind {
            case .toOne(let slot, let relation): storeToOne(other, slot: slot, relation: relation)
            case .toMany(let relation): toMany(relation).addQuietly(other)
            case .attribute, .composite, .fetched: break
            }
        }
    }

    /// Has an object that is to be deleted show the relationships of its row, as far as the store connects it.
    final func takeBackRelationships() {
        guard let committed, !isFault else { return }
        replacingValues {
            let kept = connectionsMadeHere
            for slot in runtime.layout.toOneSlots where isChanged(slot) {
                prepareToChange()
                slot.copy(from: RowPointer(committed, slab: slab), to: row)
            }
            forgetRelationships()
            takeUp(kept)
        }
    }

    private final func forgetRelationships() {
        extras?.forgetToOnes()
        for case let members as ToMany in extras?.relations.all ?? [] { members.forget() }
    }

    /// Takes the store's value wherever the store changed, keeps the context's elsewhere.
    private final func mergeStoreTrump(_ slab: RowSlab) {
        guard state.ownsRow, let committed else {
            return replaceCommitted(slab, row: 0, keepingChanges: false)
        }
        let (mine, old) = (RowPointer(row, slab: self.slab), RowPointer(committed, slab: self.slab))
        let fresh = RowPointer(slab.row(0), slab: slab)
        let theirs = runtime.wholeSlots {
            !$0.isTransient && !SlotValue.areEqual($0, left: fresh, right: old)
        }
        let own = runtime.wholeSlots { $0.isTransient || !SlotValue.areEqual($0, left: mine, right: old) }
        replaceRow(on: slab, keeping: Set(own.map(\.index)).subtracting(theirs.map(\.index)))
    }

    /// Keeps every value of the context, so that columns which only the store changed are written back too.
    private final func overwrite(_ slab: RowSlab) {
        replaceRow(on: slab, keeping: Set(runtime.layout.slots.map(\.index)))
    }

    /// Makes the row of a slab the committed one, and the current one but for some slots.
    private final func replaceRow(on slab: RowSlab, keeping kept: Set<Int>) {
        let mine = RowPointer(row, slab: self.slab)
        let merged = OwnedRow.copy(slab.row(0), layout: runtime.layout)
        for slot in runtime.layout.slots where kept.contains(slot.index) { slot.copy(from: mine, to: merged) }
        releaseRows()
        row = merged
        state.rows(.replacement)
        committed = slab.row(0)
        self.slab = slab
    }

    // MARK: Relationships

    /// The to-one relationships with an inverse that changed here or in the store, and where they lead.
    private final func toOneTargets(in fresh: RowPointer) -> [(Slot, RelationRuntime, ToOneChange)] {
        guard let committed, !state.isFault else { return [] }
        let (mine, old) = (RowPointer(row, slab: slab), RowPointer(committed, slab: slab))
        return runtime.properties.compactMap { property in
            guard case .toOne(let slot, let relation) = property.kind, let inverse = relation.inverse,
                !SlotValue.areEqual(slot, left: mine, right: old)
                    || !SlotValue.areEqual(slot, left: fresh, right: old)
            else { return nil }
            let shift = ToOneChange(
                object: self, inverse: inverse, before: toOne(slot, relation: relation),
                base: target(slot, relation: relation, in: committed),
                stored: target(slot, relation: relation, in: fresh.words), after: nil)
            return (slot, relation, shift)
        }
    }

    private final func follow(_ targets: [(Slot, RelationRuntime, ToOneChange)]) {
        for (slot, relation, shift) in targets {
            let whole = ToOneChange(
                object: self, inverse: shift.inverse, before: shift.before, base: shift.base,
                stored: shift.stored, after: toOne(slot, relation: relation))
            if shift.inverse.isToMany { whole.updateMembers() } else { whole.updateOne() }
        }
    }

    /// Takes changes of to-many relationships back on both sides, but where the other side alone holds the key.
    private final func revertRelations() {
        for case let members as ToMany in extras?.relations.all ?? [] {
            guard let inverse = members.relation.inverse else {
                members.revert()
                continue
            }
            guard inverse.isToMany else { continue }
            for other in members.added { other.toMany(other.relations(inverse)).revert(self) }
            for other in members.removed { other.toMany(other.relations(inverse)).revert(self) }
            members.revert()
        }
    }

    // MARK: Rows that are gone

    /// Counts as deleted, because the row is gone: as a deletion that was merged, which the save lets go.
    final func vanish() {
        guard !isDeletedForGood else { return }
        for property in runtime.properties {
            guard let relation = property.relation, let inverse = relation.inverse else { continue }
            switch extras?.relations[relation.number] {
            case let members as ToMany:
                for other in members.known { other.lose(self, relation: inverse) }
            case let other as NSManagedObject: other.lose(self, relation: inverse)
            default: break
            }
        }
        if !state.isDeleted { registry.context?.changes.noteMerged(deleted: self) }
        becomeDeletedElsewhere()
    }

    /// The store's object on the other side is gone.
    private final func lose(_ object: NSManagedObject, relation: RelationRuntime) {
        guard !state.isFault else { return }
        if relation.isToMany {
            let members = extras?.relations[relation.number] as? ToMany
            replacingValues { members?.noteStored(object, isMember: false) }
        } else if let slot = runtime.layout.slot(named: relation.name),
            toOne(slot, relation: relations(relation)) === object
        {
            replacingValues { storeToOne(nil, slot: slot, relation: relations(relation)) }
            noteChange()
        }
    }

    /// Writes a row that is gone anew, under its old key.
    final func resurrect() {
        prepareToChange()
        let changed = Set(changedPersistentSlots())
        if let committed {
            registry.context?.saving.note(
                writtenAnew: self, row: RowCopy(committed, slab: slab, layout: runtime.layout))
        }
        if state.ownsCommitted, let committed { OwnedRow.destroy(committed, layout: runtime.layout) }
        committed = nil
        row[0] = UInt64(bitPattern: RowVersion.anew(after: Int64(bitPattern: row[0])))
        state.rows(.committedLoss)
        state.apply(.resurrection)
        state.mark(.resurrection)
        connectAnew(changed: changed)
        announceStatus()
        awake(fromSnapshotEvents: .mergePolicy)
    }

    /// Counts as saved again, as it was read before its row was deleted, if it was to be written anew: somebody else did that.
    /// Returns `false` if it wasn't.
    @discardableResult
    final func rediscover() -> Bool {
        guard state.isNew, let former = registry.context?.saving.takeFormerRow(of: self) else { return false }
        invariant(former.pointer.slab === slab, "nothing but a newer row brings another slab")
        let mine = copyOfRow
        OwnedRow.destroy(row, layout: runtime.layout)
        committed = OwnedRow.copy(former.pointer.words, layout: runtime.layout)
        state.rows(.commit)
        row = OwnedRow.copy(mine.pointer.words, layout: runtime.layout)
        row[0] = former.pointer.words[0]
        state.rows(.copying)
        state.apply(.rediscovery)
        state.mark(.rediscovery)
        announceStatus()
        return true
    }
}

extension ToOneChange {
    /// Brings to-many relationships on the other side in step: first to what the store says, then to what is
    /// changed here.
    func updateMembers() {
        // A member that stays keeps its place.
        let stays = before === after
        if stays, base === stored { return }
        for owner in distinct([before, base, stored]) where !stays || owner !== after || owner === stored {
            guard let members = owner.extras?.relations[inverse.number] as? ToMany else { continue }
            owner.replacingValues { members.noteStored(object, isMember: owner === stored) }
        }
        if after === stored { return }
        for (owner, isMember) in [(stored, false), (after, true)] {
            guard let owner else { continue }
            let members = owner.toMany(owner.relations(inverse))
            if !isMember { members.removeQuietly(object) } else if !stays { members.addQuietly(object) }
            owner.noteChange()
        }
    }

    /// The same where the other side is to-one too, which is decided on once all rows are merged. Objects that only the
    /// store changed are read anew.
    func updateOne() {
        for other in distinct([base, stored]) { other.readAnewUnlessChanged() }
    }

    private func distinct(_ objects: [NSManagedObject?]) -> [NSManagedObject] {
        var found: [NSManagedObject] = []
        for case let object? in objects where !found.contains(where: { $0 === object }) {
            if object.isDeletedForGood { continue }
            found.append(object)
        }
        return found
    }
}

extension NSManagedObject {
    /// Has to-one relationships be found again from the row, but for those that were changed here: their objects may be new ones
    /// that were deleted again, and that nothing but the relationship knows.
    final func forgetUnchangedToOnes() {
        guard let extras else { return }
        for property in runtime.properties {
            guard case .toOne(let slot, let relation) = property.kind, !isChanged(slot) else { continue }
            extras.relations[relation.number] = nil
        }
    }
}

extension ObjectExtras {
    /// Drops cached to-one objects, so that they are found again from the row.
    func forgetToOnes() {
        for number in relations.indices where relations[number] is NSManagedObject { relations[number] = nil }
    }
}
