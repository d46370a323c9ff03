// A store as it is to be made: tables with their columns in order, join tables, indexes.

package import CoreDataSchema

/// Everything that the DDL of a new store says, before it is text.
package struct StoreBlueprint: Sendable {
    package var index: ModelIndex
    package var numbering: EntityNumbering
    package var tables: [TableShape]
    package var joins: [JoinShape]
    /// The place of each property in the table of the entity that declares it. To-many relationships with a
    /// to-one inverse are not in here: they are where their inverse is.
    package var slots: [PropertyAddress: PropertyColumn]
    /// The database that it is for, and the rule that names are by.
    package var form = StoreForm.apple
}

/// A database with the rule that names its tables and columns.
package struct StoreForm: Sendable {
    package var dialect: any Dialect
    package var naming: any StoreNaming
    /// Indicates whether names that a model states in user infos (`StatedName`) come before those of the rule.
    package var heedsStatedNames = false
    /// Indicates whether entities have their numbers for good. Otherwise they follow from the model.
    package var keepsEntityNumbers: Bool { !dialect.keepsFiles }

    package init(dialect: any Dialect, naming: any StoreNaming, heedsStatedNames: Bool = false) {
        self.dialect = dialect
        self.naming = naming
        self.heedsStatedNames = heedsStatedNames
    }

    /// SQLite's files in the layout of Apple's framework.
    package static let apple = StoreForm(dialect: SQLiteDialect(), naming: AppleNaming())
    /// PostgreSQL's tables, with names that a person would give them.
    package static let postgreSQL = StoreForm(
        dialect: PostgreSQLDialect(), naming: PlainNaming(), heedsStatedNames: true)
}

/// The table of an inheritance tree.
package struct TableShape: Sendable, Hashable {
    package var name: String
    package var rootName: String
    /// After Z_PK, Z_ENT and Z_OPT, in Apple's order.
    package var columns: [ColumnShape]
    /// The columns among them that each have an index because they are foreign keys.
    package var foreignKeys: [String]
    package var isPolymorphic: Bool
    /// The columns that every row has.
    package var head = HeadColumns.apple
    /// Indicates whether the model states its name.
    package var isStated = false
    /// The column by which rows are distributed over several servers: every unique index has it. No foreign key leads to or from
    /// such a table, as it would have to have it, too.
    package var distribution: String?
}

/// A column with its declared type.
package struct ColumnShape: Sendable, Hashable {
    package var name: String
    package var type: String
}

/// A join table with the columns of its owner's view.
package struct JoinShape: Sendable, Hashable {
    package var table: String
    package var owner: PropertyAddress
    package var inverse: PropertyAddress
    /// Named after the inverse, then named after the owner.
    package var keyColumns: [String]
    package var orderColumns: [String]
}
