// The notes of a context at an object during an event and until a save.

/// Marks of the current event, and of the changes since the last save.
struct EventMarks: OptionSet, Sendable {
    let rawValue: UInt32

    /// The bits, for what must be constant for the compiler.
    enum Bit {
        static var tracked: UInt32 { 1 << 13 }
        static var pending: UInt32 { 1 << 14 }
        static var announced: UInt32 { 1 << 15 }
        static var insertionAnnounced: UInt32 { 1 << 16 }
        static var deletionAnnounced: UInt32 { 1 << 17 }
        static var freshRow: UInt32 { 1 << 18 }
        static var validated: UInt32 { 1 << 19 }
        static var keptRow: UInt32 { 1 << 29 }
        static var all: UInt32 { 0x200F_E000 }
    }

    /// In the context's list of changed objects.
    static let tracked = EventMarks(rawValue: Bit.tracked)
    /// In the context's list of objects that changed since changes were last processed.
    static let pending = EventMarks(rawValue: Bit.pending)
    /// Changed in the event that observers are being told of.
    static let announced = EventMarks(rawValue: Bit.announced)
    /// Observers were told that the object was inserted.
    static let insertionAnnounced = EventMarks(rawValue: Bit.insertionAnnounced)
    /// Deleted in an event that is over.
    static let deletionAnnounced = EventMarks(rawValue: Bit.deletionAnnounced)
    /// The current row was copied from the committed one in this event.
    static let freshRow = EventMarks(rawValue: Bit.freshRow)
    /// The row as it was before the current event is kept.
    static let keptRow = EventMarks(rawValue: Bit.keptRow)
    /// Validated by the save that is under way.
    static let validated = EventMarks(rawValue: Bit.validated)
}

extension EventMarks {
    /// Everything that changes an object's marks.
    enum Step: CaseIterable {
        /// The object gets into the list of changed objects.
        case tracking
        /// The object changes for the first time in an event.
        case beginning
        /// Observers are about to be told of what the event did to an object that is there, to one that is new to them, and
        /// to one that is deleted.
        case announcement, announcementOfNew, announcementOfDeleted
        /// Observers were told.
        case telling
        /// The row was copied for the first change of an event.
        case copying
        /// The row was kept as it is before the first change of an event.
        case keeping
        /// The event is over: what was copied in it is no longer fresh, and no row is kept.
        case end
        /// The rows are freed: none is fresh.
        case release
        case validation
        /// The event that changed the object is taken back, of which observers needn't hear.
        case withdrawal
        /// A validated value changed since, or the save is over.
        case invalidation
        /// The object has left the list of changed objects.
        case untracking
        /// A save wrote the object: if it is inserted again, observers hear of it again.
        case commit
        /// The row is to be written anew, of which observers needn't hear.
        case resurrection
        /// The row is there again, so that the object isn't new.
        case rediscovery
        /// A new object was deleted again: if it is inserted once more, observers hear of it.
        case insertionLoss
        /// A deletion was given up by a policy or a refresh: if the object is deleted once more, observers hear of it.
        case deletionLoss
        /// An object that was gone begins a new life in the event that is under way.
        case renewal
        /// The context with its lists is gone.
        case abandonment
        /// All changes are dropped, and both lists with them.
        case reversion
    }
}

extension EventMarks.Step: StateStep {
    @inline(__always)
    var clears: UInt32 {
        typealias Bit = EventMarks.Bit
        return switch self {
        case .tracking, .beginning, .copying, .keeping, .validation, .resurrection: 0
        case .announcement, .announcementOfNew, .announcementOfDeleted: Bit.pending | Bit.deletionAnnounced
        case .telling: Bit.announced
        case .end: Bit.freshRow | Bit.keptRow
        case .release: Bit.freshRow
        case .withdrawal: Bit.pending
        case .invalidation: Bit.validated
        case .untracking: Bit.tracked
        case .commit: Bit.tracked | Bit.insertionAnnounced
        case .insertionLoss, .rediscovery: Bit.insertionAnnounced
        case .deletionLoss: Bit.deletionAnnounced
        case .renewal: Bit.insertionAnnounced | Bit.deletionAnnounced
        case .abandonment: Bit.tracked | Bit.pending
        case .reversion: Bit.tracked | Bit.pending | Bit.insertionAnnounced | Bit.deletionAnnounced
        }
    }

    @inline(__always)
    var sets: UInt32 {
        typealias Bit = EventMarks.Bit
        return switch self {
        case .tracking: Bit.tracked
        case .beginning: Bit.pending
        case .announcement: Bit.announced
        case .announcementOfNew: Bit.announced | Bit.insertionAnnounced
        case .announcementOfDeleted: Bit.announced | Bit.deletionAnnounced
        case .copying: Bit.freshRow
        case .keeping: Bit.keptRow
        case .validation: Bit.validated
        case .resurrection: Bit.insertionAnnounced
        case .telling, .end, .release, .withdrawal, .invalidation, .untracking, .commit, .insertionLoss,
            .deletionLoss,
            .renewal, .abandonment, .reversion, .rediscovery:
            0
        }
    }

    /// The marks that an object must bear for the step, and those that it must not bear.
    var requirement: (needed: EventMarks, excluded: EventMarks) {
        switch self {
        case .tracking: ([], .tracked)
        case .beginning: (.tracked, .pending)
        case .announcement, .announcementOfNew, .announcementOfDeleted: (.pending, .announced)
        case .copying: ([], .freshRow)
        case .keeping: ([], .keptRow)
        case .telling, .end, .release, .withdrawal, .validation, .invalidation, .untracking, .commit,
            .resurrection,
            .rediscovery, .insertionLoss, .deletionLoss, .renewal, .abandonment, .reversion:
            ([], [])
        }
    }

    func mayStart(from state: ObjectState) -> Bool {
        let (needed, excluded) = requirement
        return state.marks.isSuperset(of: needed) && state.marks.isDisjoint(with: excluded)
    }
}
