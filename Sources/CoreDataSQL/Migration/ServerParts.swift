// The parts of a store on a server that a migration has to see to beside tables, columns and indexes.

/// A store's parts on a server.
package struct ServerParts: Sendable {
    /// The schema of the tables.
    package var schema: String
    /// The names of the foreign keys that there are, by table.
    package var foreignKeys: [String: Set<String>]
    package var keepsHistory: Bool
    /// Tables with so many rows that nobody is to be kept out while all of them are read or written.
    package var largeTables: Set<String>
    /// Columns that are being filled for a migration, or are filled.
    package var spares: [SpareColumn]
    /// New indexes that have to take values of any size.
    package var unlimitedIndexes: Set<String> = []
    /// The names of indexes beside unique ones that go by digests (`IndexShape.lookupName`), by those of the unique ones.
    package var lookups: [String: String] = [:]

    package init(
        schema: String, foreignKeys: [String: Set<String>] = [:], keepsHistory: Bool = false,
        largeTables: Set<String> = [], spares: [SpareColumn] = []
    ) {
        self.schema = schema
        self.foreignKeys = foreignKeys
        self.keepsHistory = keepsHistory
        self.largeTables = largeTables
        self.spares = spares
    }

    var catalogue: PostgreSQLCatalogue { PostgreSQLCatalogue(schemaOfTables: schema) }
}

/// A column of a large table that is filled with a newer column's values while programs are at work, by a trigger and batch by
/// batch. The migration only gives it its name.
package struct SpareColumn: Sendable, Hashable {
    /// Its number in the catalogue; 0 for one that isn't there yet.
    package var number: Int64 = 0
    /// The older table.
    package var table: String
    /// The newer column that it is to become.
    package var column: String
    package var type: String
    /// The SQL of its value, over the older columns of the row.
    package var value: String
    /// The key up to which rows are filled.
    package var lastKey: Int64 = 0
    package var isFilled = false

    package init(
        number: Int64 = 0, table: String, column: String, type: String, value: String, lastKey: Int64 = 0,
        isFilled: Bool = false
    ) {
        self.number = number
        self.table = table
        self.column = column
        self.type = type
        self.value = value
        self.lastKey = lastKey
        self.isFilled = isFilled
    }

    /// The name that it has until then.
    package var name: String { "coredata_spare_\(number)" }
}

extension PostgreSQLCatalogue {
    private var spareTable: SQLFragment { "\(name: schema).spare" }
    private func function(_ spare: SpareColumn) -> SQLFragment {
        "\(name: schema).\(name: "fill_\(spare.number)")"
    }

    /// Rows of number, table, column, type, value, last key, whether it is filled.
    package var spares: SQLStatement {
        statement(
            """
            SELECT number, table_name, column_name, type, value, last_key, is_filled FROM \(spareTable) ORDER BY number
            """)
    }

    /// Gives the number of a new spare column.
    package func add(_ spare: SpareColumn) -> SQLStatement {
        let values = [spare.table, spare.column, spare.type, spare.value].map {
            "\(binding: .text($0), as: .ofPlace)" as SQLFragment
        }
        return statement(
            """
            INSERT INTO \(spareTable) (table_name, column_name, type, value) \
            VALUES (\(values.joined(separator: ", "))) RETURNING number
            """)
    }

    /// Makes a spare column and the trigger that fills it in each row that is written.
    package func definitions(of spare: SpareColumn) -> [SQLStatement] {
        let (table, column) = (SQLFragment(name: spare.table), SQLFragment(name: spare.name))
        let body =
            "BEGIN NEW.\(quoted(identifier: spare.name)) := (SELECT \(spare.value) FROM (SELECT NEW.*) AS r); "
            + "RETURN NEW; END"
        return [
            "ALTER TABLE \(table) ADD COLUMN \(column) \(sql: spare.type)",
            "CREATE FUNCTION \(function(spare))() RETURNS trigger LANGUAGE plpgsql AS \(sql: sqlText(body))",
            """
            CREATE TRIGGER \(name: spare.name) BEFORE INSERT OR UPDATE ON \(table) FOR EACH ROW \
            EXECUTE FUNCTION \(function(spare))()
            """,
        ].map(statement)
    }

    /// Gives the last key of the next rows to fill; NULL if there are none.
    package func endOfBatch(_ spare: SpareColumn, count: Int, key: String) -> SQLStatement {
        statement(
            """
            SELECT MAX(k) FROM (SELECT \(name: key) AS k FROM \(name: spare.table) WHERE \(name: key) > \
            \(binding: .integer(spare.lastKey), as: .named("bigint")) ORDER BY \(name: key) \
            LIMIT \(number: count)) AS b
            """)
    }

    /// Fills rows up to a key: the trigger writes the value.
    package func fill(_ spare: SpareColumn, through last: Int64, key: String) -> [SQLStatement] {
        let end = SQLFragment(binding: .integer(last), as: .named("bigint"))
        return [
            """
            UPDATE \(name: spare.table) SET \(name: spare.name) = NULL WHERE \(name: key) > \
            \(binding: .integer(spare.lastKey), as: .named("bigint")) AND \(name: key) <= \(end)
            """,
            "UPDATE \(spareTable) SET last_key = \(end) WHERE number = \(number: spare.number)",
        ].map(statement)
    }

    package func noteFilled(_ spare: SpareColumn) -> SQLStatement {
        statement("UPDATE \(spareTable) SET is_filled = true WHERE number = \(number: spare.number)")
    }

    /// Takes the triggers away, and the columns that nothing becomes of.
    func removals(of spares: [SpareColumn], keeping kept: Set<String>) -> [SQLStatement] {
        var texts: [SQLFragment] = []
        for spare in spares {
            texts.append("DROP TRIGGER \(name: spare.name) ON \(name: spare.table)")
            texts.append("DROP FUNCTION \(function(spare))()")
            if !kept.contains(spare.name) {
                texts.append("ALTER TABLE \(name: spare.table) DROP COLUMN \(name: spare.name)")
            }
        }
        if !texts.isEmpty { texts.append("DELETE FROM \(spareTable)") }
        return texts.map(statement)
    }
}
