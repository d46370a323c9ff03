// The upkeep of a store's tables on a server.

/// A table by its schema and name.
package struct SchemaTable: Sendable, Hashable {
    package let schema: String
    package let name: String

    package init(schema: String, name: String) {
        (self.schema, self.name) = (schema, name)
    }
}

extension PostgreSQLCatalogue {
    /// Returns whether a person's statement begins as one that answers rows: others may do what a transaction that can't write
    /// doesn't keep them from.
    package static func isQuery(_ sql: String) -> Bool {
        let first = sql.drop { $0.isWhitespace || $0 == "(" }.prefix { $0.isLetter }.uppercased()
        return ["SELECT", "WITH", "VALUES", "TABLE", "SHOW", "EXPLAIN"].contains(first)
    }

    /// Takes back the room of rows that are no more. To run outside of a transaction.
    package func vacuum(_ table: SchemaTable, rewriting: Bool) -> SQLStatement {
        let options: SQLFragment = rewriting ? "FULL, ANALYZE" : "ANALYZE"
        return statement("VACUUM (\(options)) \(name: table.schema).\(name: table.name)")
    }

    /// The bytes of tables that are there, with their indexes and large values.
    package func size(of tables: [SchemaTable]) -> SQLStatement {
        statement("SELECT COALESCE(sum(pg_total_relation_size(c.oid)), 0)::bigint \(from(tables))")
    }

    /// Rows of name: the tables that belong to others, as the database does. The server leaves those out with a warning when it is
    /// to vacuum them.
    package func foreign(among tables: [SchemaTable]) -> SQLStatement {
        statement(
            """
            SELECT c.relname \(from(tables)) AND NOT pg_has_role(c.relowner, 'USAGE') AND NOT pg_has_role(\
            (SELECT datdba FROM pg_database WHERE datname = current_database()), 'USAGE') ORDER BY 1
            """)
    }

    private func from(_ tables: [SchemaTable]) -> SQLFragment {
        let places = tables.map {
            "(\(binding: .text($0.schema), as: .named("text")), \(binding: .text($0.name), as: .named("text")))"
                as SQLFragment
        }
        return """
            FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE c.relkind IN ('r', 'p') AND (n.nspname, c.relname) IN (\(places.joined(separator: ", ")))
            """
    }

    /// Rows of name: the schemas of these names that are there.
    package func schemas(named names: [String]) -> SQLStatement {
        let bindings = names.map { "\(binding: .text($0), as: .named("text"))" as SQLFragment }
        return statement(
            "SELECT nspname FROM pg_namespace WHERE nspname IN (\(bindings.joined(separator: ", "))) ORDER BY 1"
        )
    }
}
