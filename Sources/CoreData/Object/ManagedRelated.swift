// The types that accessors of relationships may have.

import CoreDataSchema
import CoreDataSupport
public import Foundation

/// A type that the other side of a relationship can be read as and set from: managed objects for to-one
/// relationships; `Set`, `Array`, `NSSet` and `NSOrderedSet` for to-many ones; and optionals of all.
public protocol ManagedRelated {
    /// Returns the other side of a relationship.
    ///
    /// - Parameters:
    ///   - object: the object that has the relationship.
    ///   - relationship: the relationship's key and number.
    static func load(from object: NSManagedObject, _ relationship: ManagedRelationship) -> Self
    /// Returns the other side of a relationship; nil for a to-one relationship that leads nowhere.
    ///
    /// - Parameters:
    ///   - object: the object that has the relationship.
    ///   - relationship: the relationship's key and number.
    static func loadIfPresent(from object: NSManagedObject, _ relationship: ManagedRelationship) -> Self?
    /// Sets the relationship and keeps its inverse in step. Nil empties it.
    ///
    /// - Parameters:
    ///   - value: the other side, or nil.
    ///   - object: the object that has the relationship.
    ///   - relationship: the relationship's key and number.
    static func store(_ value: Self?, in object: NSManagedObject, _ relationship: ManagedRelationship)
}

extension Optional: ManagedRelated where Wrapped: ManagedRelated {
    public static func load(from object: NSManagedObject, _ relationship: ManagedRelationship) -> Wrapped? {
        Wrapped.loadIfPresent(from: object, relationship)
    }

    public static func loadIfPresent(
        from object: NSManagedObject, _ relationship: ManagedRelationship
    ) -> Wrapped?? {
        Wrapped.loadIfPresent(from: object, relationship)
    }

    public static func store(
        _ value: Wrapped??, in object: NSManagedObject, _ relationship: ManagedRelationship
    ) {
        Wrapped.store(value ?? nil, in: object, relationship)
    }
}

extension NSManagedObject: ManagedRelated {}

extension ManagedRelated where Self: NSManagedObject {
    /// Returns the object that a to-one relationship leads to, which must lead somewhere. For an object of
    /// another class, which is logged once, a new one of no context, if an entity of the model has this
    /// class.
    ///
    /// - Parameters:
    ///   - object: the object that has the relationship.
    ///   - relationship: the relationship's key and number.
    public static func load(from object: NSManagedObject, _ relationship: ManagedRelationship) -> Self {
        guard
            let found = loadIfPresent(from: object, relationship)
                ?? object.standIn(relationship, type: Self.self)
        else {
            raise(
                .invalidArgument,
                "\"\(relationship.key)\" of \"\(object.entity.name ?? "")\" is nil; a property that is a "
                    + "\(Self.self) can't show that: make it optional", instead: "value(checkingKeyPath:)")
        }
        return found
    }

    /// Returns the object that a to-one relationship leads to; nil, which is logged once, if it is of another
    /// class, as it may be where the property is declared narrower than the model's relationship.
    ///
    /// - Parameters:
    ///   - object: the object that has the relationship.
    ///   - relationship: the relationship's key and number.
    public static func loadIfPresent(
        from object: NSManagedObject, _ relationship: ManagedRelationship
    ) -> Self? {
        object.withToOne(relationship) { slot, relation, property in
            object.prepareToRead(.property(property))
            guard let found = object.toOne(slot, relation: relation) else { return nil }
            if let typed = found as? Self { return typed }
            object.warnOfClass(found, property: property, wanted: Self.self)
            return nil
        }
    }

    /// Lets a to-one relationship lead to an object, or nowhere.
    ///
    /// - Parameters:
    ///   - value: the other side, or nil.
    ///   - object: the object that has the relationship.
    ///   - relationship: the relationship's key and number.
    public static func store(
        _ value: Self?, in object: NSManagedObject, _ relationship: ManagedRelationship
    ) {
        object.withToOne(relationship) { slot, relation, _ in
            if let value { object.check(value, relation: relation) }
            object.setToOne(value, slot: slot, relation: relation)
        }
    }
}

