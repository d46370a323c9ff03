// The notifications once a save is done: to the objects, to observers, and to contexts
// that merge automatically.

import CoreDataStores
import Foundation

extension NSManagedObjectContext {
    /// Calls `didSave` on objects whose classes answer it, posts the notifications in both forms, and has other
    /// contexts merge.
    final func postDidSave(_ saved: SaveSet, to told: [NSManagedObject]) {
        if !retained.isEmpty { retained.subtract(saved.deleted) }
        tell(told, of: saved)
        var objects: [AnyHashable: Any] = [:]
        var ids: [AnyHashable: Any] = [:]
        var changes = MergedChanges()
        let isFollowed = isFollowed
        func add(
            _ members: [NSManagedObject], _ key: String, _ idKey: String,
            _ change: WritableKeyPath<MergedChanges, [NSManagedObjectID]>
        ) {
            if members.isEmpty { return }
            objects[key] = (announcedSet(of: members) ?? ObservedNotification.didSave.set(of: members)).value
            if !isFollowed,
                let deferred = ObservedNotification.didSaveObjectIDs.deferredIDs(of: members, in: self)
            {
                ids[idKey] = deferred
            } else {
                changes[keyPath: change] = objectIDs(of: members)
                ids[idKey] = Set(distinct: changes[keyPath: change])
            }
        }
        add(saved.inserted, NSInsertedObjectsKey, NSInsertedObjectIDsKey, \.inserted)
        add(saved.updated, NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, \.updated)
        add(saved.deleted, NSDeletedObjectsKey, NSDeletedObjectIDsKey, \.deleted)
        post(objects, ids: ids)
        if isFollowed { announceSave(changes) }
    }

    /// Calls `didSave`, in which each object of the save still shows what was done to it.
    private final func tell(_ told: [NSManagedObject], of saved: SaveSet) {
        if told.isEmpty { return }
        let lists: [([NSManagedObject], ObjectTraits)] = [
            (saved.inserted, .savedAsInserted), (saved.updated, .savedAsUpdated),
            (saved.deleted, .savedAsDeleted),
        ]
        for (objects, trait) in lists { objects.each { $0.state.insert(trait) } }
        for object in told { object.didSave() }
        for (objects, trait) in lists { objects.each { $0.state.remove(trait) } }
    }

    /// Tells observers of a save without changes.
    final func postDidSaveNothing() {
        if parentContext == nil { saving.history = requiredCoordinator.withLock { recordedHistory() } }
        post([:], ids: [:])
    }

    private final func post(_ objects: [AnyHashable: Any], ids: [AnyHashable: Any]) {
        var place: [AnyHashable: Any] = [:]
        addGeneration(to: &place)
        if let history = saving.history { place[changeTokenKey] = history }
        saving.history = nil
        for (notification, info) in [
            (ObservedNotification.didSave, objects), (.didSaveObjectIDs, ids),
        ] {
            NotificationCenter.default.post(
                name: notification.name, object: self, userInfo: info.merging(place) { info, _ in info })
        }
    }

    /// The place of the histories of the stores to which this context saves; `nil` if they keep none. With the stores held.
    final func recordedHistory() -> NSPersistentHistoryToken? {
        guard parentContext == nil else { return nil }
        var numbers: [String: Int64] = [:]
        for store in requiredCoordinator.persistentStores {
            guard let history = store.rowStore?.history, let identifier = store.identifier else { continue }
            numbers[identifier] = history.recordedTransaction
        }
        return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
    }

    /// The set of these objects, if it was made for the notification of changes with which the save began.
    private final func announcedSet(of members: [NSManagedObject]) -> NotificationSet? {
        guard let announced = saving.announced, announced.objects.isIdentical(to: members) else { return nil }
        // Somebody may have asked for the name of the save's notification only.
        if announced.set.isDeferred, ObservedNotification.didSave.makesSet(of: members.count) {
            return nil
        }
        return announced.set
    }

    /// The objects' IDs. Objects keep them, so that observers on other threads only read them.
    private final func objectIDs(of objects: [NSManagedObject]) -> [NSManagedObjectID] {
        var origins = OriginsOfRuns()
        var ids: [NSManagedObjectID] = []
        ids.reserveCapacity(objects.count)
        objects.each { object in
            if let known = object.identity { return ids.append(known) }
            guard origins.find(object, in: self), let origin = origins.last else {
                return ids.append(object.objectID)
            }
            let made = NSManagedObjectID(origin, primaryKey: object.primaryKey)
            object.identity = made
            ids.append(made)
        }
        return ids
    }
}
