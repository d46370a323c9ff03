// The objects of a context that changed: since the last save, and since changes were last processed.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// The lists of a context's changed objects, in step with the marks that the objects bear.
struct ChangeTracker {
    /// Objects with unsaved changes, strongly held; some of them may have lost the mark `tracked`, and have none.
    private(set) var changed: [NSManagedObject] = []
    /// Objects that changed since changes were last processed.
    private(set) var pending: [NSManagedObject] = []
    /// Objects that were refreshed since then.
    private(set) var refreshed: [NSManagedObject] = []
    /// Objects that merges brought or took away since then.
    private(set) var merged = MergedObjects()
    /// Objects whose rows were gone and are there again, and which unsaved changes may have connected with others meanwhile.
    var reappeared: [NSManagedObject] = []
    /// `true` if objects may have been deleted since deletions last reached related objects.
    var hasFreshDeletes = false

    /// The news of a change.
    struct News: Equatable {
        /// It is the object's first one since the last save.
        var isFirstOfObject = false
        /// It is the first one of an event.
        var beginsEvent = false
    }

    // MARK: During an event

    /// Takes an object that changes into both lists.
    @inline(__always)
    mutating func track(_ object: NSManagedObject) -> News {
        var news = News()
        if !object.state.marks.contains(.tracked) {
            object.state.mark(.tracking)
            changed.append(object)
            news.isFirstOfObject = true
        }
        if !object.state.marks.contains(.pending) {
            news.beginsEvent = pending.isEmpty
            object.beginEvent()
            object.state.mark(.beginning)
            pending.append(object)
        }
        return news
    }

    /// Takes an object into the list of changed ones that no event changed: another context deleted it.
    mutating func trackDeletedElsewhere(_ object: NSManagedObject) {
        if object.state.marks.contains(.tracked) { return }
        object.state.mark(.tracking)
        changed.append(object)
    }

    mutating func noteRefreshed(_ objects: [NSManagedObject]) { refreshed += objects }
    mutating func noteRefreshed(_ object: NSManagedObject) { refreshed.append(object) }
    mutating func noteMerged(inserted objects: [NSManagedObject]) { merged.inserted += objects }
    mutating func noteMerged(deleted object: NSManagedObject) { merged.deleted.append(object) }

    /// Indicates whether observers have something to hear of.
    var hasEvent: Bool { !pending.isEmpty || !refreshed.isEmpty || !merged.isEmpty }

    /// Ends the event, and returns what happened in it.
    mutating func endEvent() -> ChangeEvent {
        let event = ChangeEvent(objects: pending, refreshed: refreshed, merged: merged)
        pending = []
        refreshed = []
        merged = MergedObjects()
        return event
    }

    /// Returns the objects that were refreshed in the event, which observers needn't hear of any more.
    mutating func takeRefreshed() -> [NSManagedObject] {
        defer { refreshed = [] }
        return refreshed
    }

    // MARK: Until a save

    /// The objects that a save has something to do for.
    var objectsToSave: [NSManagedObject] {
        changed.keeping { $0.marks.contains(.tracked) && $0.isPendingForSave }
    }

    /// Indicates whether a save has something to do, be it only to let objects go that others deleted.
    var hasUnsaved: Bool {
        changed.contains {
            let state = $0.state
            return state.marks.contains(.tracked) && (state.isPendingForSave || state.isYetToLeave)
        }
    }

    /// The changed objects for which a condition holds.
    func tracked(where isWanted: (NSManagedObject) -> Bool) -> Set<NSManagedObject> {
        Set(changed.filter { $0.state.marks.contains(.tracked) && isWanted($0) })
    }

    /// All changed objects were saved: none is left.
    mutating func forgetSaved() { changed = [] }

    /// Leaves out objects that a save has nothing to do for. Returns those that leave the context with it: new objects that
    /// were deleted again, and what others deleted.
    mutating func leaveOutNoOps() -> [NSManagedObject] {
        var kept: [NSManagedObject] = []
        var leaving: [NSManagedObject] = []
        for object in changed where object.state.marks.contains(.tracked) {
            if object.isPendingForSave {
                kept.append(object)
                continue
            }
            if object.state.isNew || object.state.isYetToLeave { leaving.append(object) }
            object.state.mark(.untracking)
        }
        changed = kept
        return leaving
    }

    // MARK: Changes that are dropped

    /// Drops the changes of an object that becomes a fault. Observers that have heard of its deletion hear that it is back.
    mutating func dropChanges(of object: NSManagedObject) {
        guard object.state.marks.contains(.tracked) else { return }
        if object.state.marks.contains(.deletionAnnounced), !object.state.isDeletedForGood {
            object.state.mark(.deletionLoss)
            noteMerged(inserted: [object])
        }
        if !object.state.isGone { object.state.apply(.reversion) }
        object.state.mark(.untracking)
        changed.removeAll { $0 === object }
    }

    /// Drops the changes of an object, and leaves it out of the event that is under way.
    mutating func withdraw(_ object: NSManagedObject) {
        dropChanges(of: object)
        guard object.state.marks.contains(.pending) else { return }
        object.state.mark(.withdrawal)
        pending.removeAll { $0 === object }
    }

    /// Takes an object out of both lists that leaves its context.
    mutating func remove(_ object: NSManagedObject) {
        changed.removeAll { $0 === object }
        pending.removeAll { $0 === object }
    }

    /// Empties both lists but for objects that others deleted. Returns the objects whose changes a rollback drops.
    mutating func takeAllForRollback() -> [NSManagedObject] {
        for object in pending where object.state.isDeletedElsewhere { object.state.mark(.withdrawal) }
        pending = []
        let objects = changed.filter { $0.state.marks.contains(.tracked) && !$0.state.isDeletedElsewhere }
        changed.removeAll { !$0.state.isDeletedElsewhere }
        return objects
    }

    /// The context is gone: its objects are in no list any more.
    func abandon() {
        for object in changed { object.state.mark(.abandonment) }
    }
}

/// The changes of a context's objects from one processing of changes to the next.
struct ChangeEvent {
    /// Those that changed.
    let objects: [NSManagedObject]
    let refreshed: [NSManagedObject]
    let merged: MergedObjects
}

// MARK: Checks

extension ChangeTracker {
    /// Lists with more objects than this are checked in part.
    static let checkLimit = 128

    /// The contradiction between the lists and the objects' marks; nil if nothing does. Asked in debug builds only.
    var contradiction: String? {
        if changed.count <= Self.checkLimit {
            let tracked = changed.filter { $0.state.marks.contains(.tracked) }.map(ObjectIdentifier.init)
            if Set(tracked).count != tracked.count { return "a changed object is listed twice" }
        }
        for object in Self.sample(pending) where !object.state.marks.isSuperset(of: [.pending, .tracked]) {
            return "\(object.traits) is in the list of pending objects and not marked"
        }
        return nil
    }

    /// Objects at even distances, as many as are checked.
    static func sample(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        guard objects.count > checkLimit else { return objects }
        return stride(from: 0, to: objects.count, by: objects.count / checkLimit).map { objects[$0] }
    }
}

extension NSManagedObject {
    /// Called before the first mark of an event: keeps the values if earlier events changed them.
    fileprivate final func beginEvent() {
        guard state.ownsRow, !state.marks.contains(.freshRow) else { return }
        if state.isNew && !state.marks.contains(.insertionAnnounced) { return }
        keepEventRow()
    }

    /// The object in words, without firing it.
    final var traits: String { "\(runtime.name)/\(primaryKey) (\(state))" }
}
