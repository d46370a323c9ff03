// The part of a context that knows the sets that clients hold.

/// Mutable ordered sets that clients may hold.
struct MirrorList {
    var all: [WeakMirror] = []
    /// Indicates that the owner of one of them lost its members.
    var areStale = false
}
