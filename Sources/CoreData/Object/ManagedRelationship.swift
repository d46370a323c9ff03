// The handle by which accessors of relationships name theirs, and read and change it.

import CoreDataSchema
import CoreDataSupport
public import Foundation

/// A relationship of a class's entity, as an accessor names it: `self[ManagedRelationship("friends", number: 4)]`.
///
/// The number is the relationship's place among the entity's properties, the same for every subentity. As with
/// `ManagedAttribute`, it is used where the class's `ManagedKeys` were found right; else the key decides.
@frozen
public struct ManagedRelationship: Sendable {
    @usableFromInline let key: StaticString
    /// Position in `ManagedEntity.properties`; negative if it isn't known.
    @usableFromInline let number: Int

    /// A relationship with its number, which must be the one that the class's `ManagedKeys` states.
    ///
    /// - Parameters:
    ///   - key: the relationship's name.
    ///   - number: its number among the entity's relationships and fetched properties.
    @inlinable
    public init(_ key: StaticString, number: Int) {
        self.key = key
        self.number = number
    }

    /// A relationship that is found by its key at each access.
    @inlinable
    public init(_ key: StaticString) {
        self.init(key, number: -1)
    }
}

extension NSManagedObject {
    /// The other side of a relationship: an object, or members as a set, array or Foundation's set. Setting it keeps
    /// the inverse in step. A fetched property is read as an array.
    public final subscript<Value: ManagedRelated>(relationship: ManagedRelationship) -> Value {
        get { Value.load(from: self, relationship) }
        set { Value.store(newValue, in: self, relationship) }
    }

    /// Returns how many members a to-many relationship has.
    public final func count(of relationship: ManagedRelationship) -> Int { members(relationship).count }

    /// Returns whether an object is a member of a to-many relationship.
    ///
    /// - Parameters:
    ///   - object: the object.
    ///   - relationship: the relationship.
    public final func contains(_ object: NSManagedObject, in relationship: ManagedRelationship) -> Bool {
        members(relationship).contains(object)
    }

    // MARK: Changing members

    /// Adds an object to a to-many relationship, last if it is ordered, as `addToPeople(_:)` does.
    ///
    /// - Parameters:
    ///   - object: the new member.
    ///   - relationship: the relationship.
    public final func add(_ object: NSManagedObject, to relationship: ManagedRelationship) {
        members(relationship).add(object)
    }

    /// Adds objects to a to-many relationship.
    ///
    /// - Parameters:
    ///   - objects: the new members.
    ///   - relationship: the relationship.
    public final func add<Objects: Sequence>(_ objects: Objects, to relationship: ManagedRelationship)
    where Objects.Element: NSManagedObject {
        let members = members(relationship)
        for object in objects { members.add(object) }
    }

    /// Adds the objects of an `NSSet` or `NSOrderedSet` to a to-many relationship.
    ///
    /// - Parameters:
    ///   - objects: the new members.
    ///   - relationship: the relationship.
    public final func add(_ objects: NSSet, to relationship: ManagedRelationship) {
        add(checked(objects, relationship: relationship), to: relationship)
    }

    /// Adds the objects of an ordered set to a to-many relationship.
    ///
    /// - Parameters:
    ///   - objects: the new members.
    ///   - relationship: the relationship.
    public final func add(_ objects: NSOrderedSet, to relationship: ManagedRelationship) {
        add(checked(objects, relationship: relationship), to: relationship)
    }

    /// Removes an object from a to-many relationship, as `removeFromPeople(_:)` does.
    ///
    /// - Parameters:
    ///   - object: the member.
    ///   - relationship: the relationship.
    public final func remove(_ object: NSManagedObject, from relationship: ManagedRelationship) {
        members(relationship).remove(object)
    }

    /// Removes objects from a to-many relationship.
    ///
    /// - Parameters:
    ///   - objects: the members.
    ///   - relationship: the relationship.
    public final func remove<Objects: Sequence>(_ objects: Objects, from relationship: ManagedRelationship)
    where Objects.Element: NSManagedObject {
        let members = members(relationship)
        for object in Array(objects) { members.remove(object) }
    }

    /// Removes the objects of a set from a to-many relationship.
    ///
    /// - Parameters:
    ///   - objects: the members.
    ///   - relationship: the relationship.
    public final func remove(_ objects: NSSet, from relationship: ManagedRelationship) {
        remove(checked(objects, relationship: relationship), from: relationship)
    }

    /// Removes the objects of an ordered set from a to-many relationship.
    ///
    /// - Parameters:
    ///   - objects: the members.
    ///   - relationship: the relationship.
    public final func remove(_ objects: NSOrderedSet, from relationship: ManagedRelationship) {
        remove(checked(objects, relationship: relationship), from: relationship)
    }

    // MARK: From the accessor

    /// The property that an accessor means: by its number where that is known to hold, else by key.
    final func property(_ relationship: ManagedRelationship) -> PropertyRuntime {
        propertyReference(relationship).takeUnretainedValue()
    }

    /// The same, without counting a reference to it: the model holds it.
    @inline(__always)
    private final func propertyReference(_ relationship: ManagedRelationship) -> Unmanaged<PropertyRuntime> {
        let number = relationship.number
        if number >= 0, !state.traits.contains(.layoutMismatch) {
            return withEntity { $0.properties.reference(number) }
        }
        let key = "\(relationship.key)"
        guard let property = runtime.property(key) else { raiseUnknown(key) }
        return .passUnretained(property)
    }

    /// Calls the closure with the slot, relation and property of a to-one relationship, and counts no references to them.
    @inline(__always)
    final func withToOne<Result>(
        _ relationship: ManagedRelationship, _ body: (Slot, RelationRuntime, PropertyRuntime) -> Result
    ) -> Result {
        uncounted(propertyReference(relationship)) { property in
            guard let (slot, relation) = property.toOne else {
                raise(
                    .invalidArgument,
                    "\"\(property.name)\" is no to-one relationship of \"\(runtime.name)\"")
            }
            return uncounted(relation) { body(slot, $0, property) }
        }
    }

    final func members(_ relationship: ManagedRelationship) -> ToMany {
        let property = property(relationship)
        guard case .toMany(let found) = property.kind else {
            raise(.invalidArgument, "\"\(property.name)\" is no to-many relationship of \"\(runtime.name)\"")
        }
        prepareToRead(.property(property))
        return toMany(found)
    }

    /// Returns the objects that a client gave for members, each once and of the destination's entity.
    final func checked(_ objects: Any?, relationship: ManagedRelationship) -> [NSManagedObject] {
        members(objects, relation: members(relationship).relation)
    }
}
