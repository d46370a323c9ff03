// The room that rows of a relationship are given.

import CoreDataSchema

/// The size of the last fetch over a relationship: the next one often reads about as much, so that its rows
/// fit one slab that isn't much too large.
struct RelatedSize {
    var rows = 16
    var bytes = 0

    /// Room for some more.
    var capacity: Int { min(RowSlab.capacity, max(8, rows + rows / 4 + 2)) }

    mutating func add(_ slab: RowSlab) {
        rows += slab.count
        // A slab's text at most: more is read in further slabs.
        bytes = min(1 << 14, max(bytes, slab.arenaUsed + slab.arenaUsed / 4))
    }
}
