// The change of one event to a to-many relationship, and its state before.

import CoreDataSchema
import Foundation

/// Members that an event added and removed.
struct ToManyChange {
    var added: [NSManagedObject] = []
    var removed: [NSManagedObject] = []
    /// All members before the event, in their order; for ordered relationships only.
    var order: [NSManagedObject]?

    var isEmpty: Bool { added.isEmpty && removed.isEmpty && order == nil }

    /// The members before the event, from those after it.
    func undone(in members: [NSManagedObject]) -> [NSManagedObject] {
        if let order { return order }
        if added.isEmpty { return members + removed }
        let new = Set(added.map(ObjectIdentifier.init))
        return members.filter { !new.contains(ObjectIdentifier($0)) } + removed
    }
}

/// Additions and removals one after the other, so that an event costs what it changes, not what is there.
struct ToManyLog {
    private var entries: [(object: NSManagedObject, isAdded: Bool)] = []

    mutating func note(_ object: NSManagedObject, isAdded: Bool) {
        entries.append((object, isAdded))
    }

    /// The change that remains when additions and removals of the same object cancel each other.
    var change: ToManyChange {
        var balance: [ObjectIdentifier: Int] = [:]
        for entry in entries { balance[ObjectIdentifier(entry.object), default: 0] += entry.isAdded ? 1 : -1 }
        var change = ToManyChange()
        for entry in entries {
            guard let left = balance.removeValue(forKey: ObjectIdentifier(entry.object)) else { continue }
            if left > 0 { change.added.append(entry.object) }
            if left < 0 { change.removed.append(entry.object) }
        }
        return change
    }
}

extension ToMany {
    /// The change of the current event.
    var changeInEvent: ToManyChange {
        guard isChangedInEvent else { return ToManyChange() }
        if let eventLog { return eventLog.change }
        guard let before = membersBeforeEvent else { return ToManyChange() }
        let now = objects
        if before.elementsEqual(now, by: ===) { return ToManyChange() }
        let (old, new) = (Set(before.map(ObjectIdentifier.init)), Set(now.map(ObjectIdentifier.init)))
        return ToManyChange(
            added: now.filter { !old.contains(ObjectIdentifier($0)) },
            removed: before.filter { !new.contains(ObjectIdentifier($0)) },
            order: relation.isOrdered ? before : nil)
    }

    /// The members before the current event.
    var allBeforeEvent: [NSManagedObject] { changeInEvent.undone(in: objects) }

    /// Takes an event back on this side only; the other side has its own record.
    func undo(_ change: ToManyChange) {
        for object in change.added { removeQuietly(object) }
        for object in change.removed where object.isReachable { addQuietly(object) }
        guard let order = change.order else { return }
        // Objects that others have added or deleted meanwhile keep a place at the end, or have none.
        let current = Set(objects.map(ObjectIdentifier.init))
        let known = Set(order.map(ObjectIdentifier.init))
        let wanted =
            order.filter { current.contains(ObjectIdentifier($0)) }
            + objects.filter { !known.contains(ObjectIdentifier($0)) }
        if !wanted.elementsEqual(objects, by: ===) { reorder(wanted) }
    }
}
