// The result of `mutableOrderedSetValue(forKey:)`.
//
// Most of Foundation's mutating methods of ordered sets can't be overridden off Apple's systems, so the set keeps
// members of its own and is brought in step with the relationship: when the relationship is read, when changes are
// processed, and when the set is released.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// An ordered set that follows a relationship and that the relationship follows.
final class MutableRelationshipOrderedSet: NSMutableOrderedSet {
    private let relation: RelationRuntime
    private let owner: NSManagedObject
    /// The members of the relationship when both were last in step.
    private var known: [NSManagedObject] = []
    private var isBusy = false

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

    deinit {
        // The last one to hold the set may be anywhere.
        guard isAhead, let context = owner.registry.context else { return }
        context.performAndWait { push() }
    }

    /// Takes over what the relationship has.
    func follow(_ members: [NSManagedObject]) {
        if isBusy { return }
        isBusy = true
        defer { isBusy = false }
        removeAllObjects()
        addObjects(from: members)
        known = members
    }

    /// Makes the relationship have what was put into this set.
    func push() {
        if isBusy || !isAhead { return }
        isBusy = true
        defer { isBusy = false }
        known = owner.members(array, relation: relation)
        // A refresh gives the owner new members: these follow from now on.
        let relationship = owner.toMany(relation)
        relationship.replace(with: known)
        if relationship.mirror == nil { relationship.mirror = self }
    }

    /// Indicates whether members were added or removed that the relationship hasn't heard of.
    private var isAhead: Bool {
        let members = array
        return members.count != known.count || !zip(members, known).allSatisfy { ($0 as AnyObject) === $1 }
    }

    override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: array) }

    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableOrderedSet(array: array) }
}

/// A set that its client may still hold.
struct WeakMirror {
    weak var mirror: MutableRelationshipOrderedSet?
}

extension NSManagedObjectContext {
    /// Takes over what clients put into sets that they hold.
    final func pullIntoMirrors() {
        if mirrors.isEmpty { return }
        for entry in mirrors { entry.mirror?.push() }
        mirrors.removeAll { $0.mirror == nil }
    }
}
