// What a store file contains, as plain values that the engine reads from it.

/// Tables, indexes and entity numbers of an existing store.
package struct StoreCatalog: Sendable, Hashable {
    package struct Column: Sendable, Hashable {
        package var name: String
        package var type: String
        /// 1-based position in the primary key, 0 outside of it.
        package var primaryKeyIndex: Int

        package init(name: String, type: String, primaryKeyIndex: Int = 0) {
            self.name = name
            self.type = type
            self.primaryKeyIndex = primaryKeyIndex
        }
    }

    /// An index, or a trigger, that was made by a statement; those of SQLite's own have no text and are left out.
    package struct Index: Sendable, Hashable {
        package var name: String
        package var table: String
        package var text: String

        package init(name: String, table: String, text: String) {
            self.name = name
            self.table = table
            self.text = text
        }

        /// Whether its text has a table's name as a word of its own.
        package func mentions(_ table: String) -> Bool {
            let words = text.uppercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }
            return words.contains { $0 == table.uppercased() }
        }
    }

    /// A row of Z_PRIMARYKEY.
    package struct EntityNumber: Sendable, Hashable {
        package var number: Int
        package var name: String
        package var superNumber: Int
        package var maximum: Int64

        package init(number: Int, name: String, superNumber: Int, maximum: Int64) {
            self.number = number
            self.name = name
            self.superNumber = superNumber
            self.maximum = maximum
        }
    }

    package var tables: [String: [Column]]
    package var indexes: [Index]
    package var triggers: [Index] = []
    /// The names of tables that a module of SQLite keeps.
    package var virtualTables: [String] = []
    package var entityNumbers: [EntityNumber]

    package init(
        tables: [String: [Column]] = [:], indexes: [Index] = [], entityNumbers: [EntityNumber] = []
    ) {
        self.tables = tables
        self.indexes = indexes
        self.entityNumbers = entityNumbers
    }

    /// Rows of table, column, declared type, position in the primary key; columns in order.
    package static let columnsQuery = SQLStatement(
        """
        SELECT m.name, c.name, c.type, c.pk FROM sqlite_master AS m, pragma_table_info(m.name) AS c \
        WHERE m.type = 'table' ORDER BY m.rowid, c.cid
        """)

    /// Rows of index, table, text.
    package static let indexesQuery = SQLStatement(
        "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY rowid"
    )

    /// Rows of kind, name, table, text: triggers and virtual tables.
    package static let machineryQuery = SQLStatement(
        """
        SELECT type, name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger' \
        OR (type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%') ORDER BY rowid
        """)

    /// Rows of name: the triggers that are in the file.
    package static let triggersQuery = SQLStatement("SELECT name FROM sqlite_master WHERE type = 'trigger'")

    /// Rows of Z_ENT, Z_NAME, Z_SUPER, Z_MAX.
    package static let entityNumbersQuery = SQLStatement(
        "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")

    /// Whether the file has what every store has, whatever its model.
    package var isStore: Bool { tables["Z_PRIMARYKEY"] != nil && tables["Z_METADATA"] != nil }
}
