// Both sides of relationships made to agree after a policy merged rows one by one, and deletions made to reach what the
// store connects with deleted objects by now.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// The relationships of a context's unsaved objects, after a round of conflicts.
///
/// Every object that a change of a relationship concerns is written with a check of its version. So the rows of the
/// store agree once the objects of a save agree with each other, and with rows as new as those of the conflicts.
struct RelationshipAgreement {
    private let context: NSManagedObjectContext
    private let merged: [NSManagedObject]
    private let type: NSMergePolicyType
    /// Relationships that were set here win over those that the store has.
    private var keepsChanges: Bool {
        type != .mergeByPropertyStoreTrumpMergePolicyType && type != .rollbackMergePolicyType
    }

    /// - Parameters:
    ///   - context: the context that saves.
    ///   - merged: the objects that took newer rows.
    ///   - type: the kind of the policy by which they did.
    init(in context: NSManagedObjectContext, merged: [NSManagedObject], type: NSMergePolicyType) {
        self.context = context
        self.merged = merged
        self.type = type
    }

    /// Has the relationships agree.
    ///
    /// - Throws: the errors of deletions that are denied by objects which others connected meanwhile.
    func restore() throws {
        let changed = context.changes.changed
        // Another object's merge may have had one be read anew.
        for object in merged { object.prepareToRead() }
        if type == .rollbackMergePolicyType { merged.forEach(restoreMemberships) }
        for object in merged { agreeWithStore(object) }
        for object in changed { agree(object) }
        for object in changed { restateMember(object) }
        if !deleteAgain(among: changed) { return }
        let problems = context.changes.changed.compactMap { object -> NSError? in
            guard object.state.isDeleted, object.isPendingForSave else { return nil }
            do { try object.validateForDelete() } catch { return error as NSError }
            return nil
        }
        if let error = CoreDataError.combined(problems) { throw error }
    }

    /// Has the relationships agree after a merge or a refresh put newer rows under unsaved changes, which win. Objects without
    /// changes are looked at only as far as they lead to changed ones. A deletion that is denied by now fails the save.
    func restoreUnderChanges() {
        let changed = merged.filter(\.state.hasChanges)
        for object in changed { object.prepareToRead() }
        for object in changed {
            agreeWithStore(object)
            noteMember(object)
        }
        for object in merged where !object.state.hasChanges {
            eachToOne(of: object) { end, inverse in
                if !inverse.isToMany, end.leadsToChanges { agree(end) }
            }
        }
        guard let recorder = context.undoRecorder else {
            deleteAgain(among: changed)
            return
        }
        recorder.amendEvents(deleting: changed.filter(\.isToBeDeleted), of: context) {
            deleteAgain(among: $0)
        }
    }

    /// Has deletions reach what the store connects with the deleted objects. Returns `false` if there are none.
    @discardableResult
    private func deleteAgain(among objects: [NSManagedObject]) -> Bool {
        let deleted = objects.filter(\.isToBeDeleted)
        if deleted.isEmpty { return false }
        for object in deleted {
            object.takeBackRelationships()
            leaveOutWhatLeft(object)
            findAgain(object)
            if !object.state.awaitsRules { object.state.apply(.ruleRenewal) }
        }
        context.propagateDeletes(among: deleted, isReadingAnew: true)
        return true
    }

    /// Takes objects out of a deleted object's relationships that were taken out of them here.
    private func leaveOutWhatLeft(_ object: NSManagedObject) {
        for property in object.runtime.properties {
            guard let inverse = property.relation?.inverse else { continue }
            switch property.kind {
            case .toOne(let slot, let relation):
                guard let other = object.toOne(slot, relation: relation), other.hasLeft(object, by: inverse)
                else { continue }
                object.replacingValues { object.storeToOne(nil, slot: slot, relation: relation) }
            case .toMany(let relation):
                let members = object.toMany(relation)
                let left = members.objects.filter { $0.hasLeft(object, by: inverse) }
                for member in left { members.removeQuietly(member) }
            case .attribute, .composite, .fetched: break
            }
        }
    }

    /// Reads objects again that a deleted object's row leads to and that were gone: what the deletion does to them, or is denied by,
    /// is seen by the objects.
    private func findAgain(_ object: NSManagedObject) {
        for property in object.runtime.properties {
            guard case .toOne(let slot, let relation) = property.kind else { continue }
            object.toOne(slot, relation: relation)?.readAnewIfGone()
        }
    }

