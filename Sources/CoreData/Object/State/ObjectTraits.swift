// The use of an object, which its life doesn't change.

/// The marks that its context, its class and the calls that run leave on the accessors of an object.
struct ObjectTraits: OptionSet, Sendable {
    let rawValue: UInt32

    /// The bits, for what must be constant for the compiler.
    enum Bit {
        static var checked: UInt32 { 1 << 20 }
        static var observed: UInt32 { 1 << 21 }
        static var layoutMismatch: UInt32 { 1 << 22 }
        static var untracked: UInt32 { 1 << 23 }
        static var trackingOff: UInt32 { 1 << 24 }
        static var inAccessor: UInt32 { 1 << 25 }
        static var savedAsInserted: UInt32 { 1 << 26 }
        static var savedAsUpdated: UInt32 { 1 << 27 }
        static var savedAsDeleted: UInt32 { 1 << 28 }
        static var assigned: UInt32 { 1 << 30 }
        static var all: UInt32 { 0x5FF0_0000 }
    }

    /// Of a context that checks on which queue it is used.
    static let checked = ObjectTraits(rawValue: Bit.checked)
    /// Somebody observes what is read.
    static let observed = ObjectTraits(rawValue: Bit.observed)
    /// The places that the class's accessors carry are not known to be those of the object's entity.
    static let layoutMismatch = ObjectTraits(rawValue: Bit.layoutMismatch)
    /// The object of a batch insert: values are only written, for there is no context to tell.
    static let untracked = ObjectTraits(rawValue: Bit.untracked)
    /// Inside an awake or life-cycle call of the framework: changes don't mark the object.
    static let trackingOff = ObjectTraits(rawValue: Bit.trackingOff)
    /// A custom accessor of the object runs.
    static let inAccessor = ObjectTraits(rawValue: Bit.inAccessor)
    /// The object was assigned to a store: of each of many objects nothing but the state is asked for that.
    static let assigned = ObjectTraits(rawValue: Bit.assigned)
    /// The save that objects are being told of inserted the object.
    static let savedAsInserted = ObjectTraits(rawValue: Bit.savedAsInserted)
    /// The save that objects are being told of updated the object.
    static let savedAsUpdated = ObjectTraits(rawValue: Bit.savedAsUpdated)
    /// The save that objects are being told of deleted the object.
    static let savedAsDeleted = ObjectTraits(rawValue: Bit.savedAsDeleted)

    /// Any of what a save did.
    static let saved: ObjectTraits = [.savedAsInserted, .savedAsUpdated, .savedAsDeleted]
}
