// The collections that `mutableSetValue(forKey:)` and `mutableOrderedSetValue(forKey:)` return: changes to them are
// changes of the relationship.

import CoreDataSupport
public import Foundation

extension NSManagedObject {
    /// A set whose changes are changes of an unordered to-many relationship.
    public final func mutableSetValue(forKey key: String) -> NSMutableSet {
        MutableRelationshipSet(toMany(named: key, ordered: false))
    }

    /// An ordered set whose changes are changes of an ordered to-many relationship.
    public final func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        MutableRelationshipOrderedSet(toMany(named: key, ordered: true))
    }

    /// The members of a to-many relationship as a native set, made once until the next change.
    public final func relatedObjects<Object: NSManagedObject>(
        forKey key: String, as type: Object.Type = Object.self
    ) -> Set<Object> {
        toMany(named: key, ordered: nil).native(type)
    }

    private final func toMany(named key: String, ordered: Bool?) -> ToMany {
        guard let property = runtime.property(key), case .toMany(let relation) = property.kind else {
            raise(.invalidArgument, "\"\(key)\" is no to-many relationship of entity \"\(runtime.name)\"")
        }
        if let ordered, ordered != relation.isOrdered {
            raise(
                .invalidArgument,
                "relationship \"\(key)\" of entity \"\(runtime.name)\" is \(ordered ? "not " : "")ordered")
        }
        return toMany(relation)
    }
}

private final class MutableRelationshipSet: NSMutableSet {
    private let relationship: ToMany
    private let owner: NSManagedObject

    init(_ relationship: ToMany) {
        self.relationship = relationship
        owner = relationship.owner
        super.init(capacity: 0)
    }

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
        if let object = owner.related(object, relationship.relation) { relationship.add(object) }
    }

    override func remove(_ object: Any) {
        if let object = object as? NSManagedObject { relationship.remove(object) }
    }

    override func copy(with zone: NSZone? = nil) -> Any { NSSet(array: relationship.objects) }

    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(array: relationship.objects) }
}

private final class MutableRelationshipOrderedSet: NSMutableOrderedSet {
    private let relationship: ToMany
    private let owner: NSManagedObject

    init(_ relationship: ToMany) {
        self.relationship = relationship
        owner = relationship.owner
        super.init(capacity: 0)
    }

    required override init(capacity numItems: Int) {
        raise(.invalidArgument, "a relationship's set comes from mutableOrderedSetValue(forKey:)")
    }

    required convenience init?(coder: NSCoder) { nil }

    required convenience init(arrayLiteral elements: Any...) {
        raise(.invalidArgument, "a relationship's set comes from mutableOrderedSetValue(forKey:)")
    }

    override var count: Int { relationship.count }

    override func object(at index: Int) -> Any {
        let objects = relationship.objects
        guard objects.indices.contains(index) else {
            raise(.range, "index \(index) beyond the \(objects.count) members of \"\(relationship.relation.name)\"")
        }
        return objects[index]
    }

    override func index(of object: Any) -> Int {
        (object as? NSManagedObject).flatMap(relationship.index) ?? NSNotFound
    }

    override func insert(_ object: Any, at index: Int) {
        guard let object = owner.related(object, relationship.relation) else { return }
        relationship.add(object, at: index)
    }

    override func removeObject(at index: Int) {
        if let object = object(at: index) as? NSManagedObject { relationship.remove(object) }
    }

    override func replaceObject(at index: Int, with object: Any) {
        removeObject(at: index)
        insert(object, at: index)
    }

    override func moveObjects(at indexes: IndexSet, to index: Int) {
        var objects = relationship.objects
        let moved = indexes.map { objects[$0] }
        for position in indexes.reversed() { objects.remove(at: position) }
        objects.insert(contentsOf: moved, at: index)
        relationship.reorder(objects)
    }

    override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: relationship.objects) }

    override func mutableCopy(with zone: NSZone? = nil) -> Any {
        NSMutableOrderedSet(array: relationship.objects)
    }
}

private final class ArrayEnumerator: NSEnumerator {
    private var rest: IndexingIterator<[NSManagedObject]>

    init(_ objects: [NSManagedObject]) {
        rest = objects.makeIterator()
    }

    override func nextObject() -> Any? { rest.next() }
}
