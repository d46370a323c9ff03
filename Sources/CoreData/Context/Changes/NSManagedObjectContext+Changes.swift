// Inserting, deleting, and what follows at the end of an event.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    final func insertNew(_ object: NSManagedObject) {
        checkQueue()
        if object.registry !== registry { takeIn(object) }
        if object.state.isNew { return object.takeDeletionBack() }
        if object.runtime.isAbstract { raiseAbstract(object.runtime) }
        if object.primaryKey > 0 || object.isKnownBelow {
            // Deleted and inserted again before the save: as if nothing had happened to it.
            return object.takeDeletionBack()
        }
        if object.state.isForgotten { object.startAnew() }
        if object.primaryKey == 0 { object.primaryKey = object.identity?.primaryKey ?? TemporaryKeys.next() }
        register(new: object)
    }

    /// Adds an object that has just been made for this context. A subclass's `insert(_:)` may leave it out.
    final func insert(fresh object: NSManagedObject) {
        guard type(of: self) == NSManagedObjectContext.self else {
            insert(object)
            if object.registry === registry, object.primaryKey == 0 { leaveOut(object) }
            return
        }
        checkQueue()
        if object.withEntity({ $0.isAbstract }) { raiseAbstract(object.runtime) }
        object.primaryKey = TemporaryKeys.next()
        register(new: object)
    }

    /// Has an object belong to no context, as if it had been made without one.
    private final func leaveOut(_ object: NSManagedObject) {
        object.registry = runtime.standaloneRegistry
        object.state.remove(freshTraits)
        object.state.insert(.untracked)
    }

    private final func raiseAbstract(_ entity: ManagedEntity) -> Never {
        raise(.invalidArgument, "entity \"\(entity.name)\" is abstract: it has no objects")
    }

    /// Makes an object that has its key and values a new one of this context.
    final func register(new object: NSManagedObject) {
        object.state.apply(.insertion)
        uncounted(.passUnretained(object.registry)) {
            $0.register(object, table: Int(object.table), primaryKey: object.primaryKey)
        }
        if retainsRegisteredObjects { retained.insert(object) }
        track(object)
        object.awakening { object.awakeFromInsert() }
    }

    /// Makes objects of the context's that belonged to none: the given one and those that it is related to.
    private final func takeIn(_ first: NSManagedObject) {
        guard take(first), first.isRelated else { return }
        var work = first.relatedObjects
        while let object = work.popLast() {
            guard take(object) else { continue }
            work += object.relatedObjects
            insertNew(object)
        }
    }

    /// Makes an object of no context this context's. Returns false if it is already.
    private final func take(_ object: NSManagedObject) -> Bool {
        if object.registry === registry { return false }
        let isFree = uncounted(.passUnretained(object.registry)) { $0.contextReference == nil }
        guard isFree, object.primaryKey <= 0, object.withEntity({ $0.model === runtime }) else {
            raise(.invalidArgument, "\(object) belongs to another context or model")
        }
        object.registry = registry
        object.state.remove(.untracked)
        object.state.insert(freshTraits)
        if !object.state.isGone { object.state.apply(.reversion) }
        return true
    }

    final func markDeleted(_ object: NSManagedObject) {
        checkQueue()
        guard object.registry === registry else {
            raise(.invalidArgument, "An NSManagedObjectContext cannot delete objects in other contexts.")
        }
        guard object.state.isLive else { return object.prepareForDeletion() }
        object.state.apply(.deletion)
        track(object)
        prepareForDeletion(object)
        changes.hasFreshDeletes = true
    }

    /// Tells an object that it is deleted, while its relationships are there: a fetch that its class makes doesn't apply its rules.
    final func prepareForDeletion(_ object: NSManagedObject) {
        events.inPreparation.append(object)
        defer { events.inPreparation.removeLast() }
        object.prepareForDeletion()
    }

    /// Called by an object that changed.
    final func noteChange(of object: NSManagedObject) {
        if !object.state.isNew {
            guard object.isKnownBelow else { return }
            if !object.state.isDeletedForGood { object.state.apply(.change) }
        }
        track(object)
    }

    final func track(_ object: NSManagedObject) {
        let news = changes.track(object)
        if news.beginsEvent { awaitEndOfTurn() }
        object.announceStatus()
        if news.isFirstOfObject { announceChanges() }
    }

    final var hasUnsavedChanges: Bool {
        checkQueue()
        return changes.hasUnsaved
    }

    final func changedObjects(_ isWanted: (NSManagedObject) -> Bool) -> Set<NSManagedObject> {
        checkQueue()
        return changes.tracked(where: isWanted)
    }

    // MARK: End of an event

    final func processChanges() {
        checkQueue()
        catchUpMirrors()
        connectReappeared()
        guard !events.isProcessing, changes.hasEvent else { return }
        events.isProcessing = true
        defer {
            events.isProcessing = false
            announceChanges()
        }
        if propagatesDeletesAtEndOfEvent || saving.isUnderWay { propagateDeletes(among: changes.pending) }
        let touched = changes.pending
        undoRecorder?.record(touched, of: self)
        postObjectsDidChange()
        checkInvariants(touched)
    }

    /// Has deletions reach related objects, so that a fetch sees all that the event has changed so far. Observers are told
    /// at the end of the event: a fetch may be made where objects are half made, as in `awakeFromInsert`.
    final func applyPendingDeletes() {
        checkQueue()
        guard changes.hasFreshDeletes, !events.isProcessing, propagatesDeletesAtEndOfEvent else { return }
        events.isProcessing = true
        defer { events.isProcessing = false }
        propagateDeletes(among: changes.pending)
    }

    /// On the main thread an event of a context of the main queue ends with the turn of the run loop, if one runs there.
    private final func awaitEndOfTurn() {
        guard confinement.type == .mainQueueConcurrencyType, !events.awaitsEndOfTurn, Thread.isMainThread
        else {
            return
        }
        events.awaitsEndOfTurn = true
        RunLoop.main.perform { [weak self] in
            guard let self else { return }
            events.awaitsEndOfTurn = false
            if confinement.isCurrent { endEvent() }
        }
    }

    private final func postObjectsDidChange() {
        let event = changes.endEvent()
        let sorted = event.objects.sorted(\.kindToObservers)
        event.objects.each { $0.beginAnnouncement() }
        let outer = events.announced
        events.announced = event.objects
        defer {
            endAnnouncedEvent()
            events.announced = outer
        }
        var info: [AnyHashable: Any] = [:]
        func add(_ key: String, _ members: [NSManagedObject], _ others: [NSManagedObject] = []) {
            if members.isEmpty && others.isEmpty { return }
            // A merge may have brought an object that the event names already.
            if !others.isEmpty { return info[key] = Set(members + others) }
            let set = ObservedNotification.objectsDidChange.set(of: members)
            info[key] = set.value
            if key == NSInsertedObjectsKey, saving.announced != nil { saving.announced = (members, set) }
        }
        add(NSInsertedObjectsKey, sorted.first, event.merged.inserted)
        add(NSUpdatedObjectsKey, sorted.second)
        add(NSDeletedObjectsKey, sorted.third, event.merged.deleted)
        add(NSRefreshedObjectsKey, [], event.refreshed)
        if info.isEmpty { return }
        NotificationCenter.default.post(
            name: ObservedNotification.objectsDidChange.name, object: self, userInfo: info)
    }
}

