// From fault to object and back.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension NSManagedObject {
    /// Makes sure that the values are there and may be used here. Every read of a value comes by, and every change.
    @inline(__always)
    final func prepareToRead(_ access: PropertyAccess = .internal) {
        if state.isBusy { prepareSlowly(access) }
    }

    /// Does the work before values are used that most objects don't need.
    @inline(never)
    final func prepareSlowly(_ access: PropertyAccess) {
        if state.traits.contains(.checked) { verifyQueue() }
        if state.isFault { fire(access) }
        if state.traits.contains(.observed) { noteAccess(access) }
    }

    /// Fills the fault: from the row that the fetch left, else from the store.
    final func fire(_ access: PropertyAccess = .internal) {
        if !state.hasRow {
            if state.isForgotten { return }
            guard let context = registry.context else {
                raise(
                    .objectInaccessible,
                    "the context of \(objectID) is gone, so its fault can't be filled")
            }
            context.fulfill(self, for: access.key(in: runtime))
            guard state.hasRow else { return }
        }
        state.rows(.firing)
        awakening { awakeFromFetch() }
        announceStatus()
    }

    /// Runs a life-cycle call whose changes don't mark the object.
    @inline(__always)
    final func awakening(_ body: () -> Void) {
        let wasTrackingOff = state.traits.contains(.trackingOff)
        state.insert(.trackingOff)
        body()
        if !wasTrackingOff { state.remove(.trackingOff) }
    }

    /// Takes a row of a slab as the committed values of a fault.
    @inline(__always)
    final func attach(_ slab: RowSlab, row number: Int) {
        self.slab = slab
        row = slab.row(number)
        committed = row
        state.rows(.arrival)
    }

    /// Replaces the committed values of an object whose current values are to be kept or were never changed.
    final func replaceCommitted(_ slab: RowSlab, row number: Int, keepingChanges: Bool) {
        replacingValues { takeCommitted(slab, row: number, keepingChanges: keepingChanges) }
    }

    private final func takeCommitted(_ slab: RowSlab, row number: Int, keepingChanges: Bool) {
        state.rows(.recovery)
        let fresh = slab.row(number)
        if state.ownsRow, keepingChanges, let committed {
            let layout = runtime.layout
            let (mine, old) = (RowPointer(row, slab: self.slab), RowPointer(committed, slab: self.slab))
            let merged = OwnedRow.copy(fresh, layout: layout)
            let kept = runtime.wholeSlots {
                $0.isTransient || !SlotValue.areEqual($0, left: mine, right: old)
            }
            for slot in kept { slot.copy(from: mine, to: merged) }
            merged[0] = fresh[0]
            releaseRows()
            row = merged
            state.rows(.replacement)
        } else {
            releaseRows()
            row = fresh
        }
        committed = fresh
        self.slab = slab
        extras?.decoded.removeAll()
    }

    /// Turns the object into a fault without a row, dropping changes and relationships.
    final func turnIntoFault() {
        guard !state.isFault || state.hasRow else { return }
        replacingValues {
            let wasFault = state.isFault
            if !wasFault { willTurnIntoFault() }
            dropValues()
            if !wasFault { didTurnIntoFault() }
        }
    }

    /// Leaves the context as a fault that nobody fills.
    final func beForgotten() {
        dropChanges()
        turnIntoFault()
        state.apply(.forgetting)
    }

    /// Gives an object that was forgotten the values of a new one.
    final func startAnew() {
        releaseRows()
        row = OwnedRow.copy(runtime.defaultRow, layout: runtime.layout)
        state.rows(.replacement)
    }

    /// Has no changes any more, and is in no list of changes.
    final func dropChanges() {
        if !state.isGone { state.apply(.reversion) }
        state.mark(.reversion)
    }

    private final func dropValues() {
        endEvent()
        releaseRows()
        row = runtime.nullRow
        committed = nil
        slab = nil
        let observers = extras?.observers
        if let context = registry.context, !context.mirrors.all.isEmpty, extras?.noteLossOfMembers() == true {
            context.mirrors.areStale = true
        }
        extras = nil
        if let observers { ensureExtras().observers = observers }
        state.rows(.faulting)
        state.apply(.changeLoss)
    }

    /// Marks a fault whose row is gone: it shows nil everywhere and counts as deleted.
    final func becomeInaccessible() {
        row = runtime.nullRow
        state.rows(.emptying)
        state.apply(.disappearance)
        noteLost()
        announceStatus()
    }

    /// Marks a fault whose row couldn't be read: it shows nil everywhere, and isn't deleted for that. A value
    /// that a client sets counts as a change of nil, so that it can be kept over the row once that is read.
    final func becomeUnreadable() {
        row = runtime.nullRow
        committed = runtime.nullRow
        state.rows(.failure)
        announceStatus()
    }

    /// Makes what couldn't be read a fault again. Unsaved values stay unless the object is deleted: a refresh merges
    /// them into the row.
    final func forgetFailedReads() {
        for case let members as ToMany in extras?.relations.all ?? [] where members.isUnreadable {
            members.unload()
        }
        // Delete rules may have looked at members that couldn't be read.
        if state.isDeleted, !state.isDeletedForGood, !state.awaitsRules { state.apply(.ruleRenewal) }
        guard state.isUnreadable, !state.ownsRow || state.isDeleted else {
            return
        }
        releaseRows()
        row = runtime.nullRow
        committed = nil
        slab = nil
        state.rows(.faulting)
    }

    /// Indicates that the row couldn't be read, so that nil tells nothing of the store's value.
    final var hasFailedRead: Bool { state.isUnreadable }

    /// Indicates whether a value must be read again.
    final var hasUnreadableValues: Bool {
        state.isUnreadable
            || (extras?.relations.all ?? []).contains { ($0 as? ToMany)?.isUnreadable ?? false }
    }
}

/// The property that a client reads.
enum PropertyAccess {
    /// By the number of its slot.
    case slot(Int)
    case property(PropertyRuntime)
    case key(String?)
    /// None: the framework reads for its own purposes, or a change is about to be made.
    case `internal`

    /// The property's name.
    func key(in runtime: ManagedEntity) -> String? {
        switch self {
        case .slot(let index): runtime.layout.slots[index].name
        case .property(let property): property.name
        case .key(let key): key
        case .internal: nil
        }
    }
}

extension NSManagedObject {
    final func isUnread(_ key: String) -> Bool {
        checkQueue()
        guard let property = runtime.property(key), let relation = property.relation else {
            raise(
                .invalidArgument, "\"\(key)\" is no relationship of entity \"\(runtime.name)\"",
                instead: "value(checkingKeyPath:)")
        }
        if state.isFault { return true }
        switch extras?.relations[relation.number] {
        case let toMany as ToMany: return !toMany.isLoaded
        case let object as NSManagedObject: return object.isFault
        default:
            if case .toOne(let slot, _) = property.kind {
                return toOne(slot, relation: relation)?.isFault ?? false
            }
            return !state.isNew
        }
    }

    final func memberIDs(_ key: String) -> [NSManagedObjectID] {
        guard let property = runtime.property(key), let relation = property.relation else {
            raise(
                .invalidArgument, "\"\(key)\" is no relationship of entity \"\(runtime.name)\"",
                instead: "value(checkingKeyPath:)")
        }
        if case .toOne(let slot, _) = property.kind {
            return toOne(slot, relation: relation).map { [$0.objectID] } ?? []
        }
        return toMany(relation).objectIDs
    }
}