    /// Has the one-to-one relationships of an object agree with those of the objects that they lead to.
    private func agree(_ object: NSManagedObject) {
        eachToOne(of: object) { end, inverse in
            if end.isChanged, let target = end.target, target.state.isDeleted {
                // Delete rules looked at what the store connects with the deleted object.
                end.set(nil)
            } else if !inverse.isToMany {
                agree(end)
            }
        }
    }

    /// The same of an object that took a newer row, and of the objects that this row leads to, which the context may know from
    /// older rows.
    private func agreeWithStore(_ object: NSManagedObject) {
        eachToOne(of: object) { end, inverse in
            guard !inverse.isToMany, let other = end.committedTarget, let back = ToOneEnd(other, inverse),
                !other.state.isDeleted || other.state.isInaccessible
            else { return }
            back.readAnew(unlessLeadingTo: object)
            agree(back)
        }
        agree(object)
    }

    /// Has an object whose deletion was given up be a member again of what its deletion took it out of.
    private func restoreMemberships(_ object: NSManagedObject) {
        guard object.state.isLive, !object.state.isNew else { return }
        for property in object.runtime.properties {
            guard let relation = property.relation, let inverse = relation.inverse, inverse.isToMany else {
                continue
            }
            let others: [NSManagedObject]
            switch property.kind {
            case .toOne(let slot, let relation):
                others = object.toOne(slot, relation: relation).map { [$0] } ?? []
            case .toMany(let relation): others = object.toMany(relation).objects
            case .attribute, .composite, .fetched: continue
            }
            for other in others {
                guard let members = other.extras?.relations[inverse.number] as? ToMany else { continue }
                other.replacingValues { members.restore(object) }
            }
        }
    }

    /// Has to-many relationships know of a member whose own side was changed here: they were read again.
    private func noteMember(_ object: NSManagedObject) {
        eachToOne(of: object) { end, inverse in
            guard inverse.isToMany, end.isChanged else { return }
            let (former, target) = (end.committedTarget, end.target)
            if former === target { return }
            former?.note(object, isMember: false, of: inverse)
            target?.note(object, isMember: true, of: inverse)
        }
    }

    /// Has the other side of changed relationships state the change, where it is to-many: its objects are to be saved too.
    private func restateMember(_ object: NSManagedObject) {
        eachToOne(of: object) { end, inverse in
            guard inverse.isToMany, end.isChanged else { return }
            let target = end.target
            for (owner, isMember) in [(end.committedTarget, false), (target, true)] {
                guard let owner, isMember || owner !== target, owner.state.isLive else { continue }
                owner.restate(object, isMember: isMember, of: inverse)
            }
        }
        guard object.state.isLive, let extras = object.extras else { return }
        for case let members as ToMany in extras.relations.all {
            guard let inverse = members.relation.inverse, inverse.isToMany else { continue }
            for (others, isMember) in [(members.added, true), (members.removed, false)] {
                for other in others where other.state.isLive {
                    other.restate(object, isMember: isMember, of: inverse)
                }
            }
        }
    }

    private func eachToOne(of object: NSManagedObject, body: (ToOneEnd, RelationRuntime) -> Void) {
        guard object.state.isLive, !object.isFault else { return }
        for property in object.runtime.properties {
            guard case .toOne(let slot, let relation) = property.kind, let inverse = relation.inverse else {
                continue
            }
            body(ToOneEnd(object, slot: slot, relation: relation), inverse)
        }
    }

    private func agree(_ end: ToOneEnd) {
        guard let inverse = end.relation.inverse, end.object.state.isLive, let other = end.target,
            other.state.isLive || other.state.isInaccessible, let back = ToOneEnd(other, inverse)
        else { return }
        back.readAnew(unlessLeadingTo: end.object)
        if other.state.isDeletedForGood {
            end.set(nil)
        } else if back.target !== end.object {
            decide(end, back)
        }
    }

    /// Decides between a relationship and what the other side says instead.
    private func decide(_ end: ToOneEnd, _ back: ToOneEnd) {
        let rival = back.target.flatMap { ToOneEnd($0, end.relation) }
        rival?.readAnew(unlessLeadingTo: back.object)
        if end.isChanged == back.isChanged {
            // Rows of different moments: the version of one of them is yet to be found a conflict.
            if !end.isChanged { return }
            if rival?.target === back.object { return end.set(nil) }
        } else if end.isChanged != keepsChanges {
            return end.set(nil)
        }
        if let rival, rival.target === back.object { rival.set(nil) }
        back.set(end.object)
    }
}

