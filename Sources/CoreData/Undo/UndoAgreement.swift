// Both sides of relationships made to agree after an event was taken back in objects that took newer rows since.

import CoreDataSchema
import Foundation

/// The relationships of objects that were brought back to before an event. The event's records agree with each other; a merge may
/// have changed what other objects say.
struct UndoAgreement {
    private let records: [UndoRecord]
    /// The to-one relationships that were restored.
    private let restored: Set<End>

    /// A relationship of an object.
    private struct End: Hashable {
        let object: ObjectIdentifier
        let relation: Int

        init(_ object: NSManagedObject, _ relation: RelationRuntime) {
            (self.object, self.relation) = (ObjectIdentifier(object), relation.number)
        }
    }

    /// - Parameter records: the records by which objects were restored.
    init(_ records: [UndoRecord]) {
        self.records = records
        restored = Set(
            records.flatMap { record in record.restoredToOnes.map { End(record.object, $0.1) } })
    }

    /// Has the other sides follow what was restored. Objects that came back, and those whose insertion is about to be taken
    /// back, lead to nothing that doesn't lead to them.
    func restore() {
        for record in records {
            for (inverse, former) in record.left where former.state.isLive {
                leave(former, inverse, record.object)
            }
        }
        for record in records where record.object.state.isLive {
            for (slot, relation) in record.restoredToOnes {
                resolve(record.object, slot: slot, relation: relation)
            }
        }
        for record in records where record.object.state.isLive {
            for (relation, change) in record.restoredToManys { resolve(record.object, relation, change) }
        }
        for record in records where record.kind != .changed && record.object.state.isLive {
            leaveOutOneSided(of: record.object)
        }
    }

    // MARK: Restored relationships

    /// Has an object follow that a restored relationship led to.
    private func leave(_ former: NSManagedObject, _ inverse: RelationRuntime, _ object: NSManagedObject) {
        guard let relation = inverse.inverse, former.leadsTo(object, by: inverse),
            !object.state.isLive || !object.leadsTo(former, by: relation)
        else { return }
        former.detachInverse(inverse, from: object)
    }

    private func resolve(_ object: NSManagedObject, slot: Slot, relation: RelationRuntime) {
        guard let inverse = relation.inverse else { return }
        guard let target = object.toOne(slot, relation: relation) else { return }
        if !mayLead(object, to: target, by: inverse) || isRestored(target, inverse, otherThan: object) {
            object.lead(to: nil, slot: slot, relation: relation)
        } else if target.state.isLive, !target.leadsTo(object, by: inverse) {
            target.follow(object, by: inverse)
        }
    }

    private func resolve(_ object: NSManagedObject, _ relation: RelationRuntime, _ change: ToManyChange) {
        guard let inverse = relation.inverse else { return }
        let members = object.toMany(relation)
        for other in change.removed where members.contains(other) {
            if !mayLead(object, to: other, by: inverse) || isRestored(other, inverse, otherThan: object) {
                object.leaveOut(other, of: members)
            } else if other.state.isLive, !other.leadsTo(object, by: inverse) {
                other.take(object, by: inverse)
            }
        }
        for other in change.added
        where other.state.isLive && !members.contains(other) && other.leadsTo(object, by: inverse) {
            if isRestored(other, inverse) {
                members.addQuietly(other)
                object.noteChange()
            } else {
                other.detachInverse(inverse, from: object)
            }
        }
    }

    /// Indicates whether the event's record of another object says that this one leads elsewhere.
    private func isRestored(
        _ object: NSManagedObject, _ relation: RelationRuntime, otherThan target: NSManagedObject? = nil
    ) -> Bool {
        guard restored.contains(End(object, relation)) else { return false }
        guard let target else { return true }
        return !object.leadsTo(target, by: relation) && object.leadsAnywhere(by: relation)
    }

    /// Indicates whether a relationship may lead to an object: not to one that is deleted, unless it denies that.
    private func mayLead(
        _ object: NSManagedObject, to other: NSManagedObject, by inverse: RelationRuntime
    ) -> Bool {
        if other.state.isDeletedForGood { return false }
        return !other.state.isDeleted || inverse.traits.deleteRule == .deny
    }

    // MARK: Objects that came back

    private func leaveOutOneSided(of object: NSManagedObject) {
        for property in object.runtime.properties {
            guard let relation = property.relation, let inverse = relation.inverse else { continue }
            func isOneSided(_ other: NSManagedObject) -> Bool {
                !mayLead(object, to: other, by: inverse)
                    || other.state.isLive && !other.leadsTo(object, by: inverse)
            }
            switch property.kind {
            case .toOne(let slot, let relation):
                guard let target = object.toOne(slot, relation: relation), isOneSided(target) else {
                    continue
                }
                object.lead(to: nil, slot: slot, relation: relation)
            case .toMany(let relation):
                let members = object.toMany(relation)
                for other in members.objects where isOneSided(other) { object.leaveOut(other, of: members) }
            case .attribute, .composite, .fetched: break
            }
        }
    }
}

extension NSManagedObject {
    /// Indicates whether a to-one relationship leads to anything.
    fileprivate final func leadsAnywhere(by relation: RelationRuntime) -> Bool {
        guard let slot = runtime.layout.slot(named: relation.name) else { return false }
        return toOne(slot, relation: relations(relation)) != nil
    }

    /// Follows the restored to-one relationship of another object. A member of an ordered relationship has its place again.
    fileprivate final func follow(_ object: NSManagedObject, by inverse: RelationRuntime) {
        guard inverse.isToMany else { return attachInverse(inverse, to: object) }
        toMany(relations(inverse)).takeBack(object)
        noteChange()
    }

    /// Leads to the owner of a to-many relationship from now on, which has this object as a member already.
    fileprivate final func take(_ owner: NSManagedObject, by relation: RelationRuntime) {
        if relation.isToMany {
            return follow(owner, by: relation)
        } else if let slot = runtime.layout.slot(named: relation.name) {
            let mine = relations(relation)
            if let former = toOne(slot, relation: mine), former.isReachable, let back = mine.inverse {
                former.detachInverse(back, from: self)
            }
            observersWill(relation.name)
            storeToOne(owner, slot: slot, relation: mine)
            observersDid(relation.name)
        }
        noteChange()
    }
}
