// How an object is used, which its life doesn't change.

/// What its context, its class and the calls that run make of the accessors of an object.
struct ObjectTraits: OptionSet, Sendable {
    let rawValue: UInt32

    static var all: UInt32 { 0x3F0_0000 }

    /// Of a context that checks on which queue it is used.
    static let checked = ObjectTraits(rawValue: 1 << 20)
    /// Somebody observes what is read.
    static let observed = ObjectTraits(rawValue: 1 << 21)
    /// The places that the class's accessors carry are not known to be those of the object's entity.
    static let layoutMismatch = ObjectTraits(rawValue: 1 << 22)
    /// The object of a batch insert: values are only written, for there is no context to tell.
    static let untracked = ObjectTraits(rawValue: 1 << 23)
    /// Inside an awake or life-cycle call of the framework: changes don't mark the object.
    static let trackingOff = ObjectTraits(rawValue: 1 << 24)
    /// A custom accessor of the object runs.
    static let inAccessor = ObjectTraits(rawValue: 1 << 25)
}