// MARK: Members

extension Set: ManagedRelated where Element: NSManagedObject {
    /// Returns the members. The set is made once until the next change.
    ///
    /// - Parameters:
    ///   - object: the object that has the relationship.
    ///   - relationship: the relationship's key and number.
    public static func load(
        from object: NSManagedObject, _ relationship: ManagedRelationship
    ) -> Set<Element> {
        if let results = object.fetchedResults(relationship, type: Element.self) { return Set(results) }
        return object.members(relationship).native()
    }

    public static func loadIfPresent(
        from object: NSManagedObject, _ relationship: ManagedRelationship
    ) -> Set<Element>? {
        load(from: object, relationship)
    }

    public static func store(
        _ value: Set<Element>?, in object: NSManagedObject, _ relationship: ManagedRelationship
    ) {
        object.members(relationship).replace(
            with: object.checked(Array(value ?? []), relationship: relationship))
    }
}

extension Array: ManagedRelated where Element: NSManagedObject {
    /// Returns the members of a to-many relationship, in their order if it is ordered, or a fetched
    /// property's objects.
    ///
    /// - Parameters:
    ///   - object: the object that has the relationship.
    ///   - relationship: the relationship's key and number.
    public static func load(
        from object: NSManagedObject, _ relationship: ManagedRelationship
    ) -> [Element] {
        if let results = object.fetchedResults(relationship, type: Element.self) { return results }
        return object.members(relationship).objects.compactMap { $0 as? Element }
    }

    public static func loadIfPresent(
        from object: NSManagedObject, _ relationship: ManagedRelationship
    ) -> [Element]? {
        load(from: object, relationship)
    }

    public static func store(
        _ value: [Element]?, in object: NSManagedObject, _ relationship: ManagedRelationship
    ) {
        object.members(relationship).replace(with: object.checked(value ?? [], relationship: relationship))
    }
}

extension NSSet: ManagedRelated {}

extension ManagedRelated where Self: NSSet {
    /// Returns the members of a to-many relationship at this moment.
    ///
    /// - Parameters:
    ///   - object: the object that has the relationship.
    ///   - relationship: the relationship's key and number.
    public static func load(from object: NSManagedObject, _ relationship: ManagedRelationship) -> Self {
        object.foundationMembers(relationship, type: Self.self)
    }

    /// Returns the members of a to-many relationship at this moment.
    ///
    /// - Parameters:
    ///   - object: the object that has the relationship.
    ///   - relationship: the relationship's key and number.
    public static func loadIfPresent(
        from object: NSManagedObject, _ relationship: ManagedRelationship
    ) -> Self? {
        object.foundationMembers(relationship, type: Self.self)
    }

    /// Sets the members of a to-many relationship.
    ///
    /// - Parameters:
    ///   - value: the other side, or nil.
    ///   - object: the object that has the relationship.
    ///   - relationship: the relationship's key and number.
    public static func store(
        _ value: Self?, in object: NSManagedObject, _ relationship: ManagedRelationship
    ) {
        object.members(relationship).replace(with: object.checked(value, relationship: relationship))
    }
}

extension NSOrderedSet: ManagedRelated {}

extension ManagedRelated where Self: NSOrderedSet {
    /// Returns the members of an ordered relationship at this moment.
    ///
    /// - Parameters:
    ///   - object: the object that has the relationship.
    ///   - relationship: the relationship's key and number.
    public static func load(from object: NSManagedObject, _ relationship: ManagedRelationship) -> Self {
        object.foundationMembers(relationship, type: Self.self)
    }

    /// Returns the members of an ordered relationship at this moment.
    ///
    /// - Parameters:
    ///   - object: the object that has the relationship.
    ///   - relationship: the relationship's key and number.
    public static func loadIfPresent(
        from object: NSManagedObject, _ relationship: ManagedRelationship
    ) -> Self? {
        object.foundationMembers(relationship, type: Self.self)
    }

