// The stores that a context asks, which depend on whether it has a parent or a coordinator of its own.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    /// Stops the process where Apple's framework raises: a context gets one parent, before it has stores.
    final func checkParent(_ new: NSManagedObjectContext?, hasCoordinator: Bool) {
        if parentContext != nil {
            raise(.invalidArgument, "Context already has a parent; cannot replace.")
        }
        if hasCoordinator {
            raise(.invalidArgument, "Context already has a coordinator; cannot replace.")
        }
        if new?.confinement.type == .confinementConcurrencyType {
            raise(
                .invalidArgument,
                "Parent NSManagedObjectContext must use either NSPrivateQueueConcurrencyType or "
                    + "NSMainQueueConcurrencyType.")
        }
        var above = new
        while let context = above {
            if context === self { raise(.invalidArgument, "A context can't be its own parent.") }
            above = context.parentContext
        }
    }

    /// The stores that the context asks for objects of an entity and of those below it: the coordinator's, or what
    /// stands for them in a child.
    final func stores(
        for entity: ManagedEntity, affected: [NSPersistentStore]? = nil
    ) -> [NSPersistentStore] {
        let stores = requiredCoordinator.stores(for: entity, affected: affected)
        return parentContext == nil ? stores : stores.map(asked)
    }

    /// Returns the store that the context asks in place of one of the coordinator: the store itself, or in a
    /// child the parent's view of it.
    final func asked(_ store: NSPersistentStore) -> NSPersistentStore {
        let store = store.underlying
        guard let parentContext else { return store }
        if let known = parentState.stores.first(where: { $0.underlying === store }) { return known }
        let made = ParentStore(store, parent: parentContext, child: self)
        parentState.stores.append(made)
        return made
    }

    /// Returns the store that the context asks for an object; for a new object, the one that it goes to.
    final func store(of object: NSManagedObject) -> NSPersistentStore? {
        if object.isKnownBelow || object.primaryKey > 0 { return store(ofTable: Int(object.table)) }
        if let assigned = object.assignedStore { return asked(assigned) }
        return writableStore(for: object.runtime)
    }

    /// Returns the store that a context asks for an object that no store has yet. Objects of one entity may
    /// go to several stores, and the ID doesn't tell.
    final func store(ofUnsaved primaryKey: Int64, _ entity: ManagedEntity) -> NSPersistentStore? {
        if let promoted = parentState.permanentKeys[primaryKey] { return store(ofTable: Int(promoted.table)) }
        if let known = registry.object(table: 0, primaryKey: primaryKey) { return store(of: known) }
        guard let parentContext, requiredCoordinator.stores(for: entity).count > 1 else {
            return writableStore(for: entity)
        }
        return parentContext.answer(self) { parentContext.store(ofUnsaved: primaryKey, entity) }.map(asked)
    }

    /// The key that took the place of a temporary one, as far as this context has heard.
    final func permanent(_ primaryKey: Int64) -> Int64 {
        primaryKey < 0 ? parentState.permanentKeys[primaryKey]?.key ?? primaryKey : primaryKey
    }
}

extension NSManagedObject {
    /// Indicates whether the level below the context has the object: its stores, or its parent, where a saved
    /// object may have a temporary key still.
    final var isKnownBelow: Bool {
        if primaryKey > 0 { return !state.isNew && !state.isForgotten }
        return primaryKey < 0 && !state.isNew && !state.isGone
            && registry.context?.parentContext != nil
    }
}

extension NSManagedObjectContext {
    /// Gets permanent IDs for objects that were saved to the parent and not further.
    final func obtainFromParent(_ objects: [NSManagedObject]) throws {
        guard let parentContext else { return }
        let known = objects.filter { $0.registry === registry && $0.primaryKey < 0 && $0.isKnownBelow }
        if known.isEmpty { return }
        let identities = known.map(\.objectID)
        let (result, keyReplacements) = parentContext.answer(self) {
            [self] () -> (Result<Void, any Error>, [KeyReplacement]) in
            let result = Result {
                try parentContext.obtainPermanentIDs(for: identities.map(parentContext.object))
            }
            return (result, parentContext.children.take(for: self))
        }
        takeOver(keyReplacements)
        try result.get()
    }
}
