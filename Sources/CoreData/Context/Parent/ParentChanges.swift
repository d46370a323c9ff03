// The changes that a save of a child hands to its parent.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// The changes of one save of a child context, made on the child's queue. Rows stay the child's objects': the child
/// waits while the parent takes them over.
struct ParentChanges {
    /// An object of the child.
    struct Object {
        let entity: ManagedEntity
        let primaryKey: Int64
        /// As the coordinator has it; `nil` if no store takes the entity.
        let store: NSPersistentStore?
        /// The store that a new object was assigned to.
        let assignedStore: NSPersistentStore?
        let row: RowPointer
        let version: Int64
        /// Numbers of the slots that the parent takes over, of transient properties too.
        var slots: [Int] = []
        var members: [Members] = []
    }

    /// An object by key, beside the object that refers to it.
    struct Reference {
        let entity: ManagedEntity
        let primaryKey: Int64
    }

    /// Changes of a to-many relationship. If the other side is to-one, it states the members.
    struct Members {
        let relation: RelationRuntime
        var added: [Reference] = []
        var removed: [Reference] = []
        /// The new order of an ordered relationship, if it changed.
        var order: [Reference]?
    }

    private(set) var inserted: [Object] = []
    private(set) var updated: [Object] = []
    private(set) var deleted: [Object] = []
    /// The permanent keys that the child has heard of: words of its objects' rows may name the temporary ones.
    let permanentKeys: [Int64: PermanentKey]

    init(
        inserted: [NSManagedObject], updated: [NSManagedObject], deleted: [NSManagedObject],
        in context: NSManagedObjectContext
    ) {
        permanentKeys = context.parentState.permanentKeys
        for object in inserted {
            self.inserted.append(
                Self.object(object, slots: object.runtime.layout.slots.map(\.index), context: context))
        }
        for object in updated {
            let change = Self.object(object, slots: object.changedSlots(), context: context)
            if !change.slots.isEmpty || !change.members.isEmpty { self.updated.append(change) }
        }
        for object in deleted { self.deleted.append(Self.object(object, slots: nil, context: context)) }
    }

    /// `slots` is `nil` for an object that is deleted: then its members don't matter either.
    private static func object(
        _ object: NSManagedObject, slots: [Int]?, context: NSManagedObjectContext
    ) -> Object {
        let members = slots == nil ? [] : members(of: object)
        return Object(
            entity: object.runtime, primaryKey: object.primaryKey,
            store: context.store(of: object)?.underlying,
            assignedStore: object.state.isNew ? object.assignedStore : nil,
            row: RowPointer(object.row, slab: object.slab), version: object.committedVersion,
            slots: slots ?? [], members: members)
    }

    private static func members(of object: NSManagedObject) -> [Members] {
        guard let extras = object.extras else { return [] }
        return object.runtime.relations.compactMap { relation in
            guard relation.isToMany, let members = extras.relations[relation.number] as? ToMany,
                members.isChanged
            else { return nil }
            // Members added from the other side need their places, which the parent's order decides.
            if relation.isOrdered && !members.added.isEmpty { members.read() }
            var change = Members(relation: relation)
            if members.isReordered { change.order = members.objects.map(Reference.init) }
            if relation.inverse?.isToMany != false {
                change.added = members.added.map(Reference.init)
                change.removed = members.removed.map(Reference.init)
            } else {
                // A member that is gone for the child has no change of its own. It may be there for the parent.
                change.removed = members.removed.filter(\.state.isInaccessible).map(Reference.init)
                if change.order == nil && change.removed.isEmpty { return nil }
            }
            return change
        }
    }
}

extension ParentChanges.Reference {
    fileprivate init(_ object: NSManagedObject) {
        self.init(entity: object.runtime, primaryKey: object.primaryKey)
    }
}

extension ParentChanges {
    /// Hands everything to the parent, or nothing. Throws `SaveConflict` for changed objects that the parent
    /// deleted or whose rows are gone.
    func save(from child: NSManagedObjectContext, to parent: NSManagedObjectContext) throws {
        // Within a block of the parent's the save is part of that block's event.
        let isEvent = !parent.confinement.isCurrent
        let (result, keyReplacements) = parent.answer(child) {
            () -> (Result<Void, any Error>, [KeyReplacement]) in
            if isEvent { parent.endEvent() }
            defer { if isEvent { parent.endEvent() } }
            let keyReplacements = parent.children.take(for: child)
            let result = Result { try parent.take(self, keyReplacements: keyReplacements) }
            return (result, keyReplacements + parent.children.take(for: child))
        }
        child.takeOver(keyReplacements)
        try result.get()
    }
}

extension NSManagedObject {
    /// Numbers of the slots whose values a parent must take over: those of transient properties too.
    final func changedSlots() -> [Int] {
        guard state.ownsRow, let committed else { return [] }
        let (mine, old) = (RowPointer(row, slab: slab), RowPointer(committed, slab: slab))
        return runtime.wholeSlots { !SlotValue.areEqual($0, left: mine, right: old) }.map(\.index)
    }
}
