// The tables and columns of entities and properties, for one model in one store file. Made by `LayoutBuilder`
// for a new file, by `LayoutReader` for a file that exists (its names are read, not computed, where Apple's
// choice is not determined).

package import CoreDataSchema

/// The layout of a store.
package struct StoreLayout: Sendable {
    package var tables: [String: EntityTable]
    /// The R-trees that fetches may use.
    package var rangeTrees: [RangeTree] = []
    /// The SQL of the database that has the tables.
    package let dialect: any Dialect

    package init(tables: [String: EntityTable], dialect: any Dialect = SQLiteDialect()) {
        self.tables = tables
        self.dialect = dialect
    }

    /// The table of an entity, by the entity's name.
    package subscript(entity: String) -> EntityTable? { tables[entity] }
}

/// The place of one entity's rows. Entities of one inheritance tree share a table.
package struct EntityTable: Sendable {
    package var entityName: String
    /// Z_ENT of this entity.
    package var number: Int
    /// Z_ENT of the superentity, 0 for a root.
    package var superNumber: Int
    package var rootName: String
    /// The SQL table, for instance `ZPERSON`.
    package var table: String
    /// Indicates whether the tree has more than one entity, so that Z_ENT tells rows apart.
    package var isPolymorphic: Bool
    /// Z_ENT of this entity and of all below it.
    package var subtreeNumbers: [Int]
    /// Columns of own and inherited properties, by property name. Transient and fetched properties have none.
    package var columns: [String: PropertyColumn]
    /// The columns that every row has.
    package var head: HeadColumns
    /// Indicates whether the model states the table's name: the table may be somebody else's.
    package var isStated: Bool

    package init(
        entityName: String, number: Int, superNumber: Int, rootName: String, table: String,
        isPolymorphic: Bool,
        subtreeNumbers: [Int], columns: [String: PropertyColumn], head: HeadColumns = .apple,
        isStated: Bool = false
    ) {
        self.entityName = entityName
        self.number = number
        self.superNumber = superNumber
        self.rootName = rootName
        self.table = table
        self.isPolymorphic = isPolymorphic
        self.subtreeNumbers = subtreeNumbers
        self.columns = columns
        self.head = head
        self.isStated = isStated
    }
}

/// The columns at the head of every entity's table: the row's key, its entity's number and its version.
package struct HeadColumns: Sendable, Hashable {
    package var key: String
    package var entity: String
    package var version: String

    package init(key: String, entity: String, version: String) {
        self.key = key
        self.entity = entity
        self.version = version
    }

    /// As Apple's framework calls them.
    package static let apple = HeadColumns(key: "Z_PK", entity: "Z_ENT", version: "Z_OPT")

    package var all: [String] { [key, entity, version] }

    /// ` RETURNING Z_ENT, Z_PK`
    var returning: SQLFragment { " RETURNING \(name: entity), \(name: key)" }
}

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
