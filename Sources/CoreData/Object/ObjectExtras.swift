// The data that most objects never need: allocated when a relationship is first touched or a value decoded.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// The rarely used part of a managed object.
final class ObjectExtras {
    /// By relation number: an `NSManagedObject` (to-one) or a `ToMany`.
    let relations: RelationValues
    /// The to-one relationships, by number, between `willChangeValue(forKey:)` and `didChangeValue(forKey:)`.
    var announced: [Int] = []
    /// Decoded values of transformable slots, by slot index.
    var decoded: [Int: Any] = [:]
    /// Results of fetched properties, by property number.
    var fetched: [Int: [NSManagedObject]] = [:]
    /// The row as it was when the current event first changed it, if it had unsaved changes by then.
    var eventRow: UnsafeMutablePointer<UInt64>?
    /// The slab of the references in `eventRow`.
    var eventSlab: RowSlab?
    /// The store that the object will be inserted into, if it was assigned to one.
    weak var assignedStore: NSPersistentStore?
    /// The observers of the object; kept when it becomes a fault.
    var observers: ObjectObservers?
    /// The probe that finds out which keys key paths read, for objects that were made for that.
    weak var probe: KeyPathProbe?

    init(relationCount: Int) {
        relations = RelationValues(count: relationCount)
    }

    deinit {
        invariant(eventRow == nil, "the row before an event is freed with the event")
        if !relations.areEmpty { letGo() }
    }

    /// Releases the related objects one after the other: those that die take theirs with them, and a chain of them
    /// may be as long as the data, too long for the stack.
    private func letGo() {
        var work: [NSManagedObject] = []
        moveRelated(into: &work)
        while var object = work.popLast() {
            let registry = object.registry
            guard registry.forget(&object), let extras = object.extras else { continue }
            object.endEvent()
            object.extras = nil
            extras.moveRelated(into: &work)
        }
    }

    private func moveRelated(into work: inout [NSManagedObject]) {
        for number in relations.indices {
            guard let related = relations[number] else { continue }
            relations[number] = nil
            if let members = related as? ToMany {
                members.moveMembers(into: &work)
            } else {
                work.append(unsafeDowncast(related, to: NSManagedObject.self))
            }
        }
    }

    /// Tells the mutable ordered sets that clients hold; returns whether there is one.
    func noteLossOfMembers() -> Bool {
        var isHeld = false
        for case let members as ToMany in relations.all {
            guard let mirror = members.mirror else { continue }
            mirror.isStale = true
            isHeld = true
        }
        return isHeld
    }

    /// Lets go of every related object.
    func forgetRelations() {
        for number in relations.indices { relations[number] = nil }
        announced = []
    }
}
