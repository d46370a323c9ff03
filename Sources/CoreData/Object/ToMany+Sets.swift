// The members of a to-many relationship as Foundation's sets.

import CoreDataSchema
import Foundation

extension ToMany {
    /// A fresh `NSSet` or `NSOrderedSet` with the members of this moment.
    var foundationSet: NSObject {
        relation.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
    }

    /// The members as a plain mutable set, the same one until the next change. `follow` makes the relationship's what it was
    /// given. It is of no class of ours, since casts to `Set` read only Foundation's own.
    var setToChange: NSObject {
        read()
        if let primitiveSet { return primitiveSet }
        let made = relation.isOrdered ? NSMutableOrderedSet(array: members) : NSMutableSet(array: members)
        primitiveSet = made
        return made
    }

    /// Makes the members those that a hand-written accessor left in the set of `setToChange`, with the inverse.
    ///
    /// - Parameter changed: the objects that alone were added or removed, if the accessor named them.
    func follow(changed: [NSManagedObject]?) {
        guard let set = primitiveSet else { return }
        if let changed, let unordered = set as? NSMutableSet {
            for object in changed {
                if unordered.contains(object) { add(object) } else { remove(object) }
            }
        }
        let size = (set as? NSSet)?.count ?? (set as? NSOrderedSet)?.count
        if changed == nil || relation.isOrdered || size != count {
            replace(with: owner.members(set, relation: relation))
        }
        primitiveSet = set
    }

    /// The members that the store has, as `committedValues(forKeys:)` gives them.
    var committedSet: NSObject {
        read()
        if relation.isOrdered {
            let known = Dictionary(
                (members + Array(removed)).map { (ObjectIdentifier($0), $0) },
                uniquingKeysWith: { first, _ in first })
            return NSOrderedSet(array: committedOrder.compactMap { known[$0] })
        }
        let new = Set(added.map(ObjectIdentifier.init))
        return NSSet(array: members.filter { !new.contains(ObjectIdentifier($0)) } + Array(removed))
    }

    /// The members before the current event, if it changed them. Members that were never read are taken as the
    /// store has them.
    var setBeforeEvent: NSObject? {
        guard isChangedInEvent else { return nil }
        if let eventLog { return NSSet(array: eventLog.change.undone(in: objects)) }
        guard let membersBeforeEvent else { return committedSet }
        return relation.isOrdered ? NSOrderedSet(array: membersBeforeEvent) : NSSet(array: membersBeforeEvent)
    }
}

extension ToMany {
    /// Adds objects to an unordered relationship. Observers are told once, of those that weren't members.
    func add(all objects: [NSManagedObject]) {
        var known: Set<ObjectIdentifier> = []
        let new = objects.filter { !contains($0) && known.insert(ObjectIdentifier($0)).inserted }
        changeAsOne(.insertion(new, at: nil), of: new) { add($0) }
    }

    /// Removes objects from an unordered relationship. Observers are told once, of those that were members.
    func remove(all objects: [NSManagedObject]) {
        let old = objects.filter(contains)
        changeAsOne(.removal(old, at: nil), of: old) { remove($0) }
    }

    private func changeAsOne(
        _ mutation: KeyMutation, of objects: [NSManagedObject], change: (NSManagedObject) -> Void
    ) {
        if objects.isEmpty { return }
        owner.asOneChange {
            owner.observersWill(relation.name, mutation: mutation)
            for object in objects { change(object) }
            owner.observersDid(relation.name)
        }
    }
}

extension ToMany {
    /// The members' IDs; of members that weren't read, without objects being made of them. A failed read is noted by reading the
    /// members.
    var objectIDs: [NSManagedObjectID] {
        guard !isLoaded, !relation.isOrdered || added.isEmpty, let context = owner.registry.context,
            let stored = try? context.storedIDs(relation, of: owner)
        else { return objects.map(\.objectID) }
        if added.isEmpty && removed.isEmpty { return stored }
        let gone = Set(removed.map(\.objectID))
        let present = Set(stored)
        return stored.filter { !gone.contains($0) }
            + added.map(\.objectID).filter { !present.contains($0) }
    }
}
