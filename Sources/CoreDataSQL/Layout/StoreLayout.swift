// The tables and columns of entities and properties, for one model in one store file. Made by `LayoutBuilder`
// for a new file, by `LayoutReader` for a file that exists (its names are read, not computed, where Apple's
// choice is not determined).

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
