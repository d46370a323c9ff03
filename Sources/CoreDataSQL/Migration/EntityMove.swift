// The destinations of rows: entity by entity, and table by table.

import CoreDataSchema

/// An entity of both versions, as its rows see it.
struct EntityMove: Hashable {
    var source: String
    var sourceNumber: Int
    var destination: String
    var destinationNumber: Int
    var sourceTable: String
}

/// A table of the newer version with where its rows come from.
struct TableMove {
    var shape: TableShape
    /// The only older table that rows come from; `nil` for a new one.
    var sourceTable: String?
    var moves: [EntityMove]
    /// Indicates whether the older table becomes this one. Otherwise its rows are copied.
    var takesOver = false
}

/// A join table of the newer version.
struct JoinMove {
    var shape: JoinShape
    /// The columns as the newer version's owner sees them.
    var columns: JoinColumns
    /// The older form of the links, as the owner sees it, with the owner's older table.
    var forms: [LinkForm]
    /// The older join table that becomes this one.
    var takenOver: String?
}

/// The form of a relationship's links in an older version, as its owner or, if `isFlipped`,
/// its destination sees it.
struct LinkForm: Hashable {
    var column: PropertyColumn
    /// The older table of the entity that sees it so.
    var table: String
    var isFlipped = false
    /// Older entities at both ends, the owner's first.
    var owner: String
    var destination: String
}