/// A to-one relationship of an object.
struct ToOneEnd {
    let object: NSManagedObject
    let slot: Slot
    let relation: RelationRuntime

    init(_ object: NSManagedObject, slot: Slot, relation: RelationRuntime) {
        (self.object, self.slot, self.relation) = (object, slot, relation)
    }

    /// The side of an object that has a relationship, or one of a superentity's that is overridden.
    init?(_ object: NSManagedObject, _ relation: RelationRuntime) {
        guard let slot = object.runtime.layout.slot(named: relation.name) else { return nil }
        self.init(object, slot: slot, relation: object.relations(relation))
    }

    var target: NSManagedObject? { object.toOne(slot, relation: relation) }

    /// The object that the store's row leads to.
    var committedTarget: NSManagedObject? {
        object.committed.flatMap { object.target(slot, relation: relation, in: $0) }
    }

    var isChanged: Bool { object.isChanged(slot) }

    /// Indicates whether the target is here and has unsaved changes. Makes no object.
    var leadsToChanges: Bool {
        if let known = object.extras?.relations[relation.number] as? NSManagedObject {
            return known.state.hasChanges
        }
        guard !RowPointer(object.row, slab: object.slab).isNull(slot.index) else { return false }
        // Tables of a store follow each other, one for each entity.
        let count = object.runtime.model.entities.count
        let root = relation.destination(in: object.runtime.model).rootNumber
        let key = Int64(bitPattern: object.row[slot.word])
        let known = object.registry.object(table: Int(object.table) / count * count + root, primaryKey: key)
        return known?.state.hasChanges ?? false
    }

    func set(_ target: NSManagedObject?) {
        object.replacingValues { object.storeToOne(target, slot: slot, relation: relation) }
        object.noteChange()
    }

    /// Reads an object without changes again that leads elsewhere: its row may be an older one. One whose row was gone may have
    /// one again.
    func readAnew(unlessLeadingTo other: NSManagedObject) {
        if target === other, !object.state.isInaccessible { return }
        object.readAnewUnlessChanged()
        object.prepareToRead()
    }
}

extension NSManagedObject {
    /// Indicates that the next save deletes the object's row.
    fileprivate final var isToBeDeleted: Bool {
        state.isDeleted && !state.isDeletedForGood && !state.isNew
    }

    /// Has an object be read again when it is used next, unless changes of it would be lost.
    final func readAnewUnlessChanged() {
        // Its row may have been written anew.
        if state.isInaccessible { registry.context?.reappear(self) }
        guard state.isLive, !state.isNew, primaryKey > 0,
            !state.isUpdated || !runtime.properties.contains(where: { isChanged($0) })
        else { return }
        turnIntoFault()
    }

    /// Returns whether a relationship led to another object and was changed here.
    fileprivate final func hasLeft(_ other: NSManagedObject, by relation: RelationRuntime) -> Bool {
        guard state.hasChanges, !state.isFault else { return false }
        if relation.isToMany {
            let members = extras?.relations[relation.number] as? ToMany
            return members?.removed.contains(other) ?? false
        }
        guard let end = ToOneEnd(self, relation) else { return false }
        return end.isChanged && end.target !== other
    }

    /// Reads an object again whose row was gone: it may have been written anew.
    final func readAnewIfGone() {
        guard state.isInaccessible else { return }
        readAnewUnlessChanged()
        prepareToRead()
    }

    /// Has a relationship show that another object was added to it or removed from it here.
    fileprivate final func note(_ member: NSManagedObject, isMember: Bool, of relation: RelationRuntime) {
        prepareToRead()
        guard state.isLive else { return }
        let members = toMany(relations(relation))
        if isMember ? members.added.contains(member) : members.removed.contains(member) { return }
        if isMember ? members.addQuietly(member) : members.removeQuietly(member) { noteChange() }
    }

    /// Has a save state that another object is or isn't a member of a relationship.
    fileprivate final func restate(_ member: NSManagedObject, isMember: Bool, of relation: RelationRuntime) {
        prepareToRead()
        guard state.isLive else { return }
        let members = toMany(relations(relation))
        replacingValues {
            if isMember { members.restate(member) } else { members.restateRemoval(of: member) }
        }
        noteChange()
    }
}
