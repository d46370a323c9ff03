// Objects of a context that a merge brought or took away, until observers are told.

/// The effects of merges on a context's objects since changes were last processed. Refreshed objects are
/// in the context's own list.
struct MergedObjects {
    var inserted: [NSManagedObject] = []
    var deleted: [NSManagedObject] = []

    var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty }
}
