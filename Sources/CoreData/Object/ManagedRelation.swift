// Typed access to relationships: what generated accessors call. A handle is looked up once for each entity; after
// that no key is hashed and nothing is boxed.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// Which relationship of an entity, to-one or to-many, in its objects. The same for every subentity.
@frozen
public struct ManagedRelation: Sendable {
    /// Position in `EntityRuntime.properties`.
    @usableFromInline let number: Int
}

extension NSManagedObject {
    /// The handle of a relationship, for repeated typed access. Raises if the entity has no such relationship.
    public final func relation(forKey key: String) -> ManagedRelation {
        guard let property = runtime.property(key), property.relation != nil else { raiseUnknown(key) }
        return ManagedRelation(number: property.number)
    }

    // MARK: To one

    /// The object on the other side of a to-one relationship; setting it keeps the inverse in step.
    public final subscript<Object: NSManagedObject>(relation: ManagedRelation) -> Object? {
        get {
            let (slot, found, property) = toOne(relation)
            prepareToRead(.property(property))
            guard let object = toOne(slot, found) else { return nil }
            guard let typed = object as? Object else { raiseWrongClass(object, property, Object.self) }
            return typed
        }
        set {
            let (slot, found, _) = toOne(relation)
            if let newValue { check(newValue, found) }
            setToOne(newValue, slot, found)
        }
    }

    // MARK: To many

    /// The members of a to-many relationship; setting them keeps the inverses in step. The set is made once until
    /// the next change.
    public final subscript<Object: NSManagedObject>(relation: ManagedRelation) -> Set<Object> {
        get { members(relation).native() }
        set { members(relation).replace(with: checked(newValue, relation)) }
    }

    /// The members of an ordered to-many relationship in their order.
    public final subscript<Object: NSManagedObject>(relation: ManagedRelation) -> [Object] {
        get { members(relation).objects.compactMap { $0 as? Object } }
        set { members(relation).replace(with: checked(newValue, relation)) }
    }

    /// How many members a to-many relationship has.
    public final func count(of relation: ManagedRelation) -> Int { members(relation).count }

    /// Whether an object is a member of a to-many relationship.
    public final func contains(_ object: NSManagedObject, in relation: ManagedRelation) -> Bool {
        members(relation).contains(object)
    }

    /// Adds an object to a to-many relationship: last, if it is ordered. What `addToPeople(_:)` calls.
    public final func add(_ object: NSManagedObject, to relation: ManagedRelation) {
        members(relation).add(object)
    }

    /// Adds objects to a to-many relationship.
    public final func add<Objects: Sequence>(_ objects: Objects, to relation: ManagedRelation)
    where Objects.Element: NSManagedObject {
        let members = members(relation)
        for object in objects { members.add(object) }
    }

    /// Removes an object from a to-many relationship. What `removeFromPeople(_:)` calls.
    public final func remove(_ object: NSManagedObject, from relation: ManagedRelation) {
        members(relation).remove(object)
    }

    /// Removes objects from a to-many relationship.
    public final func remove<Objects: Sequence>(_ objects: Objects, from relation: ManagedRelation)
    where Objects.Element: NSManagedObject {
        let members = members(relation)
        for object in Array(objects) { members.remove(object) }
    }

    /// Inserts an object into an ordered relationship. What `insertIntoNotes(_:at:)` calls.
    public final func insert(_ object: NSManagedObject, into relation: ManagedRelation, at index: Int) {
        let members = ordered(relation, index, upTo: { $0 })
        members.add(object, at: index)
    }

    /// Removes the object at a position of an ordered relationship. What `removeFromNotes(at:)` calls.
    public final func removeObject(at index: Int, from relation: ManagedRelation) {
        let members = ordered(relation, index, upTo: { $0 - 1 })
        members.remove(members.objects[index])
    }

    /// Puts an object in place of the one at a position of an ordered relationship. What `replaceNotes(at:with:)`
    /// calls.
    public final func replaceObject(at index: Int, in relation: ManagedRelation, with object: NSManagedObject)
    {
        let members = ordered(relation, index, upTo: { $0 - 1 })
        var objects = members.objects
        objects[index] = object
        members.replace(with: checked(objects, relation))
    }

    // MARK: From the handle

    private final func property(_ relation: ManagedRelation) -> PropertyRuntime {
        guard runtime.properties.indices.contains(relation.number) else {
            raise(.invalidArgument, "the handle is not of a relationship of entity \"\(runtime.name)\"")
        }
        return runtime.properties[relation.number]
    }

    private final func toOne(_ relation: ManagedRelation) -> (Slot, RelationRuntime, PropertyRuntime) {
        let property = property(relation)
        guard case .toOne(let slot, let found) = property.kind else {
            raise(.invalidArgument, "\"\(property.name)\" is no to-one relationship of \"\(runtime.name)\"")
        }
        return (slot, found, property)
    }

    private final func members(_ relation: ManagedRelation) -> ToMany {
        let property = property(relation)
        guard case .toMany(let found) = property.kind else {
            raise(.invalidArgument, "\"\(property.name)\" is no to-many relationship of \"\(runtime.name)\"")
        }
        prepareToRead(.property(property))
        return toMany(found)
    }

    private final func ordered(
        _ relation: ManagedRelation, _ index: Int, upTo last: (Int) -> Int
    ) -> ToMany {
        let members = members(relation)
        guard members.relation.isOrdered else {
            raise(.invalidArgument, "\"\(members.relation.name)\" of \"\(runtime.name)\" is not ordered")
        }
        guard index >= 0, index <= last(members.count) else {
            raise(.range, "index \(index) is beyond \"\(members.relation.name)\"")
        }
        return members
    }

    /// Each object once, and of the destination's entity.
    private final func checked<Objects: Sequence>(
        _ objects: Objects, _ relation: ManagedRelation
    ) -> [NSManagedObject] where Objects.Element: NSManagedObject {
        guard let found = property(relation).relation else { return [] }
        var seen = Set<ObjectIdentifier>()
        return objects.filter { object in
            check(object, found)
            return seen.insert(ObjectIdentifier(object)).inserted
        }
    }

    private final func raiseWrongClass(
        _ object: NSManagedObject, _ property: PropertyRuntime, _ wanted: NSManagedObject.Type
    ) -> Never {
        raise(
            .invalidArgument,
            "\"\(property.name)\" of \"\(runtime.name)\" leads to a \(type(of: object)), not a \(wanted)")
    }
}