    /// Sets the members of an ordered relationship in their order.
    ///
    /// - Parameters:
    ///   - value: the other side, or nil.
    ///   - object: the object that has the relationship.
    ///   - relationship: the relationship's key and number.
    public static func store(
        _ value: Self?, in object: NSManagedObject, _ relationship: ManagedRelationship
    ) {
        object.members(relationship).replace(with: object.checked(value, relationship: relationship))
    }
}

extension NSManagedObject {
    /// The objects of a fetched property; `nil` if the accessor is a relationship's.
    final func fetchedResults<Object: NSManagedObject>(
        _ relationship: ManagedRelationship, type: Object.Type
    ) -> [Object]? {
        let property = property(relationship)
        guard case .fetched = property.kind else { return nil }
        return (storedValue(property) as? [NSManagedObject] ?? []).compactMap { found in
            if let typed = found as? Object { return typed }
            warnOfClass(found, property: property, wanted: type)
            return nil
        }
    }

    final func foundationMembers<Collection>(
        _ relationship: ManagedRelationship, type: Collection.Type
    ) -> Collection {
        let members = members(relationship).foundationSet
        if let typed = members as? Collection { return typed }
        if let set: Collection = mutableMembers(ofKey: "\(relationship.key)") { return set }
        guard let converted = Self.converted(members, to: type) else {
            raise(
                .invalidArgument,
                "\"\(relationship.key)\" of \"\(runtime.name)\" gives an \(Swift.type(of: members)), not a \(type)"
            )
        }
        Log.warning(
            "\"\(relationship.key)\" of entity \"\(runtime.name)\" is declared as \(type), but is "
                + (members is NSOrderedSet ? "ordered: declare NSOrderedSet" : "not ordered: declare NSSet"))
        return converted
    }

    /// The set whose changes are the relationship's, for an accessor whose type is one of Foundation's mutable sets; nil for
    /// others and where the order isn't the model's.
    final func mutableMembers<Value>(ofKey key: String) -> Value? {
        guard let relation = runtime.property(key)?.relation, relation.isToMany else { return nil }
        switch Value.self {
        case is NSMutableSet.Type, is NSMutableSet?.Type:
            return relation.isOrdered ? nil : mutableSetValue(forKey: key) as? Value
        case is NSMutableOrderedSet.Type, is NSMutableOrderedSet?.Type:
            return relation.isOrdered ? mutableOrderedSetValue(forKey: key) as? Value : nil
        default: return nil
        }
    }

    /// The members of a relationship that is declared as ordered and isn't, or the other way round. Nil for types that can
    /// be changed: changes would be lost.
    private static func converted<Collection>(_ members: NSObject, to type: Collection.Type) -> Collection? {
        switch members {
        case let ordered as NSOrderedSet where type == NSSet.self: NSSet(array: ordered.array) as? Collection
        case let set as NSSet where type == NSOrderedSet.self:
            NSOrderedSet(array: set.allObjects) as? Collection
        default: nil
        }
    }

    /// Returns a new object of no context, for an accessor that isn't optional and whose object
    /// couldn't be read or isn't of the accessor's class. Nothing can be saved that leads to it,
    /// so nobody misses it there.
    fileprivate final func standIn<Object: NSManagedObject>(
        _ relationship: ManagedRelationship, type: Object.Type
    ) -> Object? {
        let (isThere, destination) = withToOne(relationship) { slot, relation, _ in
            (toOne(slot, relation: relation) != nil, relation.destination(in: runtime.model))
        }
        guard hasFailedRead || isThere else { return nil }
        let fitting =
            destination.objectClass.inherits(type)
            ? destination : runtime.model.entities.first { !$0.isAbstract && $0.objectClass.inherits(type) }
        return fitting.flatMap {
            $0.binding.initializer.make($0.description, insertInto: nil) as? Object
        }
    }

    /// Says that a property is declared narrower than the model's, so that an object is left out.
    fileprivate final func warnOfClass(
        _ object: NSManagedObject, property: PropertyRuntime, wanted: NSManagedObject.Type
    ) {
        Log.warning(
            "\"\(property.name)\" of entity \"\(runtime.name)\" is declared as \(wanted), but leads to a "
                + "\(Swift.type(of: object)), which is left out: declare the class of the destination entity")
    }
}
