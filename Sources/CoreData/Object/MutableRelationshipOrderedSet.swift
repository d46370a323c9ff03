// The result of `mutableOrderedSetValue(forKey:)`.
//
// Foundation reads some of an ordered set's members without asking a subclass (`array`, `for`), so the set keeps members of its
// own: each change of it is at once one of the relationship, and each change of the relationship one of it.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// An ordered set that follows a relationship and that the relationship follows.
final class MutableRelationshipOrderedSet: NSMutableOrderedSet {
    private let relation: RelationRuntime
    private let owner: NSManagedObject
    private var isBusy = false
    /// Indicates that the owner lost its members, as a refresh has it: they are read again before the set shows or changes any.
    var isStale = false

    init(_ relationship: ToMany) {
        relation = relationship.relation
        owner = relationship.owner
        super.init(capacity: 0)
        follow(relationship.objects)
    }

    required override init(capacity numItems: Int) {
        raise(.invalidArgument, "a relationship's set comes from mutableOrderedSetValue(forKey:)")
    }

    required convenience init?(coder: NSCoder) { nil }

    required convenience init(arrayLiteral elements: Any...) {
        raise(.invalidArgument, "a relationship's set comes from mutableOrderedSetValue(forKey:)")
    }

    /// Takes over what the relationship has.
    func follow(_ members: [NSManagedObject]) {
        if isBusy { return }
        isBusy = true
        defer { isBusy = false }
        super.removeAllObjects()
        super.addObjects(from: members)
    }

    func shows(_ relation: RelationRuntime, of object: NSManagedObject) -> Bool {
        owner === object && self.relation === relation
    }

    /// Reads the members again if the owner lost them. Once its context is gone the set shows what it had.
    func catchUp() {
        guard isStale, !isBusy, owner.registry.context != nil, !owner.state.isGone else { return }
        isStale = false
        follow(relationship.objects)
    }

    /// The owner's members of this moment: a refresh gives it new ones, which this set follows from then on.
    private var relationship: ToMany {
        let relationship = owner.toManyToRead(relation)
        if relationship.mirror == nil { relationship.mirror = self }
        return relationship
    }

    /// Changes this set, and has the relationship follow.
    private func change(_ body: () -> Void) {
        if isBusy { return body() }
        catchUp()
        isBusy = true
        body()
        let relationship = relationship
        let members = owner.members(array, relation: relation)
        relationship.replace(with: members, telling: KeyMutation(from: relationship.objects, to: members))
        isBusy = false
        followIfBehind(relationship.objects)
    }

    /// Observers of the change may have made others.
    private func followIfBehind(_ members: [NSManagedObject]) {
        let own = array
        let isInStep = own.count == members.count && zip(own, members).allSatisfy { ($0 as AnyObject) === $1 }
        if !isInStep { follow(members) }
    }

    override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: members) }

    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableOrderedSet(array: members) }

    private var members: [Any] {
        catchUp()
        return array
    }

    // MARK: Reading, as far as it can be overridden

    override var count: Int {
        catchUp()
        return super.count
    }

    override func object(at index: Int) -> Any {
        catchUp()
        return super.object(at: index)
    }

    override func index(of object: Any) -> Int {
        catchUp()
        return super.index(of: object)
    }

    override func contains(_ object: Any) -> Bool {
        catchUp()
        return super.contains(object)
    }

    // MARK: Changing

    /// One more member at the end is the most frequent change, and looks at no other member.
    override func add(_ object: Any) {
        if isBusy { return super.add(object) }
        catchUp()
        guard let member = owner.related(object, relation: relation) else { return }
        isBusy = true
        super.add(member)
        let relationship = relationship
        relationship.add(member)
        isBusy = false
        if relationship.count != super.count { follow(relationship.objects) }
    }

    override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
        change { super.add(objects, count: count) }
    }

    override func addObjects(from array: [Any]) { change { super.addObjects(from: array) } }

    override func insert(_ object: Any, at index: Int) { change { super.insert(object, at: index) } }

    override func insert(_ objects: [Any], at indexes: IndexSet) {
        change { super.insert(objects, at: indexes) }
    }

    override func removeObject(at index: Int) { change { super.removeObject(at: index) } }

    override func removeObjects(at indexes: IndexSet) { change { super.removeObjects(at: indexes) } }

    override func removeObjects(in range: NSRange) { change { super.removeObjects(in: range) } }

    override func removeObjects(in array: [Any]) { change { super.removeObjects(in: array) } }

    override func remove(_ object: Any) { change { super.remove(object) } }

    override func removeAllObjects() { change { super.removeAllObjects() } }

    override func replaceObject(at index: Int, with object: Any) {
        change { super.replaceObject(at: index, with: object) }
    }

    override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
        change { super.replaceObjects(at: indexes, with: objects) }
    }

    override func replaceObjects(in range: NSRange, with objects: UnsafePointer<AnyObject>?, count: Int) {
        change { super.replaceObjects(in: range, with: objects, count: count) }
    }

    override func setObject(_ object: Any, at index: Int) { change { super.setObject(object, at: index) } }

    override subscript(index: Int) -> Any {
        get { object(at: index) }
        set { change { super.setObject(newValue, at: index) } }
    }

    override func exchangeObject(at first: Int, withObjectAt second: Int) {
        change { super.exchangeObject(at: first, withObjectAt: second) }
    }

    override func moveObjects(at indexes: IndexSet, to index: Int) {
        change { super.moveObjects(at: indexes, to: index) }
    }

    override func intersect(_ other: NSOrderedSet) { change { super.intersect(other) } }

    override func minus(_ other: NSOrderedSet) { change { super.minus(other) } }

    override func union(_ other: NSOrderedSet) { change { super.union(other) } }

    override func intersectSet(_ other: Set<AnyHashable>) { change { super.intersectSet(other) } }

    override func minusSet(_ other: Set<AnyHashable>) { change { super.minusSet(other) } }

    override func unionSet(_ other: Set<AnyHashable>) { change { super.unionSet(other) } }

    override func sort(using sortDescriptors: [NSSortDescriptor]) {
        change { super.sort(using: sortDescriptors) }
    }

    override func sort(comparator: (Any, Any) -> ComparisonResult) {
        change { super.sort(comparator: comparator) }
    }

    override func sort(
        options: NSSortOptions = [], usingComparator comparator: (Any, Any) -> ComparisonResult
    ) {
        change { super.sort(options: options, usingComparator: comparator) }
    }

    override func sortRange(
        _ range: NSRange, options: NSSortOptions = [],
        usingComparator comparator: (Any, Any) -> ComparisonResult
    ) {
        change { super.sortRange(range, options: options, usingComparator: comparator) }
    }
}

/// A set that its client may still hold.
struct WeakMirror {
    weak var mirror: MutableRelationshipOrderedSet?
}

extension NSManagedObjectContext {
    /// Has the sets that clients hold read members again that their owners lost.
    final func catchUpMirrors() {
        if mirrors.all.isEmpty { return }
        if mirrors.areStale {
            mirrors.areStale = false
            for entry in mirrors.all { entry.mirror?.catchUp() }
        }
        mirrors.all.removeAll { $0.mirror == nil }
    }
}
