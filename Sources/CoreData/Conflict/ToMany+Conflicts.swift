// To-many relationships whose store's side changed under unsaved changes.

import CoreDataSchema
import Foundation

extension ToMany {
    /// The objects that are at hand without reading: members, and what was added or removed.
    var known: [NSManagedObject] { members + Array(added) + Array(removed) }

    /// Takes note that the store has, or hasn't, this member, whatever was changed here.
    func noteStored(_ object: NSManagedObject, isMember: Bool) {
        _ = added.remove(object)
        _ = removed.remove(object)
        guard isLoaded else { return }
        let present = members.firstIndex { $0 === object }
        if isMember, present == nil {
            members.append(object)
            if relation.isOrdered { committedOrder.append(ObjectIdentifier(object)) }
        } else if !isMember {
            if let present { members.remove(at: present) }
            committedOrder.removeAll { $0 == ObjectIdentifier(object) }
        }
        changed()
    }

    /// Adds or removes an object whose other side says so. Where the members say so already, one of the two rows is an older
    /// one: both sides have to state the change, which the store may then have.
    func follow(_ object: NSManagedObject, isMember: Bool) {
        if isMember ? addQuietly(object) : removeQuietly(object) { return }
        guard relation.inverse?.isToMany == true, owner.isKnownBelow, object.isKnownBelow else { return }
        if isMember, !added.contains(object) {
            added.append(object)
        } else if !isMember, !removed.contains(object) {
            removed.append(object)
        } else {
            return
        }
        noteStatement(of: object, isMember: isMember)
    }

    /// Forgets changes that the store has already, on both sides; not those of objects whose own rows, which may be older ones,
    /// state them as changes.
    func forgetStated(_ objects: [NSManagedObject], isAddition: Bool) {
        for object in objects where !isChange(of: object) {
            _ = isAddition ? added.remove(object) : removed.remove(object)
            guard let inverse = relation.inverse, inverse.isToMany,
                let theirs = object.extras?.relations[object.relations(inverse).number] as? ToMany
            else { continue }
            _ = isAddition ? theirs.added.remove(owner) : theirs.removed.remove(owner)
        }
    }

    /// Indicates whether the key of this relationship is an unsaved change of a member's.
    private func isChange(of object: NSManagedObject) -> Bool {
        guard let inverse = relation.inverse, !inverse.isToMany, !object.isFault,
            let slot = object.runtime.layout.slot(named: inverse.name)
        else { return false }
        return object.isKnownBelow && object.isChanged(slot)
    }

    /// Puts what was changed here on top of what the store has now. A new order stays if wanted, with what the store
    /// added behind it.
    func rebase(keepingOrder: Bool) {
        guard isLoaded, owner.isKnownBelow, owner.registry.context != nil else { return }
        guard isReordered else { return unload() }
        let order = members
        isLoaded = false
        members = []
        read()
        if keepingOrder { arrange(as: order) }
        changed()
    }

    /// Puts members into an order, and those that it doesn't name behind them.
    func arrange(as order: [NSManagedObject]) {
        read()
        let present = Set(members.map(ObjectIdentifier.init))
        let ordered = order.filter { present.contains(ObjectIdentifier($0)) }
        let placed = Set(ordered.map(ObjectIdentifier.init))
        members = ordered + members.filter { !placed.contains(ObjectIdentifier($0)) }
        changed()
    }

    /// Takes back that a member was added or removed, if it was: the store tells then.
    func revert(_ object: NSManagedObject) {
        if relation.isOrdered || !owner.isKnownBelow {
            if added.contains(object) { removeQuietly(object) } else { restore(object) }
        } else if added.contains(object) || removed.contains(object) {
            owner.replacingValues {
                _ = added.remove(object)
                _ = removed.remove(object)
                unload()
            }
        }
    }

    /// Takes back that a member was added which the store may have too, because its own side, which holds the key, loses its
    /// changes. Returns `false` if the store hasn't got it.
    func dropStated(_ object: NSManagedObject) -> Bool {
        guard isLoaded, owner.isKnownBelow, relation.inverse?.isToMany == false else { return false }
        if relation.isOrdered, !committedOrder.contains(ObjectIdentifier(object)) { return false }
        owner.replacingValues {
            _ = added.remove(object)
            if !relation.isOrdered { unload() }
        }
        return true
    }

    /// Takes the removal of a member back, which has its place again unless others were added or removed.
    func restore(_ object: NSManagedObject) {
        guard removed.contains(object) else { return }
        addQuietly(object)
        if relation.isOrdered, added.isEmpty, removed.isEmpty { revert() }
    }

    /// Has an object as a member again: in its place in an ordered relationship, if its removal isn't saved yet.
    func takeBack(_ object: NSManagedObject) {
        if removed.contains(object) { restore(object) } else { addQuietly(object) }
    }

    /// Has a save state a member that the store doesn't connect any more.
    func restate(_ object: NSManagedObject) {
        if added.contains(object) { return }
        guard isLoaded, contains(object) else {
            addQuietly(object)
            return
        }
        added.append(object)
        committedOrder.removeAll { $0 == ObjectIdentifier(object) }
    }

    /// Has a save state that an object isn't a member any more.
    func restateRemoval(of object: NSManagedObject) {
        if removed.contains(object) { return }
        removeQuietly(object)
        if !removed.contains(object) { removed.append(object) }
    }

    /// Makes these the members, all of which a save states.
    func restate(all objects: [NSManagedObject]) {
        isLoaded = true
        members = objects
        added.removeAll()
        removed.removeAll()
        for object in objects { added.append(object) }
        committedOrder = []
        changed()
    }

    /// Forgets the members and what was changed here, so that the store's are read.
    func forget() {
        added.removeAll()
        removed.removeAll()
        members = []
        committedOrder = []
        unload()
        changed()
    }
}
