// A save, step by step: each step is a function with its name.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    final func saveChanges() throws {
        if saving.refusesAnother { throw SaveErrors.recursive }
        // An observer that is told of an event may save it, with changes made since, which are an event of their own.
        let isInEvent = events.isProcessing
        if events.announced != nil {
            endAnnouncedEvent()
            events.isProcessing = false
        }
        saving.refusesAnother = true
        defer { (saving.refusesAnother, events.isProcessing) = (false, isInEvent) }
        try beginRequest()
        registry.letGoOfDeparted()
        saving.announced = ([], NotificationSet(value: Set<NSManagedObject>(), isDeferred: false))
        defer { saving.announced = nil }
        processPendingChanges()
        try throwReadError()
        guard hasUnsavedChanges else {
            clearNoOps()
            try saveMetadata()
            saving.refusesAnother = false
            return postDidSaveNothing()
        }
        saving.isUnderWay = true
        defer { saving.isUnderWay = false }
        propagateDeletes(among: changes.changed)
        processChanges()
        leaveOutDeletedElsewhere()
        NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: self)
        finish(try write(try preparedToSave()))
    }

    /// Has the objects be as they were saved, and tells observers.
    private final func finish(_ saved: SaveSet) {
        // No unsaved relationship is left. The following code may make some.
        mayReferToLost = false
        let told = saved.commit(in: self)
        readDerivedValues(saved)
        saving.conflictChecked.removeAll()
        saving.forgetWrittenAnew()
        // Mostly everything that was listed is saved, and nothing came meanwhile.
        if changes.changed.count == saved.objects.count { changes.forgetSaved() } else { clearNoOps() }
        announceChanges()
        saving.refusesAnother = false
        postDidSave(saved, to: told)
        // Derived values are the store's news, and told as a refresh is.
        if !saved.derived.isEmpty { processChanges() }
        checkInvariants()
        // Objects that nobody else has go with the array that lists them, in the order in which they were made.
        withExtendedLifetime(saved) { saving.announced = nil }
    }

    /// The objects to save, prepared and validated. A value that couldn't be read is the reason for what validation then
    /// says of it.
    private final func preparedToSave() throws -> [NSManagedObject] {
        let ready = Result { try readyToSave() }
        try throwReadError()
        return try ready.get()
    }

    /// Metadata that a client changed is saved even if no object is, and incremental stores hear of every save.
    private final func saveMetadata() throws {
        if parentContext != nil { return }
        for store in requiredCoordinator.persistentStores
        where (store.hasChangedMetadata || store.deliversFaults) && !store.isReadOnly {
            try withStores { try store.save(StoreChanges(), of: SavedObjects { [] }) {} }
        }
    }

    /// Hands each store its changes; resolves conflicts as the merge policy says and tries again.
    private final func write(_ ready: [NSManagedObject]) throws -> SaveSet {
        var attempts = ConflictAttempts()
        var objects = ready
        while true {
            let set = try SaveSet(objects, in: self)
            do {
                // Places in ordered relationships were looked up, and a merge policy may have read.
                try throwReadError()
                try withStores {
                    try set.write(from: self)
                    advanceGenerationToSave()
                    saving.history = recordedHistory()
                }
                return set
            } catch {
                // The same save again has to be known as the same one, by its keys.
                if StoreErrors.isUnknownOutcome(error) { set.keepKeys() } else { set.undoKeys() }
                try resolve(error, attempts: &attempts)
                // A merge policy may have changed other objects, or have taken some away.
                objects = objectsToSave
            }
        }
    }

    /// Forgets new objects that were deleted again, and flags of what was only touched.
    final func clearNoOps() {
        for object in changes.leaveOutNoOps() {
            registry.depart(object)
            object.state.apply(.removal)
            retained.remove(object)
            object.announceStatus()
        }
    }

    final func assignPermanentIDs(to objects: [NSManagedObject]) throws {
        try beginRequest()
        try obtainFromParent(objects)
        let new = objects.filter {
            $0.registry === registry && $0.state.isNew && $0.primaryKey < 0
        }
        guard !new.isEmpty else { return }
        let keys = KeyAssignment(in: self)
        try keys.assign(new)
        keys.rewriteReferences(in: changes.changed)
        keys.keep()
    }

    final func assignStore(_ store: NSPersistentStore, to object: Any) {
        checkQueue()
        guard let object = object as? NSManagedObject else {
            raise(.invalidArgument, "only managed objects can be assigned to a store")
        }
        guard requiredCoordinator.store(store, mayHold: object.runtime) else {
            raise(
                .invalidArgument,
                "Can't assign an object to a store that does not contain the object's entity "
                    + "\"\(object.runtime.name)\".")
        }
        guard object.primaryKey <= 0, !object.isKnownBelow else {
            raise(.invalidArgument, "Can't reassign an object to a different store once it has been saved.")
        }
        object.assignedStore = store
    }

    final func writableStore(for entity: ManagedEntity) -> NSPersistentStore? {
        requiredCoordinator.store(forNew: entity).map(asked)
    }
}
