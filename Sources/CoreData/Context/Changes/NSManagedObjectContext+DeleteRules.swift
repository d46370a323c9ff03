// The effects of deletions on other objects: delete rules, applied at the end of an event and by a save.

import CoreDataSchema
import Foundation

extension NSManagedObjectContext {
    /// From how many deleted objects on relationships are read together.
    private static var largeLevel: Int { 8 }

    /// Applies delete rules until no object is newly deleted. In levels, not recursively: cascades may be as deep as
    /// the data, and what a level needs from the stores is read with few requests.
    ///
    /// - Parameters:
    ///   - objects: those that may await their rules.
    ///   - isReadingAnew: whether the deletions took newer rows, so that what they reach is to be as new.
    final func propagateDeletes(among objects: [NSManagedObject], isReadingAnew: Bool = false) {
        changes.hasFreshDeletes = false
        var level = awaitingRules(objects)
        while !level.isEmpty {
            // Kept, because their rows would have to be read again.
            let ahead = level.count >= Self.largeLevel ? readAhead(level) : []
            defer { withExtendedLifetime(ahead) {} }
            var next: [NSManagedObject] = []
            var rules = ReachingRules()
            level.each { object in
                if !object.state.awaitsRules { return }
                object.state.apply(.rules)
                rules.rules(of: object).each {
                    apply($0, of: object, isReadingAnew: isReadingAnew, next: &next)
                }
            }
            // Objects that `prepareForDeletion` deleted are pending as well.
            level = next.isEmpty ? awaitingRules(changes.pending) : next
        }
    }

    private final func awaitingRules(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        let awaiting = objects.keeping(\.awaitsRules)
        if events.inPreparation.isEmpty { return awaiting }
        return awaiting.filter { object in !events.inPreparation.contains { $0 === object } }
    }

    private final func apply(
        _ rule: ReachingRule, of object: NSManagedObject, isReadingAnew: Bool,
        next: inout [NSManagedObject]
    ) {
        let relation = rule.relation
        guard let slot = rule.slot else {
            for other in object.toMany(relation).objects {
                if isReadingAnew { other.readAnewUnlessChanged() }
                apply(relation, of: object, to: other, next: &next)
            }
            return
        }
        guard let other = object.destination(slot, relation: relation) else { return }
        if isReadingAnew { other.readAnewUnlessChanged() }
        apply(relation, of: object, to: other, next: &next)
        // Of two that go, each still leads to the other once both are gone.
        if other.state.isDeleted { _ = object.toOne(slot, relation: relation) }
    }

    private final func apply(
        _ relation: RelationRuntime, of object: NSManagedObject, to other: NSManagedObject,
        next: inout [NSManagedObject]
    ) {
        other.readAnewIfGone()
        switch relation.traits.deleteRule {
        case .cascade:
            if other.state.isLive {
                other.state.apply(.deletion)
                track(other)
                prepareForDeletion(other)
                next.append(other)
            }
        case .nullify:
            if let inverse = relation.inverse, !other.state.isDeleted {
                other.readAnew(unless: inverse, leadsTo: object)
                other.detachInverse(inverse, from: object)
            }
        case .deny, .noAction: break
        }
    }

    // MARK: Reading what a level needs

    /// Reads the rows and relationships that delete rules are about to look at, with requests for many objects at
    /// once. Values that can't be read are left to the object, which asks for them
    /// again and reports the error.
    ///
    /// - Returns: the objects on the other side of to-one relationships, which nobody else may hold.
    private final func readAhead(_ level: [NSManagedObject]) -> [NSManagedObject] {
        let stored = level.filter(\.isKnownBelow)
        if stored.count < Self.largeLevel { return [] }
        try? readRows(of: stored)
        var ahead: [NSManagedObject] = []
        var rules = ReachingRules()
        for group in stored.grouped(by: { $0.runtime.number }) where group.count >= Self.largeLevel {
            var latest: (table: Int32, isAskedSingly: Bool)?
            let objects = group.filter { !$0.state.isUnread && !isAskedSingly($0, latest: &latest) }
            for rule in rules.rules(of: group[0]) {
                if let slot = rule.slot {
                    let others = destinations(slot, relation: rule.relation, of: objects)
                    try? readRows(of: others)
                    ahead += others
                } else {
                    try? prefetchToMany(rule.relation, objects: objects)
                }
            }
        }
        return ahead
    }

