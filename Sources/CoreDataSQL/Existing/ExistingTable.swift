// The tables of a schema on a PostgreSQL server, whoever made them, as the server's catalogue tells of them.

package import CoreDataSchema

/// A table with what a model can say of it.
package struct ExistingTable: Sendable, Hashable {
    package struct Column: Sendable, Hashable {
        package var name: String
        /// The server's short name of the type, such as `int4`; of a domain that of what it is based on.
        package var type: String
        package var isRequired: Bool
        /// Indicates whether the server gives a value where none is stated.
        package var hasDefault: Bool
        /// The sequence that belongs to the column, in quotes where SQL needs them.
        package var sequence: String?
        package var isGenerated: Bool
    }

    package struct ForeignKey: Sendable, Hashable {
        /// The server's letters for what a deletion does.
        package enum Deletion: String, Sendable {
            case nothing = "a"
            case restrict = "r"
            case cascade = "c"
            case setNull = "n"
            case setDefault = "d"
        }

        package var name: String
        package var columns: [String]
        package var target: String
        package var targetColumns: [String]
        package var isDeferrable: Bool
        package var deletion: Deletion
    }

    package struct Index: Sendable, Hashable {
        package var name: String
        package var columns: [String]
        package var isUnique: Bool
    }

    package var name: String
    package var columns: [Column] = []
    package var primaryKey: [String] = []
    package var foreignKeys: [ForeignKey] = []
    /// Those over plain columns without a condition, of unique constraints as well, but for the primary key's.
    package var indexes: [Index] = []

    package func column(_ name: String) -> Column? { columns.first { $0.name == name } }

    /// Returns whether no two rows have the same value of a column.
    package func isUnique(_ column: String) -> Bool {
        primaryKey == [column] || indexes.contains { $0.isUnique && $0.columns == [column] }
    }
}

extension ExistingTable.Column {
    package var isInteger: Bool { ["int2", "int4", "int8"].contains(type) }

    /// The attribute type that has all the column's values; `nil` if none does.
    package var attributeType: AttributeType? {
        switch type {
        case "int2": .integer16
        case "int4": .integer32
        case "int8": .integer64
        case "float4": .float
        case "float8": .double
        case "numeric": .decimal
        case "bool": .boolean
        case "text", "varchar", "bpchar": .string
        case "timestamptz", "timestamp", "date": .date
        case "uuid": .uuid
        case "bytea": .binaryData
        default: nil
        }
    }

    /// Returns whether an attribute of a type can be kept in the column.
    func fits(_ type: AttributeType) -> Bool {
        switch type {
        case .integer16, .integer32, .integer64: isInteger
        case .double, .float: ["float4", "float8"].contains(self.type)
        case .string, .uri: attributeType == .string
        case .binaryData, .transformable: attributeType == .binaryData
        default: attributeType == type
        }
    }
}

/// Reads the tables of a schema.
package struct ExistingTables: Sendable {
    /// Stands between the names of a list: no name has it.
    private static let separator = "\u{1F}"
    private let schema: SQLBinding

    package init(in schema: String) { self.schema = .text(schema) }

    /// Rows of table, column, type, whether it is required, has a default, is generated, and its sequence.
    package var columns: SQLStatement {
        SQLStatement(
            """
            SELECT c.relname::text, a.attname::text, b.typname::text, a.attnotnull, \
            a.atthasdef OR a.attidentity <> '', a.attgenerated <> '', \
            pg_get_serial_sequence(quote_ident(n.nspname) || '.' || quote_ident(c.relname), a.attname) \
            FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
            JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
            JOIN pg_type AS t ON t.oid = a.atttypid \
            JOIN pg_type AS b ON b.oid = COALESCE(NULLIF(t.typbasetype, 0), t.oid) \
            WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = $1::text \
            ORDER BY c.relname, a.attnum
            """, bindings: [schema])
    }

    private static func names(_ table: String, numbers: String) -> String {
        """
        (SELECT string_agg(a.attname, chr(31) ORDER BY u.place) FROM unnest(\(numbers)) WITH ORDINALITY \
        AS u(number, place) JOIN pg_attribute AS a ON a.attrelid = \(table) AND a.attnum = u.number)
        """
    }

    /// Rows of table, kind (`p`, `f`), name, columns, target, its columns, whether it may be deferred, and what deletions do.
    package var constraints: SQLStatement {
        SQLStatement(
            """
            SELECT c.relname::text, k.contype::text, k.conname::text, \(Self.names("k.conrelid", numbers: "k.conkey")), \
            f.relname::text, \(Self.names("k.confrelid", numbers: "k.confkey")), k.condeferrable, k.confdeltype::text \
            FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid \
            JOIN pg_namespace AS n ON n.oid = c.relnamespace LEFT JOIN pg_class AS f ON f.oid = k.confrelid \
            WHERE k.contype IN ('p', 'f') AND n.nspname = $1::text ORDER BY c.relname, k.conname
            """, bindings: [schema])
    }

    /// Rows of table, name, columns, whether it is unique.
    package var indexes: SQLStatement {
        SQLStatement(
            """
            SELECT c.relname::text, i.relname::text, \(Self.names("c.oid", numbers: "(x.indkey::int2[])[0:x.indnkeyatts - 1]")), x.indisunique \
            FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid \
            JOIN pg_class AS c ON c.oid = x.indrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE NOT x.indisprimary AND x.indpred IS NULL AND x.indexprs IS NULL AND n.nspname = $1::text \
            ORDER BY c.relname, i.relname
            """, bindings: [schema])
    }

    /// The tables that the rows of the three statements tell of, by name.
    package static func read(
        columns: [[SQLBinding]], constraints: [[SQLBinding]], indexes: [[SQLBinding]]
    ) -> [String: ExistingTable] {
        var tables: [String: ExistingTable] = [:]
        for row in columns.map(Row.init) {
            let name = row.text(0)
            let column = ExistingTable.Column(
                name: row.text(1), type: row.text(2), isRequired: row.flag(3), hasDefault: row.flag(4),
                sequence: row.optionalText(6), isGenerated: row.flag(5))
            tables[name, default: ExistingTable(name: name)].columns.append(column)
        }
        for row in constraints.map(Row.init) {
            if row.text(1) == "p" {
                tables[row.text(0)]?.primaryKey = row.list(3)
                continue
            }
            tables[row.text(0)]?.foreignKeys.append(
                ExistingTable.ForeignKey(
                    name: row.text(2), columns: row.list(3), target: row.text(4), targetColumns: row.list(5),
                    isDeferrable: row.flag(6), deletion: .init(rawValue: row.text(7)) ?? .nothing))
        }
        for row in indexes.map(Row.init) {
            tables[row.text(0)]?.indexes.append(
                ExistingTable.Index(name: row.text(1), columns: row.list(2), isUnique: row.flag(3)))
        }
        return tables
    }

    private struct Row {
        let values: [SQLBinding]

        func optionalText(_ place: Int) -> String? {
            if case .text(let text) = values[place] { text } else { nil }
        }
        func text(_ place: Int) -> String { optionalText(place) ?? "" }
        func flag(_ place: Int) -> Bool { values[place] == .integer(1) }
        func list(_ place: Int) -> [String] {
            text(place).split(separator: ExistingTables.separator).map(String.init)
        }
    }
}
