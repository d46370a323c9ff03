// Changes of an object that a refresh drops: the other sides of its relationships follow.

import CoreDataSchema
import Foundation

extension NSManagedObject {
    /// An object on the other side of a relationship that unsaved changes connected or disconnected.
    typealias ChangedPair = (property: PropertyRuntime, other: NSManagedObject, isStored: Bool)

    /// The objects that unsaved changes connected with this one, or disconnected from it.
    final var changedPairs: [ChangedPair] {
        guard state.hasChanges, !state.isFault else { return [] }
        var pairs: [ChangedPair] = []
        for property in runtime.properties where property.relation?.inverse != nil {
            switch property.kind {
            case .toOne(let slot, let relation) where isChanged(slot):
                if let now = toOne(slot, relation: relation) { pairs.append((property, now, false)) }
                if let stored = committed.flatMap({ target(slot, relation: relation, in: $0) }) {
                    pairs.append((property, stored, true))
                }
            case .toMany(let relation):
                guard let members = extras?.relations[relation.number] as? ToMany else { continue }
                pairs += members.added.map { (property, $0, false) }
                pairs += members.removed.map { (property, $0, true) }
            default: break
            }
        }
        return pairs
    }

    /// Every object that a relationship leads to, for one whose deletion was dropped: delete rules took it from others.
    final var storedPairs: [ChangedPair] {
        runtime.properties.flatMap { property -> [ChangedPair] in
            guard property.relation?.inverse != nil else { return [] }
            switch property.kind {
            case .toOne(let slot, let relation):
                return toOne(slot, relation: relation).map { [(property, $0, true)] } ?? []
            case .toMany(let relation): return toMany(relation).objects.map { (property, $0, true) }
            default: return []
            }
        }
    }

    /// Has the other sides follow once the changes are dropped. An object that was connected with another one meanwhile stays
    /// there, which is a change of this one.
    final func followDropped(_ pairs: [ChangedPair]) {
        for (property, other, isStored) in pairs {
            guard let relation = property.relation, let inverse = relation.inverse, other !== self else {
                continue
            }
            if !isStored {
                if other.state.isLive { other.part(from: self, by: inverse) }
            } else if other.state.isDeletedForGood {
                continue
            } else if other.state.isDeleted {
                // Its rules look at what it leads to.
                if other.leadsTo(self, by: inverse) || other.takeBack(self, by: inverse) {
                    other.applyRulesAgain()
                } else {
                    leave(other, by: property)
                }
            } else if other.state.isLive, !other.leadsTo(self, by: inverse),
                !other.takeBack(self, by: inverse)
            {
                leave(other, by: property)
            }
        }
    }

    /// Has no relationship lead to an object any more but for what the store connects by now.
    private final func part(from object: NSManagedObject, by relation: RelationRuntime) {
        if state.isFault { return }
        let mine = relations(relation)
        if mine.isToMany {
            guard let members = extras?.relations[mine.number] as? ToMany, members.added.contains(object)
            else { return }
            if members.dropStated(object) { return noteChange() }
        } else {
            guard let slot = runtime.layout.slot(named: mine.name), isChanged(slot),
                toOne(slot, relation: mine) === object
            else { return }
        }
        detachInverse(relation, from: object)
    }

    private final func applyRulesAgain() {
        if state.awaitsRules { return }
        state.apply(.ruleRenewal)
        registry.context?.track(self)
    }

    /// Returns `false` if the object was connected with another one.
    private final func takeBack(_ object: NSManagedObject, by relation: RelationRuntime) -> Bool {
        let mine = relations(relation)
        if mine.isToMany {
            toMany(mine).takeBack(object)
            noteChange()
        } else if let slot = runtime.layout.slot(named: mine.name) {
            if toOne(slot, relation: mine) != nil { return false }
            lead(to: object, slot: slot, relation: mine)
        }
        return true
    }

    private final func leave(_ other: NSManagedObject, by property: PropertyRuntime) {
        switch property.kind {
        case .toOne(let slot, let relation):
            if toOne(slot, relation: relation) === other { lead(to: nil, slot: slot, relation: relation) }
        case .toMany(let relation): leaveOut(other, of: toMany(relation))
        default: break
        }
    }
}
