// For the package SwiftData, below the public API: objects whose class learns its places from the entity. See
// Docs/Decisions/0084-swiftdata.md.

import CoreDataSchema
import CoreDataSupport
import Foundation

@_spi(SwiftData)
extension NSManagedObject {
    /// The number of the object's entity in its model, by which a client keeps what it knows of entities.
    public final var entityNumber: Int { runtime.number }

    /// Has the observers of Swift's Observation told of the next change of a property that is being read.
    ///
    /// - Parameters:
    ///   - key: the property's name.
    public final func trackRead(of key: String) {
        observers.isReadOutside = true
        state.insert(.observed)
        observers.access(key, object: self)
    }

    /// Returns true if the object and another one are of the same context, or both of none and of the same model.
    public final func isBeside(_ other: NSManagedObject) -> Bool { registry === other.registry }

    /// The objects that the object is known to be related to.
    public final var relatedObjects: [NSManagedObject] {
        (extras?.relations.all ?? []).flatMap {
            ($0 as? ToMany)?.objects ?? [$0].compactMap { $0 as? NSManagedObject }
        }
    }

    /// Makes an object of no context one of another entity, keeping the values of properties of the same names and kinds. Those
    /// that it is related to must be made so too before any of them is used.
    ///
    /// - Parameter prototype: an object of no context of the other entity.
    public final func take(entityOf prototype: NSManagedObject) {
        let (old, oldRow, oldRelations) = (runtime, row, extras?.relations.all ?? [])
        let new = prototype.runtime
        let fresh = OwnedRow.copy(new.defaultRow, layout: new.layout)
        let source = RowPointer(oldRow, slab: slab)
        for slot in new.layout.slots {
            guard let before = old.layout.slot(named: slot.name), before.kind == slot.kind else { continue }
            if slot.kind.isReference {
                if !source.isNull(before.index) {
                    OwnedRow.set(CellBox(source.value(before)), slot: slot, in: fresh)
                }
            } else if source.isNull(before.index) {
                SlotValue.clear(slot, in: fresh)
            } else {
                SlotValue.setWord(oldRow[before.word], slot: slot, in: fresh)
            }
        }
        // The row that it may have kept is laid out as the former entity's.
        endEvent()
        releaseRows()
        registry.unregister(self, table: Int(table), primaryKey: primaryKey)
        registry = prototype.registry
        entityReference = .passUnretained(new)
        row = fresh
        state.rows(.replacement)
        identity = nil
        let observers = extras?.observers
        // Or it would take the members out of the relationships as it ends.
        extras?.forgetRelations()
        extras = nil
        if let observers { ensureExtras().observers = observers }
        relate(to: oldRelations, of: old)
    }

    /// Relates the object to those that it was related to as one of another entity.
    private final func relate(to former: [AnyObject?], of old: ManagedEntity) {
        for relation in old.relations {
            guard relation.number < former.count, let related = former[relation.number],
                let mine = runtime.property(relation.name)?.relation
            else { continue }
            if let members = related as? ToMany {
                for member in members.objects { toMany(mine).addQuietly(member) }
            } else if let other = related as? NSManagedObject,
                let slot = runtime.layout.slot(named: relation.name)
            {
                storeToOne(other, slot: slot, relation: mine)
            }
        }
    }

    /// Returns true if the object is of a model.
    public final func isOf(_ model: NSManagedObjectModel) -> Bool { withEntity { $0.model.model === model } }
}

@_spi(SwiftData)
extension NSManagedObject {
    /// The object's context, uncounted; nil if it has none.
    public final var contextReference: Unmanaged<NSManagedObjectContext>? {
        state.isOutside ? nil : uncounted(.passUnretained(registry)) { $0.contextReference }
    }

    /// Indicates whether something is known of the object's relationships. Without, it is related to none.
    public final var isRelated: Bool {
        withExtras { !$0.relations.areEmpty } ?? false
    }
}

@_spi(SwiftData)
extension NSManagedObjectContext {
    /// Returns what a request asks for, of a context whose class has no fetch of its own: nothing is cast.
    public final func objects<T: NSFetchRequestResult>(of request: NSFetchRequest<T>) throws -> [T] {
        try results(of: request)
    }

    /// The objects that a save writes, in the order in which they were changed: what the sets of the context hold.
    public final var unsaved:
        (inserted: [NSManagedObject], updated: [NSManagedObject], deleted: [NSManagedObject])
    {
        checkQueue()
        let sorted = objectsToSave.sorted(\.kindToSave)
        return (sorted.first, sorted.second, sorted.third)
    }

    /// Indicates whether the caller runs on the main queue, on whatever thread.
    public static var isOnMainQueue: Bool { ContextConfinement.isOnMain }
}

@_spi(SwiftData)
extension NSEntityDescription {
    /// The entity's number in its model, which must be in use.
    public final var number: Int? { runtime?.number }

    /// The handle of an attribute with its place in the rows of this entity, whose model must be in use; nil if the entity
    /// has no such attribute, or a composite one.
    public final func place(ofAttribute name: String) -> ManagedAttribute? {
        guard let property = runtime?.property(name), case .attribute(let slot) = property.kind else {
            return nil
        }
        return ManagedAttribute("", word: slot.word, index: slot.index)
    }

    /// The handle of a relationship with its number in this entity, whose model must be in use.
    public final func place(ofRelationship name: String) -> ManagedRelationship? {
        guard let property = runtime?.property(name), property.relation != nil else { return nil }
        return ManagedRelationship("", number: property.number)
    }
}
