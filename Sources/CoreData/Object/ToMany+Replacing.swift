// Replacing the members of a to-many relationship, and their order.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension ToMany {
    /// Replaces the members; observers are told of the change as a whole, or as its maker states it.
    func replace(with objects: [NSManagedObject], telling mutation: @autoclosure () -> KeyMutation = .setting)
    {
        read()
        owner.asOneChange {
            owner.observersWill(relation.name, mutation: mutation())
            // Mostly something was appended to the members: those needn't be looked up.
            if members.count <= objects.count, zip(members, objects).allSatisfy({ $0 === $1 }) {
                for object in objects.dropFirst(members.count) { add(object) }
            } else {
                let wanted = Set(objects.map(ObjectIdentifier.init))
                for member in members where !wanted.contains(ObjectIdentifier(member)) { remove(member) }
                for object in objects { add(object) }
            }
            if relation.isOrdered { reorder(objects) }
            owner.prepareToChange()
            owner.noteChange()
            owner.observersDid(relation.name)
        }
    }

    /// Puts the members of an ordered relationship into a new order.
    func reorder(_ objects: [NSManagedObject]) {
        read()
        noteEvent()
        invariant(objects.count == members.count, "reordering keeps the members")
        owner.observersWill(relation.name)
        members = objects
        changed()
        owner.prepareToChange()
        owner.noteChange()
        owner.observersDid(relation.name)
    }
}
