// To-one relationships, and both sides of every relationship kept in step.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension NSManagedObject {
    // MARK: Reading

    /// The object on the other side, a fault if it was never read.
    final func toOne(_ slot: Slot, relation: RelationRuntime) -> NSManagedObject? {
        prepareToRead()
        if let known = relationIfKnown(relation.number) {
            return unsafeDowncast(known, to: NSManagedObject.self)
        }
        guard let object = target(slot, relation: relation, in: row) else { return nil }
        ensureExtras().relations[relation.number] = object
        return object
    }

    /// The object on the other side, not kept for the next time: an object that is to be deleted needs no memory for it.
    final func destination(_ slot: Slot, relation: RelationRuntime) -> NSManagedObject? {
        prepareToRead()
        if let known = relationIfKnown(relation.number) {
            return unsafeDowncast(known, to: NSManagedObject.self)
        }
        return target(slot, relation: relation, in: row)
    }

    /// The object that a row's to-one slot names.
    final func target(
        _ slot: Slot, relation: RelationRuntime, in row: UnsafeMutablePointer<UInt64>
    ) -> NSManagedObject? {
        if RowPointer(row, slab: nil).isNull(slot.index) { return nil }
        guard let context = registry.context else { return nil }
        var number = relation.destinationNumber
        if slot.kind == .toOneOfSeveral {
            let stated = Int(truncatingIfNeeded: row[slot.word + 1])
            if runtime.model.entities.indices.contains(stated) { number = stated }
        }
        return context.object(
            runtime.model.entities[number], primaryKey: Int64(bitPattern: row[slot.word]),
            beside: self)
    }

    /// The to-many relationship's members, read when first asked for.
    final func toMany(_ relation: RelationRuntime) -> ToMany {
        prepareToRead()
        if let known = relationIfKnown(relation.number) {
            return unsafeDowncast(known, to: ToMany.self)
        }
        let made = ToMany(owner: self, relation)
        ensureExtras().relations[relation.number] = made
        return made
    }

    /// Calls the closure with a to-many relationship's members. No reference to them is counted unless the closure may call
    /// observers, who may have the object let go of them.
    @inline(__always)
    private final func withToMany(_ relation: RelationRuntime, _ body: (ToMany) -> Void) {
        prepareToRead()
        guard !state.traits.contains(.observed), let known = referenceIfKnown(relation.number) else {
            return body(toMany(relation))
        }
        uncounted(known) { body(unsafeDowncast($0, to: ToMany.self)) }
    }

    /// The object or the members that a relationship is known to lead to.
    @inline(__always)
    private final func relationIfKnown(_ number: Int) -> AnyObject? {
        referenceIfKnown(number)?.takeUnretainedValue()
    }

    /// The same, without counting a reference to it.
    @inline(__always)
    private final func referenceIfKnown(_ number: Int) -> Unmanaged<AnyObject>? {
        withExtras { $0.relations.reference(number) } ?? nil
    }

    // MARK: Objects from clients

    /// The object given for a to-one relationship, checked.
    final func related(_ value: Any?, relation: RelationRuntime) -> NSManagedObject? {
        guard let value else { return nil }
        guard let object = value as? NSManagedObject else {
            raise(
                .invalidArgument,
                "Unacceptable type of value for to-one relationship: entity = \"\(runtime.name)\", property = "
                    + "\"\(relation.name)\"; desired type = NSManagedObject; given type = \(type(of: value))",
                instead: "setValues(checking:)")
        }
        check(object, relation: relation)
        return object
    }

    /// The objects given for a to-many relationship, checked, each once.
    final func members(_ value: Any?, relation: RelationRuntime) -> [NSManagedObject] {
        let given: [Any]
        switch value {
        case nil: given = []
        case let set as Set<NSManagedObject>: given = Array(set)
        case let array as [NSManagedObject]: given = array
        case let set as NSSet: given = set.allObjects
        case let set as NSOrderedSet: given = set.array
        default:
            raise(
                .invalidArgument,
                "Unacceptable type of value for to-many relationship: entity = \"\(runtime.name)\", property = "
                    + "\"\(relation.name)\"; desired type = \(relation.isOrdered ? "NSOrderedSet" : "NSSet")",
                instead: "setValues(checking:)")
        }
        var seen = Set<ObjectIdentifier>()
        var objects: [NSManagedObject] = []
        for element in given {
            guard let object = related(element, relation: relation) else { continue }
            if seen.insert(ObjectIdentifier(object)).inserted { objects.append(object) }
        }
        return objects
    }

    final func check(_ object: NSManagedObject, relation: RelationRuntime) {
        // Mostly it is of the same context and of the entity itself.
        if object.registry === registry,
            object.withEntity({ $0.number }) == relation.destinationNumber
        {
            return
        }
        let destination = relation.destination(in: runtime.model)
        guard object.runtime.model === runtime.model, object.runtime.isKind(of: destination) else {
            raise(
                .invalidArgument,
                "Unacceptable type of value for relationship: entity = \"\(runtime.name)\", property = "
                    + "\"\(relation.name)\"; desired entity = \"\(destination.name)\"; given entity = "
                    + "\"\(object.runtime.name)\"", instead: "setValues(checking:)")
        }
        guard object.registry === registry else {
            raise(
                .invalidArgument,
                "Illegal attempt to establish a relationship '\(relation.name)' between objects in different "
                    + "contexts (source = \(objectID), destination = \(object.objectID))",
                instead: "setValues(checking:)")
        }
    }

    // MARK: Writing

    /// Sets a to-one relationship and its inverse.
    final func setToOne(_ object: NSManagedObject?, slot: Slot, relation: RelationRuntime) {
        observersWill(relation.name)
        let old = toOne(slot, relation: relation)
        // The caller holds it.
        let new = object.map(Unmanaged.passUnretained)
        prepareToChange()
        noteChange()
        asOneChange {
            if old !== object {
                storeToOne(object, slot: slot, relation: relation)
                if let inverse = relation.inverseReference {
                    uncounted(inverse) { inverse in
                        old?.detachInverse(inverse, from: self)
                        if let new { uncounted(new) { $0.attachInverse(inverse, to: self) } }
                    }
                }
            }
            observersDid(relation.name)
        }
    }

    /// Writes the slot alone.
    final func storeToOne(_ object: NSManagedObject?, slot: Slot, relation: RelationRuntime) {
        prepareToChange()
        uncounted(ensuredExtras) { $0.relations[relation.number] = object }
        guard let object else { return SlotValue.clear(slot, in: row) }
        if object.isDeletedForGood { noteLost() }
        if object.primaryKey == 0 { object.primaryKey = TemporaryKeys.next() }
        SlotValue.setWord(UInt64(bitPattern: object.primaryKey), slot: slot, in: row)
        if slot.kind == .toOneOfSeveral { row[slot.word + 1] = UInt64(object.runtime.number) }
    }

    /// Called on the object that `other` no longer points to.
    final func detachInverse(_ inverse: RelationRuntime, from other: NSManagedObject) {
        if inverse.isToMany {
            toMany(relations(inverse)).follow(other, isMember: false)
        } else if let slot = runtime.layout.slot(named: inverse.name),
            toOne(slot, relation: relations(inverse)) === other
        {
            observersWill(inverse.name)
            storeToOne(nil, slot: slot, relation: relations(inverse))
            observersDid(inverse.name)
        }
        noteChange()
    }

    /// Called on the object that `other` now points to.
    final func attachInverse(_ inverse: RelationRuntime, to other: NSManagedObject) {
        if inverse.isToMany {
            withRelation(inverse) { withToMany($0) { _ = $0.addQuietly(other) } }
            return noteChange()
        }
        let mine = relations(inverse)
        if let slot = runtime.layout.slot(named: inverse.name) {
            let previous = toOne(slot, relation: mine)
            if previous !== other {
                observersWill(inverse.name)
                storeToOne(other, slot: slot, relation: mine)
                observersDid(inverse.name)
                if let previous, let back = mine.inverse { previous.detachInverse(back, from: self) }
            }
        }
        noteChange()
    }

    /// Calls the closure with this entity's own form of a relation that a superentity may declare. The model holds it meanwhile.
    @inline(__always)
    private final func withRelation(_ relation: RelationRuntime, _ body: (RelationRuntime) -> Void) {
        uncounted(withEntity { $0.relations.reference(relation.number) }, body)
    }

    /// This entity's own form of a relation that a superentity may declare.
    final func relations(_ relation: RelationRuntime) -> RelationRuntime {
        runtime.relations[relation.number]
    }

    /// Indicates whether a relationship leads to another object.
    final func leadsTo(_ other: NSManagedObject, by relation: RelationRuntime) -> Bool {
        let mine = relations(relation)
        if mine.isToMany { return toMany(mine).contains(other) }
        guard let slot = runtime.layout.slot(named: mine.name) else { return false }
        return toOne(slot, relation: mine) === other
    }

    /// Has this side of a to-one relationship lead elsewhere, and no other side.
    final func lead(to other: NSManagedObject?, slot: Slot, relation: RelationRuntime) {
        replacingValues { storeToOne(other, slot: slot, relation: relation) }
        noteChange()
    }

    /// Takes a member out of this side of a to-many relationship, and of no other side.
    final func leaveOut(_ member: NSManagedObject, of members: ToMany) {
        members.removeQuietly(member)
        noteChange()
    }
}
