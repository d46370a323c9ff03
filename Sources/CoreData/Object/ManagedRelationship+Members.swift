// For the package SwiftData: the members of to-many relationships that grow one by one.

import CoreDataSchema

/// The members of a relationship at one moment: equal as long as none was added or removed and their order is the same.
@_spi(SwiftData)
public struct MemberState: Equatable {
    private let members: ToMany
    private let generation: Int

    init(_ members: ToMany) {
        self.members = members
        generation = members.generation
    }

    /// Returns true if the members are the same.
    ///
    /// - Parameters:
    ///   - left: the one state.
    ///   - right: the other.
    public static func == (left: MemberState, right: MemberState) -> Bool {
        left.members === right.members && left.generation == right.generation
    }
}

@_spi(SwiftData)
extension NSManagedObject {
    /// The state of a to-many relationship's members, and how many they are.
    public final func memberState(_ relationship: ManagedRelationship) -> (state: MemberState, count: Int) {
        let members = members(relationship)
        return (MemberState(members), members.count)
    }

    /// Adds objects to a to-many relationship, behind the members that it has.
    ///
    /// - Parameters:
    ///   - objects: the objects.
    ///   - relationship: the relationship.
    public final func append(_ objects: [NSManagedObject], to relationship: ManagedRelationship) {
        members(relationship).append(objects)
    }
}

extension ToMany {
    /// Adds objects behind the members.
    fileprivate func append(_ objects: [NSManagedObject]) {
        read()
        owner.asOneChange {
            owner.observersWill(relation.name)
            for object in objects { add(object) }
            owner.prepareToChange()
            owner.noteChange()
            owner.observersDid(relation.name)
        }
    }
}
