// Places in ordered relationships.

import CoreDataSchema
import CoreDataSupport
public import Foundation

extension NSManagedObject {
    /// Inserts an object into an ordered relationship, as `insertIntoNotes(_:at:)` does.
    ///
    /// - Parameters:
    ///   - object: the new member.
    ///   - relationship: the relationship.
    ///   - index: its place, from 0 to the count.
    public final func insert(_ object: NSManagedObject, into relationship: ManagedRelationship, at index: Int)
    {
        ordered(relationship, index: index, upTo: { $0 }).add(object, at: index)
    }

    /// Inserts objects into an ordered relationship, so that they have these places afterwards, as
    /// `insertIntoNotes(_:at:)` does with several.
    ///
    /// - Parameters:
    ///   - objects: the new members.
    ///   - relationship: the relationship.
    ///   - indexes: a place for each of them.
    public final func insert(
        _ objects: [NSManagedObject], into relationship: ManagedRelationship, at indexes: IndexSet
    ) {
        guard objects.count == indexes.count else {
            raise(.invalidArgument, "\(objects.count) objects can't have \(indexes.count) places")
        }
        for (object, index) in zip(objects, indexes) { insert(object, into: relationship, at: index) }
    }

    /// Removes the object at a position of an ordered relationship, as `removeFromNotes(at:)` does.
    ///
    /// - Parameters:
    ///   - index: the position, from 0.
    ///   - relationship: the relationship.
    public final func removeObject(at index: Int, from relationship: ManagedRelationship) {
        let members = ordered(relationship, index: index, upTo: { $0 - 1 })
        members.remove(members.objects[index])
    }

    /// Removes the objects at these positions of an ordered relationship.
    ///
    /// - Parameters:
    ///   - indexes: the positions, from 0.
    ///   - relationship: the relationship.
    public final func removeObjects(at indexes: IndexSet, from relationship: ManagedRelationship) {
        guard let last = indexes.last else { return }
        let members = ordered(relationship, index: last, upTo: { $0 - 1 })
        let objects = members.objects
        for index in indexes { members.remove(objects[index]) }
    }

    /// Puts an object in place of the one at a position of an ordered relationship, as
    /// `replaceNotes(at:with:)` does.
    ///
    /// - Parameters:
    ///   - index: the position, from 0.
    ///   - relationship: the relationship.
    ///   - object: the new member.
    public final func replaceObject(
        at index: Int, in relationship: ManagedRelationship, with object: NSManagedObject
    ) {
        replaceObjects(at: IndexSet(integer: index), in: relationship, with: [object])
    }

    /// Puts objects in place of those at these positions of an ordered relationship.
    ///
    /// - Parameters:
    ///   - indexes: the positions, from 0.
    ///   - relationship: the relationship.
    ///   - replacements: an object for each of them.
    public final func replaceObjects(
        at indexes: IndexSet, in relationship: ManagedRelationship, with replacements: [NSManagedObject]
    ) {
        guard replacements.count == indexes.count else {
            raise(.invalidArgument, "\(replacements.count) objects can't have \(indexes.count) places")
        }
        guard let last = indexes.last else { return }
        let members = ordered(relationship, index: last, upTo: { $0 - 1 })
        var objects = members.objects
        for (index, object) in zip(indexes, replacements) { objects[index] = object }
        members.replace(with: checked(objects, relationship: relationship))
    }

    private final func ordered(
        _ relationship: ManagedRelationship, index: Int, upTo last: (Int) -> Int
    ) -> ToMany {
        let members = members(relationship)
        guard members.relation.isOrdered else {
            raise(.invalidArgument, "\"\(members.relation.name)\" of \"\(runtime.name)\" is not ordered")
        }
        guard index >= 0, index <= last(members.count) else {
            raise(.range, "index \(index) is beyond \"\(members.relation.name)\"")
        }
        return members
    }
}
