// The part of a context that knows its parent's stores and keys.

/// The things that a child keeps of its parent.
struct ParentState {
    /// The stores that a child asks in place of the coordinator's.
    var stores: [ParentStore] = []
    /// Keys that the parent's objects got in place of temporary ones, since the child had the parent.
    var permanentKeys: [Int64: PermanentKey] = [:]
}
