// Relationships of an object whose row others deleted, and that a save writes anew.

import CoreDataSchema
import Foundation

extension NSManagedObject {
    /// Has what the object is related to know of its new row. Relationships stay to what is there and led here, and to what
    /// nobody has connected with another object meanwhile.
    ///
    /// - Parameter changed: the numbers of the slots that were changed here while the row was there.
    final func connectAnew(changed: Set<Int>) {
        for property in runtime.properties {
            switch property.kind {
            case .toOne(let slot, let relation):
                guard let target = toOne(slot, relation: relation) else { continue }
                if !connectAnew(target, relation: relation, isOld: !changed.contains(slot.index)) {
                    replacingValues { storeToOne(nil, slot: slot, relation: relation) }
                }
            case .toMany(let relation):
                let members = toMany(relation)
                let others =
                    members.isLoaded ? members.members : knownMembers(relation) + Array(members.added)
                let kept = others.filter {
                    connectAnew($0, relation: relation, isOld: !members.added.contains($0))
                }
                replacingValues { members.restate(all: kept) }
            case .attribute, .composite, .fetched: break
            }
        }
    }

    /// The objects that are known to be members of a relationship that was never read.
    private final func knownMembers(_ relation: RelationRuntime) -> [NSManagedObject] {
        guard let inverse = relation.inverse else { return [] }
        let destination = relation.destination(in: runtime.model)
        return registry.objects(ofRoots: [destination.rootNumber]).filter { other in
            guard !other.isFault, other.state.isLive, other.runtime.isKind(of: destination),
                !toMany(relation).added.contains(other)
            else { return false }
            if inverse.isToMany {
                let members = other.extras?.relations[inverse.number] as? ToMany
                return members.map { $0.isLoaded && $0.contains(self) } ?? false
            }
            return ToOneEnd(other, inverse)?.target === self
        }
    }

    /// Connects the other side of a relationship with this object, whose row is new. Returns `false` if the other object is
    /// gone, or is another one's by now.
    private final func connectAnew(_ other: NSManagedObject, relation: RelationRuntime, isOld: Bool) -> Bool {
        if other === self { return true }
        let order = relation.inverse.flatMap { other.loadedOrder(of: $0) }
        other.readAnewUnlessChanged()
        other.prepareToRead()
        guard other.state.isLive else { return false }
        guard let inverse = relation.inverse else { return true }
        let theirs = other.relations(inverse)
        if inverse.isToMany {
            other.replacingValues {
                other.toMany(theirs).restate(self)
                if let order { other.toMany(theirs).arrange(as: order) }
            }
        } else if let slot = other.runtime.layout.slot(named: inverse.name) {
            let known = other.toOne(slot, relation: theirs)
            if known === self { return true }
            // A relationship that was set here is decided on once all rows are merged.
            if known != nil || other.isChanged(slot) { return !isOld }
            other.replacingValues { other.storeToOne(self, slot: slot, relation: theirs) }
        }
        other.noteChange()
        return true
    }

    /// The members of an ordered relationship that was read.
    private final func loadedOrder(of relation: RelationRuntime) -> [NSManagedObject]? {
        guard relation.isOrdered, let members = extras?.relations[relation.number] as? ToMany else {
            return nil
        }
        return members.isLoaded ? members.members : nil
    }
}
