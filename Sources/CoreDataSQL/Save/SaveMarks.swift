// The marks by which a save is found again whose answer was lost: one row for each open store, with the number of the store's
// last save. It is written in the save's own transaction.
//
// A server's number of a transaction doesn't do: a server that was a replica gives the numbers of transactions that it never got
// to others.

package import Foundation

/// The table of marks in the schema beside a store's tables.
package struct SaveMarks: Sendable {
    private let dialect = PostgreSQLDialect()
    private let schema: String

    /// - Parameter schema: the store's schema about itself.
    package init(in schema: String) {
        self.schema = schema
    }

    private var table: SQLFragment { "\(name: schema).last_save" }

    /// Gives a row if there is the table: 1 if the user may delete from it, else 0.
    package var isThere: SQLStatement {
        statement(
            """
            SELECT has_table_privilege(c.oid, 'DELETE')::int::bigint FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE c.relname = 'last_save' AND n.nspname = \(binding: .text(schema), as: .named("text"))
            """)
    }

    package var definition: SQLStatement {
        statement(
            """
            CREATE TABLE IF NOT EXISTS \(table) (writer uuid PRIMARY KEY, number bigint NOT NULL, \
            time timestamptz NOT NULL)
            """)
    }

    /// Deletes the marks of stores that nobody has open any more. A store that is open still writes a new one.
    package var cleaning: SQLStatement {
        statement("DELETE FROM \(table) WHERE time < now() - interval '7 days'")
    }

    /// Marks a save, in its transaction. Gives the server's number of the transaction.
    package func mark(_ number: Int64, by writer: UUID) -> SQLStatement {
        statement(
            """
            INSERT INTO \(table) AS m (writer, number, time) VALUES (\(binding: .text(writer.uuidString), as: .named("uuid")), \
            \(binding: .integer(number), as: .named("bigint")), now()) ON CONFLICT (writer) DO UPDATE \
            SET number = EXCLUDED.number, time = EXCLUDED.time RETURNING pg_current_xact_id()::text::bigint
            """)
    }

    /// Gives the number of the writer's last save that stands; 0 for none. Waits until one that isn't ended has ended.
    package func last(of writer: UUID) -> SQLStatement {
        statement(
            """
            INSERT INTO \(table) AS m (writer, number, time) VALUES (\(binding: .text(writer.uuidString), as: .named("uuid")), \
            0, now()) ON CONFLICT (writer) DO UPDATE SET time = m.time RETURNING number
            """)
    }

    private func statement(_ text: SQLFragment) -> SQLStatement { text.statement(in: dialect) }
}
