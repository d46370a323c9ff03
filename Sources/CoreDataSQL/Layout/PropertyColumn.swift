// The columns of one property.

package import CoreDataSchema

/// The place of one property.
package enum PropertyColumn: Sendable, Hashable {
    /// A column of the entity's table.
    case attribute(column: String, AttributeType)
    /// A composite attribute: the columns of its elements by key path below the attribute.
    case composite([String: PropertyColumn])
    /// A foreign key in the entity's table. `entityColumn` (`Z9_BOSS`) holds the target's Z_ENT and is there when
    /// the destination has subentities. `orderColumn` (`Z_FOK_BOSS`) is there when the inverse is ordered.
    case toOne(column: String, entityColumn: String?, orderColumn: String?, destination: String)
    /// A to-many relationship whose other side is a foreign key in the destination's table.
    case toMany(
        table: String, column: String, entityColumn: String?, orderColumn: String?, destination: String)
    /// A to-many relationship through a join table.
    case join(JoinColumns)
}

/// A join table as one of its two relationships sees it.
package struct JoinColumns: Sendable, Hashable {
    package var table: String
    /// Holds the primary key of the object that has the relationship.
    package var sourceColumn: String
    /// Holds the primary key of the related objects.
    package var destinationColumn: String
    /// `Z_FOK_…` that orders this side, if this relationship is ordered.
    package var orderColumn: String?
    /// `Z_FOK_…` that orders the inverse, if the inverse is ordered.
    package var inverseOrderColumn: String?
    package var destination: String

    package init(
        table: String, sourceColumn: String, destinationColumn: String, orderColumn: String?,
        inverseOrderColumn: String?, destination: String
    ) {
        self.table = table
        self.sourceColumn = sourceColumn
        self.destinationColumn = destinationColumn
        self.orderColumn = orderColumn
        self.inverseOrderColumn = inverseOrderColumn
        self.destination = destination
    }
}