extension NSManagedObject {
    /// From now on observers know of what the event did, and the next event finds the object deleted or not.
    fileprivate final func beginAnnouncement() {
        if state.isNewToObservers {
            state.mark(.announcementOfNew)
        } else {
            state.mark(state.isDeleted ? .announcementOfDeleted : .announcement)
        }
    }

    /// Is as it was before it was deleted, unless the deletion is final.
    final func takeDeletionBack() {
        if !state.isDeletedForGood { state.apply(.restoration) }
    }
}

extension NSManagedObjectContext {
    /// New objects that were deleted leave the context at the end of the event.
    final func endAnnouncedEvent() {
        let objects = events.announced ?? []
        events.announced = []
        objects.each { object in
            if object.state.isNewAndRemoved {
                registry.depart(object)
                object.state.apply(.removal)
                object.state.mark(.insertionLoss)
                object.noteLost()
            }
            object.state.mark(.telling)
            if !object.state.marks.contains(.pending) { object.endEvent() }
        }
    }
}

extension ObjectState {
    /// Inserted, updated or deleted, as observers are to hear of it.
    fileprivate var kindToObservers: SortedObjects.Kind? {
        if isNewToObservers { return .first }
        return isUpdateToObservers ? .second : isDeletionToObservers ? .third : nil
    }

    /// Indicates whether the object is new, or back after a deletion that observers have heard of.
    fileprivate var isNewToObservers: Bool {
        if isDeleted { return false }
        return isNew ? !marks.contains(.insertionAnnounced) : marks.contains(.deletionAnnounced)
    }

    /// Indicates whether observers are to be told that an object which they know has changed.
    fileprivate var isUpdateToObservers: Bool {
        !isDeleted && (isUpdated || isNew) && !isNewToObservers
    }

    /// Indicates whether the object is deleted and observers have heard of it: it is in the store, or its
    /// insertion was announced.
    fileprivate var isDeletionToObservers: Bool {
        isToDelete && (!isNew || marks.contains(.insertionAnnounced))
    }
}

extension NSManagedObject {
    /// Indicates whether a save has something to do for the object.
    final var isPendingForSave: Bool { state.isPendingForSave }
}
