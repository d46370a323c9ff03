// The state of a managed object: its life, its rows, the marks of the current event, and traits, in one word that
// accessors test at once.

import CoreDataSupport

/// A step of one of the parts of a state.
protocol StateStep {
    /// The bits that the step clears, before it sets others.
    var clears: UInt32 { get }
    /// The bits that the step sets.
    var sets: UInt32 { get }
    /// Indicates whether an object may take the step as it stands. Asked in debug builds only.
    func mayStart(from state: ObjectState) -> Bool
}

/// The present state of an object. Changes by steps only.
struct ObjectState: Equatable, Sendable {
    private(set) var bits: UInt32

    /// The state of a fault, or of an object with a row of its own.
    @inline(__always)
    init(isFault: Bool, _ traits: ObjectTraits) {
        bits = (isFault ? RowOwnership.Bit.fault : RowOwnership.Bit.ownsRow) | traits.rawValue
    }

    /// Takes a step, which a debug build checks to be allowed from here.
    @inline(__always)
    mutating func apply(_ step: Lifecycle.Step) { take(step) }

    /// Takes a step with the object's rows, which a debug build checks to be allowed from here.
    @inline(__always)
    mutating func rows(_ step: RowOwnership.Step) { take(step) }

    /// Changes the marks of the current event, which a debug build checks to be allowed from here.
    @inline(__always)
    mutating func mark(_ step: EventMarks.Step) { take(step) }

    @inline(__always)
    mutating func insert(_ traits: ObjectTraits) { bits |= traits.rawValue }

    @inline(__always)
    mutating func remove(_ traits: ObjectTraits) { bits &= ~traits.rawValue }

    @inline(__always)
    private mutating func take<Step: StateStep>(_ step: Step) {
        invariant(step.mayStart(from: self), "step \"\(step)\" isn't allowed from \(self)")
        bits = bits & ~step.clears | step.sets
    }
}

// MARK: The parts

extension ObjectState {
    /// The place of the object in its life; nil for a combination of bits that is a mistake.
    var lifecycle: Lifecycle? { Lifecycle(rawValue: bits & Lifecycle.Bit.all) }
    /// The rows that the object has; nil for a combination of bits that is a mistake.
    var ownership: RowOwnership? { RowOwnership(rawValue: bits & RowOwnership.Bit.all) }
    @inline(__always)
    var marks: EventMarks { EventMarks(rawValue: bits & EventMarks.Bit.all) }
    @inline(__always)
    var traits: ObjectTraits { ObjectTraits(rawValue: bits & ObjectTraits.Bit.all) }

    @inline(__always)
    private func has(_ bit: UInt32) -> Bool { bits & bit != 0 }

    /// New, even if it is deleted.
    @inline(__always)
    var isNew: Bool { has(Lifecycle.Bit.inserted) }
    /// Changed since it was saved, even if it is deleted.
    @inline(__always)
    var isUpdated: Bool { has(Lifecycle.Bit.updated) }
    /// To be deleted, or deleted for good.
    @inline(__always)
    var isDeleted: Bool { has(Lifecycle.Bit.deleted) }
    @inline(__always)
    var isDeletedElsewhere: Bool { has(Lifecycle.Bit.elsewhere) }
    /// Out of the context, or a fault without a row.
    @inline(__always)
    var isGone: Bool { has(Lifecycle.Bit.gone) }
    @inline(__always)
    var isInaccessible: Bool { has(Lifecycle.Bit.inaccessible) }
    @inline(__always)
    var isForgotten: Bool { has(Lifecycle.Bit.forgotten) }

    /// Neither deleted nor gone.
    @inline(__always)
    var isLive: Bool { !has(Lifecycle.Bit.deleted | Lifecycle.Bit.gone) }
    /// Deleted by a save, here or elsewhere, or gone otherwise.
    @inline(__always)
    var isDeletedForGood: Bool { has(Lifecycle.Bit.elsewhere | Lifecycle.Bit.gone) }
    /// Out of the context.
    @inline(__always)
    var isOutside: Bool { isGone && !isInaccessible }
    /// Deleted elsewhere, and to leave the context with the next save: not if it did, and a client changed it
    /// afterwards.
    @inline(__always)
    var isYetToLeave: Bool { isDeletedElsewhere && !isOutside }
    /// New, and not deleted since.
    @inline(__always)
    var isToInsert: Bool { isNew && !isDeleted }
    /// Changed since it was saved, and not deleted since.
    @inline(__always)
    var isToUpdate: Bool { isUpdated && !isDeleted }
    /// Deleted, and not removed by a save yet.
    @inline(__always)
    var isToDelete: Bool { isDeleted && !isOutside }
    /// Inserted for whoever asks the object. In `didSave` it is still what the save found it to be.
    @inline(__always)
    var showsInserted: Bool { isToInsert || has(ObjectTraits.Bit.savedAsInserted) }
    /// Updated for whoever asks the object, in `didSave` too.
    @inline(__always)
    var showsUpdated: Bool { isToUpdate || has(ObjectTraits.Bit.savedAsUpdated) }
    /// Deleted for whoever asks the object, in `didSave` too.
    @inline(__always)
    var showsDeleted: Bool { isToDelete || has(ObjectTraits.Bit.savedAsDeleted) }
    /// Changed for whoever asks the object, in `didSave` too.
    @inline(__always)
    var showsChanges: Bool { hasChanges || !traits.isDisjoint(with: .saved) }
    /// Inserted, updated or deleted, and not gone.
    @inline(__always)
    var hasChanges: Bool {
        has(Lifecycle.Bit.inserted | Lifecycle.Bit.updated | Lifecycle.Bit.deleted) && !isGone
    }
    /// Deleted, and delete rules are yet to be applied.
    @inline(__always)
    var awaitsRules: Bool {
        bits & (Lifecycle.Bit.deleted | Lifecycle.Bit.rulesApplied) == Lifecycle.Bit.deleted
    }
    /// A new object that was deleted, with delete rules applied: nothing is left of it once its event is over.
    @inline(__always)
    var isNewAndRemoved: Bool { isNew && has(Lifecycle.Bit.rulesApplied) && !isDeletedElsewhere }
    /// Indicates whether a save has something to do for the object: a new object that was deleted is nothing.
    @inline(__always)
    var isPendingForSave: Bool {
        if isDeletedForGood { return false }
        return isNew ? !isDeleted : has(Lifecycle.Bit.updated | Lifecycle.Bit.deleted)
    }

