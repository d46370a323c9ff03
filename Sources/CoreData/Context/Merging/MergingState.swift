// The part of a context for merging: the saves of others that it takes over, and the children that follow its own.

/// The lists and the wish of a context that merges.
struct MergingState {
    /// The children that merge automatically.
    let followers = FollowerList()
    /// The list that the context stands in to merge automatically.
    var following: FollowerList?
    /// Indicates whether the client asked for it.
    var isAutomatic = false
}
