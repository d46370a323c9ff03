// Objects whose rows were gone and are there again: what unsaved changes say of them meanwhile stays.

import CoreDataSchema
import Foundation

extension NSManagedObjectContext {
    /// Connects objects whose rows are there again with what unsaved changes lead to them, and disconnects them from what unsaved
    /// changes took them out of. Not while a store is asked, since faults are filled. Returns `false` if there are none.
    @discardableResult
    final func connectReappeared() -> Bool {
        if changes.reappeared.isEmpty { return false }
        let objects = changes.reappeared.filter { $0.registry === registry && $0.state.isLive }
        changes.reappeared = []
        if objects.isEmpty { return false }
        let reappeared = Set(objects.map(ObjectIdentifier.init))
        for object in changes.changed where object.state.isLive && !object.state.isFault {
            object.connect(with: reappeared)
        }
        return true
    }
}

extension NSManagedObject {
    /// Has other objects know of this object's unsaved changes of relationships.
    fileprivate final func connect(with others: Set<ObjectIdentifier>) {
        for property in runtime.properties {
            guard let inverse = property.relation?.inverse else { continue }
            switch property.kind {
            case .toOne(let slot, let relation) where isChanged(slot):
                let end = ToOneEnd(self, slot: slot, relation: relation)
                let (former, target) = (end.committedTarget, end.target)
                if former === target { continue }
                if let former, others.contains(ObjectIdentifier(former)) {
                    former.detachInverse(inverse, from: self)
                }
                if let target, others.contains(ObjectIdentifier(target)) {
                    target.attachInverse(inverse, to: self)
                }
            case .toMany(let relation):
                guard let members = extras?.relations[relation.number] as? ToMany else { continue }
                for other in members.removed where others.contains(ObjectIdentifier(other)) {
                    other.detachInverse(inverse, from: self)
                }
                for other in members.added where others.contains(ObjectIdentifier(other)) {
                    other.attachInverse(inverse, to: self)
                }
            default: break
            }
        }
    }
}
