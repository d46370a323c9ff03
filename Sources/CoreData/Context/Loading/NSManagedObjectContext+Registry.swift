// The identity map of a context, and its coordinator.

import CoreDataSupport

extension NSManagedObjectContext {
    /// The identity map.
    final var registry: ObjectRegistry {
        @inline(__always) get { madeRegistry ?? makeRegistry() }
    }

    /// The identity map without counting a reference to it.
    @inline(__always)
    final var registryReference: Unmanaged<ObjectRegistry> {
        madeRegistry.map(Unmanaged.passUnretained) ?? .passUnretained(makeRegistry())
    }

    @inline(never)
    private final func makeRegistry() -> ObjectRegistry {
        let made = ObjectRegistry(model: requiredCoordinator.runtime, context: self)
        madeRegistry = made
        return made
    }

    /// Starts a new identity map; objects of the old one belong to no context.
    final func renewRegistry() {
        let model = registry.model
        registry.detachContext()
        latestPlace = nil
        madeRegistry = ObjectRegistry(model: model, context: self)
    }

    /// Lets the objects go that outlive the context: they keep their values but can reach nothing. Cycles between them end here.
    final func releaseObjects() {
        parentContext?.children.remove(self)
        merging.following?.remove(self)
        guard let registry = madeRegistry else { return }
        changes.abandon()
        for object in registry.all() { object.extras?.forgetRelations() }
        registry.detachContext()
    }

    /// Sets the coordinator, which can be done once.
    final func take(coordinator new: NSPersistentStoreCoordinator?) {
        if persistentStoreCoordinator === new { return }
        if parentContext != nil {
            raise(.invalidArgument, "the coordinator of a context with a parent is its parent's")
        }
        if coordinator != nil {
            raise(.invalidArgument, "the coordinator of a context can be set only once")
        }
        coordinator = new
        if let new { madeRegistry = ObjectRegistry(model: new.runtime, context: self) }
        follow()
    }

    /// Sets the parent, which can be done once.
    final func take(parent new: NSManagedObjectContext?) {
        if parentContext === new { return }
        checkParent(new, hasCoordinator: coordinator != nil)
        parentContext = new
        new?.children.add(self)
        follow()
    }

    final var requiredCoordinator: NSPersistentStoreCoordinator {
        if let coordinator { return coordinator }
        if let parentContext { return parentContext.requiredCoordinator }
        raise(.internalInconsistency, "the context has no persistent store coordinator")
    }
}