    /// The objects that a to-one relationship of these objects leads to, neighbours that are the same once.
    private final func destinations(
        _ slot: Slot, relation: RelationRuntime, of objects: [NSManagedObject]
    ) -> [NSManagedObject] {
        var others: [NSManagedObject] = []
        objects.each { object in
            guard let other = object.destination(slot, relation: relation), others.last !== other else {
                return
            }
            others.append(other)
        }
        return others
    }

    /// Gives rows to those of the objects that are faults without any.
    private final func readRows(of objects: [NSManagedObject]) throws {
        var latest: (table: Int32, isAskedSingly: Bool)?
        let unread = objects.filter {
            $0.state.isUnread && $0.isKnownBelow && !isAskedSingly($0, latest: &latest)
        }
        for faults in unread.grouped(by: { Int($0.table) }) where faults.count >= Self.largeLevel {
            let table = Int(faults[0].table)
            let store = try requiredStore(ofTable: table)
            let root = runtime.entities[faults[0].runtime.rootNumber]
            let keys = Array(Set(faults.map(\.primaryKey)))
            try withStores {
                try store.fetchRows(entity: root, primaryKeys: keys) {
                    attachToFaults($0, store: store, entity: root)
                }
            }
        }
    }

    /// Returns whether the object's store answers for one object at a time, so that asking for many costs as
    /// much. `latest` is the answer about the object before, which mostly holds.
    private final func isAskedSingly(
        _ object: NSManagedObject, latest: inout (table: Int32, isAskedSingly: Bool)?
    ) -> Bool {
        if let latest, latest.table == object.table { return latest.isAskedSingly }
        let isAskedSingly = store(ofTable: Int(object.table))?.deliversFaults ?? true
        latest = (object.table, isAskedSingly)
        return isAskedSingly
    }
}

extension NSManagedObject {
    /// Reads an object again that doesn't know of its relationship to another, which the other's row knows: its row is an
    /// older one.
    final func readAnew(unless inverse: RelationRuntime, leadsTo other: NSManagedObject) {
        if inverse.isToMany {
            let members = extras?.relations[inverse.number] as? ToMany
            if let members, members.isLoaded, !members.isChanged, !members.contains(other) {
                readAnewUnlessChanged()
            }
        } else if let slot = runtime.layout.slot(named: inverse.name),
            toOne(slot, relation: relations(inverse)) !== other
        {
            readAnewUnlessChanged()
        }
    }
}

/// A relationship through which deletions reach other objects, with its slot if it is a to-one.
private final class ReachingRule {
    let slot: Slot?
    let relation: RelationRuntime

    init?(_ property: PropertyRuntime) {
        guard let relation = property.relation, relation.reachesMembersInDeletion else { return nil }
        self.relation = relation
        slot = if case .toOne(let slot, _) = property.kind { slot } else { nil }
    }
}

/// The rules of the entity that was asked for last.
private struct ReachingRules {
    private var entity: UInt = 0
    private var known: [ReachingRule] = []

    mutating func rules(of object: NSManagedObject) -> [ReachingRule] {
        if object.entityAddress != entity {
            entity = object.entityAddress
            known = object.runtime.properties.compactMap(ReachingRule.init)
        }
        return known
    }
}

extension [NSManagedObject] {
    /// The objects by a number of theirs, which is mostly the same for all.
    fileprivate func grouped(by number: (NSManagedObject) -> Int) -> [[NSManagedObject]] {
        guard let first = first.map(number) else { return [] }
        if allSatisfy({ number($0) == first }) { return [self] }
        return Array<Self>(Dictionary(grouping: self, by: number).values)
    }
}

extension RelationRuntime {
    /// Indicates whether the delete rule looks at the objects on the other side: there is a cascade to
    /// follow, or an inverse to clear.
    fileprivate var reachesMembersInDeletion: Bool {
        switch traits.deleteRule {
        case .cascade: true
        case .nullify: inverse != nil
        case .deny, .noAction: false
        }
    }
}
