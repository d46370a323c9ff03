// The collections that `mutableSetValue(forKey:)` and `mutableOrderedSetValue(forKey:)` return: changes to them are
// changes of the relationship.

import CoreDataSchema
import CoreDataSupport
public import Foundation

extension NSManagedObject {
    /// Returns a set whose changes are changes of an unordered to-many relationship.
    ///
    /// ```swift
    /// hero.mutableSetValue(forKey: "powers").add(power)
    /// ```
    public final func mutableSetValue(forKey key: String) -> NSMutableSet {
        MutableRelationshipSet(toMany(named: key, ordered: false))
    }

    /// Returns an ordered set whose changes are changes of an ordered to-many relationship, at once.
    ///
    /// A client may hold it: it follows what others change. An object that is refreshed meanwhile has its members read again by the
    /// end of the event.
    public final func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        let relationship = toMany(named: key, ordered: true)
        if let mirror = relationship.mirror { return mirror }
        if let mirror = staleMirror(of: relationship.relation) { return mirror }
        let mirror = MutableRelationshipOrderedSet(relationship)
        relationship.mirror = mirror
        registry.context?.mirrors.all.append(WeakMirror(mirror: mirror))
        return mirror
    }

    /// The set of the members that the object lost, as by a refresh, if a client still holds it.
    private final func staleMirror(of relation: RelationRuntime) -> MutableRelationshipOrderedSet? {
        guard let context = registry.context, context.mirrors.areStale else { return nil }
        let mirror = context.mirrors.all.lazy.compactMap(\.mirror).first { $0.shows(relation, of: self) }
        mirror?.catchUp()
        return mirror
    }

    /// Returns a set whose changes are changes of the unordered to-many relationship at the end of a key path. If a to-one
    /// relationship on the way is nil, the set is empty and belongs to nobody: what is added to it is lost, as
    /// `setValue(_:forKeyPath:)` does nothing then.
    ///
    /// ```swift
    /// power.mutableSetValue(forKeyPath: "hero.powers").remove(power)
    /// ```
    public final func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
        guard let (object, key) = destination(of: keyPath) else { return NSMutableSet() }
        return object.mutableSetValue(forKey: key)
    }

    /// Returns an ordered set whose changes are changes of the ordered to-many relationship at the end of a key path. If a
    /// to-one relationship on the way is nil, the set is empty and belongs to nobody.
    public final func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
        guard let (object, key) = destination(of: keyPath) else { return NSMutableOrderedSet() }
        return object.mutableOrderedSetValue(forKey: key)
    }

    /// Returns the object that all but the last key of a path lead to, and that key; nil if a to-one relationship on the
    /// way is.
    private final func destination(of keyPath: String) -> (object: NSManagedObject, key: String)? {
        var object: NSManagedObject = self
        var rest = keyPath[...]
        while let dot = rest.firstIndex(of: ".") {
            let key = String(rest[..<dot])
            switch object.value(forKey: key) {
            case let next as NSManagedObject: object = next
            case nil where object.runtime.property(key)?.relation != nil: return nil
            default:
                raise(
                    .invalidArgument,
                    "\"\(key)\" of key path \"\(keyPath)\" is no to-one relationship of entity "
                        + "\"\(object.runtime.name)\"",
                    instead: "value(checkingKeyPath:)")
            }
            rest = rest[rest.index(after: dot)...]
        }
        return (object, String(rest))
    }

    /// Returns the members of a to-many relationship as a native set, made once until the next change.
    ///
    /// - Parameters:
    ///   - key: the relationship's name.
    ///   - type: the class of its members.
    public final func relatedObjects<Object: NSManagedObject>(
        forKey key: String, as type: Object.Type = Object.self
    ) -> Set<Object> {
        toMany(named: key, ordered: nil).native(type)
    }

    /// The members of a relationship at the moment at which they are asked for by its key.
    final func toManyToRead(_ relation: RelationRuntime) -> ToMany {
        prepareToRead(.key(relation.name))
        return toMany(relation)
    }

    private final func toMany(named key: String, ordered: Bool?) -> ToMany {
        guard let property = runtime.property(key), case .toMany(let relation) = property.kind else {
            raise(
                .invalidArgument, "\"\(key)\" is no to-many relationship of entity \"\(runtime.name)\"",
                instead: "value(checkingKeyPath:)")
        }
        if let ordered, ordered != relation.isOrdered {
            raise(
                .invalidArgument,
                "relationship \"\(key)\" of entity \"\(runtime.name)\" is \(ordered ? "not " : "")ordered")
        }
        prepareToRead(.property(property))
        return toMany(relation)
    }
}

private final class MutableRelationshipSet: NSMutableSet {
    private let relation: RelationRuntime
    private let owner: NSManagedObject

    init(_ relationship: ToMany) {
        relation = relationship.relation
        owner = relationship.owner
        super.init(capacity: 0)
    }

    /// The owner's members of this moment: a refresh gives it new ones.
    private var relationship: ToMany { owner.toManyToRead(relation) }

    required init(capacity numItems: Int) {
        raise(.invalidArgument, "a relationship's set comes from mutableSetValue(forKey:)")
    }

    required convenience init?(coder: NSCoder) { nil }

    override var count: Int { relationship.count }

    override func member(_ object: Any) -> Any? {
        (object as? NSManagedObject).flatMap { relationship.contains($0) ? $0 : nil }
    }

    override func objectEnumerator() -> NSEnumerator { ArrayEnumerator(relationship.objects) }

    override func add(_ object: Any) {
        if let object = owner.related(object, relation: relation) { relationship.add(object) }
    }

    override func remove(_ object: Any) {
        if let object = object as? NSManagedObject { relationship.remove(object) }
    }

    // Changes of several members are one change to observers.

    override func addObjects(from array: [Any]) {
        relationship.add(all: array.compactMap { owner.related($0, relation: relation) })
    }

    override func union(_ otherSet: Set<AnyHashable>) { addObjects(from: otherSet.map(\.base)) }

    override func minus(_ otherSet: Set<AnyHashable>) {
        relationship.remove(all: otherSet.compactMap { $0.base as? NSManagedObject })
    }

    override func intersect(_ otherSet: Set<AnyHashable>) {
        relationship.remove(all: relationship.objects.filter { !otherSet.contains($0) })
    }

    override func removeAllObjects() { relationship.remove(all: relationship.objects) }

    override func setSet(_ otherSet: Set<AnyHashable>) {
        relationship.replace(with: otherSet.compactMap { owner.related($0.base, relation: relation) })
    }

    override func copy(with zone: NSZone? = nil) -> Any { NSSet(array: relationship.objects) }

    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(array: relationship.objects) }
}

private final class ArrayEnumerator: NSEnumerator {
    private var rest: IndexingIterator<[NSManagedObject]>

    init(_ objects: [NSManagedObject]) {
        rest = objects.makeIterator()
    }

    override func nextObject() -> Any? { rest.next() }
}