    /// The values are not there yet.
    @inline(__always)
    var isFault: Bool { has(RowOwnership.Bit.fault) }
    /// A fault whose row is at hand.
    @inline(__always)
    var hasRow: Bool { has(RowOwnership.Bit.row) }
    /// A fault whose values are in the store only.
    @inline(__always)
    var isUnread: Bool { isFault && !hasRow }
    @inline(__always)
    var ownsRow: Bool { has(RowOwnership.Bit.ownsRow) }
    @inline(__always)
    var ownsCommitted: Bool { has(RowOwnership.Bit.ownsCommitted) }
    @inline(__always)
    var isUnreadable: Bool { has(RowOwnership.Bit.unreadable) }
}

// MARK: Tests of accessors

extension ObjectState {
    /// The bits with any of which values need preparation.
    private static var busyBits: UInt32 {
        RowOwnership.Bit.fault | ObjectTraits.Bit.checked | ObjectTraits.Bit.observed
    }
    /// Those and `layoutMismatch`: with any of them, inlined accessors take the slow path.
    private static var slowBits: UInt32 { busyBits | ObjectTraits.Bit.layoutMismatch }

    /// Indicates whether values need preparation before they are used.
    @inline(__always)
    var isBusy: Bool { has(Self.busyBits) }

    @inline(__always)
    var isSlow: Bool { has(Self.slowBits) }

    /// Indicates whether the object is in both lists of its context as a changed one.
    @inline(__always)
    var isNoted: Bool {
        let needed = EventMarks.Bit.tracked | EventMarks.Bit.pending
        return bits & needed == needed && has(Lifecycle.Bit.inserted | Lifecycle.Bit.updated)
    }

    /// Indicates whether a change need only be written: the row is the object's own and known to be changed in this event, or
    /// nobody wants to know.
    @inline(__always)
    var isMarked: Bool {
        let needed = EventMarks.Bit.tracked | EventMarks.Bit.pending | RowOwnership.Bit.ownsRow
        return bits & needed == needed && has(Lifecycle.Bit.inserted | Lifecycle.Bit.updated)
            || has(ObjectTraits.Bit.untracked)
    }

    /// The word that an object of a row and this state has for inlined accessors: the row's address, a multiple of eight, with 1
    /// added for the slow path and 2 if the object is marked.
    @inline(__always)
    func tagged(_ row: UnsafeMutablePointer<UInt64>) -> UInt {
        UInt(bitPattern: row) | (isSlow ? 1 : 0) | (isMarked ? 2 : 0)
    }

    /// The tags of a word as they are in this state, which came from another one. Mostly none of the bits has changed.
    @inline(__always)
    func retagged(_ word: UInt, from before: ObjectState) -> UInt {
        let changed = bits ^ before.bits
        var word = word
        if changed & Self.slowBits != 0 { word = word & ~1 | (isSlow ? 1 : 0) }
        if changed & Self.markBits != 0 { word = word & ~2 | (isMarked ? 2 : 0) }
        return word
    }

    /// The bits that `isMarked` looks at.
    private static var markBits: UInt32 {
        RowOwnership.Bit.ownsRow | Lifecycle.Bit.inserted | Lifecycle.Bit.updated
            | EventMarks.Bit.tracked | EventMarks.Bit.pending | ObjectTraits.Bit.untracked
    }
}

// MARK: Checks

extension Lifecycle.Step {
    func mayStart(from state: ObjectState) -> Bool { state.lifecycle.map(origins.contains) ?? false }
}

extension RowOwnership.Step {
    func mayStart(from state: ObjectState) -> Bool { state.ownership.map(origins.contains) ?? false }
}

extension ObjectState {
    /// The part of the state that contradicts itself between two events; nil if nothing does.
    var contradiction: String? {
        if lifecycle == nil { return "the bits of its life are none of a lifecycle" }
        if ownership == nil { return "the bits of its rows are none of an ownership" }
        if hasChanges, !marks.contains(.tracked) { return "is changed but not marked as tracked" }
        if marks.contains(.pending), !marks.contains(.tracked) {
            return "is pending but not marked as tracked"
        }
        if marks.contains(.announced) { return "is still being told of" }
        if isNew, isFault { return "is new and a fault" }
        if marks.contains(.freshRow), !ownsRow { return "has a fresh row that it doesn't own" }
        return nil
    }
}

extension ObjectState: CustomStringConvertible {
    var description: String {
        let life = lifecycle.map { "\($0)" } ?? "mistaken life"
        let rows = ownership.map { "\($0)" } ?? "mistaken rows"
        return "\(life), \(rows), 0x\(String(bits, radix: 16))"
    }
}
