// The flags of a managed object.

/// What an object is at the moment.
struct ObjectState: OptionSet, Sendable {
    let rawValue: UInt32

    /// The bits of `fault`, `checked` and `tracked`: with any of them set, values need preparation.
    static var busyBits: UInt32 { 1 | 1 << 15 | 1 << 16 }
    /// Those and `layoutMismatch`: with any of them set, inlined accessors take the slow path.
    static var slowBits: UInt32 { busyBits | 1 << 17 }

    /// The bits that `isMarked` looks at.
    static var markBits: UInt32 { 1 << 2 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 18 }

    /// Whether a change need only be written: the row is the object's own and known to be changed in this event, or
    /// nobody wants to know (`ownsRow`, `changeTracked` and `pending` with `inserted` or `updated`; `untracked`).
    @inline(__always)
    static func isMarked(_ bits: UInt32) -> Bool {
        let needed: UInt32 = 1 << 2 | 1 << 7 | 1 << 8
        return bits & needed == needed && bits & (1 << 4 | 1 << 5) != 0 || bits & 1 << 18 != 0
    }

    /// What an object of a row and a state has for inlined accessors: the row's address, a multiple of eight, with 1 added
    /// for slow bits and 2 if the object is marked.
    @inline(__always)
    static func tagged(_ row: UnsafeMutablePointer<UInt64>, _ bits: UInt32) -> UInt {
        UInt(bitPattern: row) | (bits & slowBits != 0 ? 1 : 0) | (isMarked(bits) ? 2 : 0)
    }

    /// The values are not there yet.
    static let fault = ObjectState(rawValue: 1 << 0)
    /// A fault whose row is at hand: firing it costs no request to the store.
    static let hasRow = ObjectState(rawValue: 1 << 1)
    /// `row` is memory of the object's own that differs from `committed`.
    static let ownsRow = ObjectState(rawValue: 1 << 2)
    /// `committed` is memory of the object's own, left by an earlier save.
    static let ownsCommitted = ObjectState(rawValue: 1 << 3)
    /// Never saved.
    static let inserted = ObjectState(rawValue: 1 << 4)
    /// Saved before and changed since.
    static let updated = ObjectState(rawValue: 1 << 5)
    /// To be deleted by the next save.
    static let deleted = ObjectState(rawValue: 1 << 6)
    /// In the context's list of changed objects.
    static let changeTracked = ObjectState(rawValue: 1 << 7)
    /// In the context's list of objects that changed since changes were last processed.
    static let pending = ObjectState(rawValue: 1 << 8)
    /// The row behind the fault is gone.
    static let inaccessible = ObjectState(rawValue: 1 << 9)
    /// Deleted and saved.
    static let gone = ObjectState(rawValue: 1 << 10)
    /// The delete rules of a deleted object have been applied.
    static let propagated = ObjectState(rawValue: 1 << 11)
    /// Changed in the event that observers are being told of.
    static let announced = ObjectState(rawValue: 1 << 13)
    /// Inside an awake or life-cycle call of the framework: changes don't mark the object.
    static let trackingOff = ObjectState(rawValue: 1 << 12)
    /// Observers were told that the object was inserted.
    static let insertionAnnounced = ObjectState(rawValue: 1 << 14)

    /// Of a context that checks on which queue it is used.
    static let checked = ObjectState(rawValue: 1 << 15)
    /// Somebody observes what is read.
    static let tracked = ObjectState(rawValue: 1 << 16)
    /// The places that the class's accessors carry are not known to be those of the object's entity.
    static let layoutMismatch = ObjectState(rawValue: 1 << 17)

    /// The object of a batch insert: values are only written, for there is no context to tell.
    static let untracked = ObjectState(rawValue: 1 << 18)
    /// Deleted in an event that is over.
    static let deletionAnnounced = ObjectState(rawValue: 1 << 19)
    /// Deleted by a save elsewhere that was merged: the next save has nothing to do for it.
    static let deletedElsewhere = ObjectState(rawValue: 1 << 20)
    /// The row behind the fault couldn't be read: every value shows nil until the object is refreshed. The context has
    /// the error and saves nothing.
    static let unreadable = ObjectState(rawValue: 1 << 21)
    /// A custom accessor of the object runs.
    static let inAccessor = ObjectState(rawValue: 1 << 22)
    /// Validated by the save that is under way.
    static let validated = ObjectState(rawValue: 1 << 23)
    /// `row` was copied from `committed` in this event.
    static let freshRow = ObjectState(rawValue: 1 << 24)

    /// A fault that no context fills, because it was reset, or the object was new when it was refreshed: every value
    /// shows nil.
    static let forgotten = ObjectState(rawValue: 1 << 25)

    /// Everything that unsaved changes leave.
    static let ofChanges: ObjectState = [
        .changeTracked, .pending, .inserted, .updated, .deleted, .propagated, .insertionAnnounced,
        .deletedElsewhere,
        .deletionAnnounced,
    ]
}
