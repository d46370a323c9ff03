// The contents of a store file, as plain values that the engine reads from it.

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

        /// Returns whether its text has a table's name as a word of its own.
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

    /// Rows of Z_ENT, Z_NAME, Z_SUPER, Z_MAX.
    package static let entityNumbersQuery = SQLStatement(
        "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")

    /// Indicates whether the file has the tables that every store has, whatever its model.
    package var isStore: Bool { tables["Z_PRIMARYKEY"] != nil && tables["Z_METADATA"] != nil }
}
