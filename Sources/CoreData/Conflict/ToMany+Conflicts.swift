// To-many relationships whose store's side changed under unsaved changes.

import CoreDataSchema
import Foundation

extension ToMany {
    /// The objects that are at hand without reading: members, and what was added or removed.
    var known: [NSManagedObject] { members + Array(added) + Array(removed) }

    /// Takes note that the store has, or hasn't, this member, whatever was changed here.
    func noteStored(_ object: NSManagedObject, isMember: Bool) {
        _ = added.remove(object)
        _ = removed.remove(object)
        guard isLoaded else { return }
        let present = members.firstIndex { $0 === object }
        if isMember, present == nil {
            members.append(object)
            if relation.isOrdered { committedOrder.append(ObjectIdentifier(object)) }
        } else if !isMember {
            if let present { members.remove(at: present) }
            committedOrder.removeAll { $0 == ObjectIdentifier(object) }
        }
        changed()
    }

    /// Puts what was changed here on top of what the store has now. A new order stays if wanted, with what the store
    /// added behind it.
    func rebase(keepingOrder: Bool) {
        guard isLoaded, owner.primaryKey > 0, owner.registry.context != nil else { return }
        guard isReordered else { return unload() }
        let order = members
        isLoaded = false
        members = []
        read()
        if keepingOrder {
            let present = Set(members.map(ObjectIdentifier.init))
            let ordered = order.filter { present.contains(ObjectIdentifier($0)) }
            let placed = Set(ordered.map(ObjectIdentifier.init))
            members = ordered + members.filter { !placed.contains(ObjectIdentifier($0)) }
        }
        changed()
    }
}
