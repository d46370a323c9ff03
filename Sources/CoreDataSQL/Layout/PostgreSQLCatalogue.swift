// The tables of a store in PostgreSQL about itself, in a schema beside that of its rows.

package import Foundation

/// The tables of a store about itself.
package struct PostgreSQLCatalogue: Sendable, Hashable {
    /// The schema beside that of the tables.
    package let schema: String

    package init(schemaOfTables: String) {
        schema = PlainNaming.fitted("coredata_" + schemaOfTables)
    }

    private func table(_ name: String) -> SQLFragment { "\(name: schema).\(sql: name)" }

    /// The tables that the store was laid over, with the columns that it added to them. Not there unless there are some.
    var adopted: SQLFragment { table("adopted") }

    /// Gives a row if the store was laid over tables.
    package var hasAdopted: SQLStatement {
        statement(
            """
            SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE c.relname = 'adopted' AND n.nspname = \(binding: .text(schema), as: .named("text"))
            """)
    }

    /// Rows of table and column; a table without columns has one without.
    package var adoptedColumns: SQLStatement {
        statement(
            "SELECT table_name, c FROM \(adopted) LEFT JOIN LATERAL unnest(added_columns) AS c ON true")
    }

    /// Makes the tables, unless they are there. To run in a transaction.
    var definitions: [SQLFragment] {
        [
            "CREATE SCHEMA \(name: schema)",
            """
            CREATE TABLE \(table("store")) (one boolean PRIMARY KEY DEFAULT true CHECK (one), \
            format integer NOT NULL, uuid text NOT NULL, metadata bytea NOT NULL, model bytea)
            """,
            """
            CREATE TABLE \(table("entity")) (number bigint PRIMARY KEY, name text NOT NULL UNIQUE, \
            super_number bigint REFERENCES \(table("entity")), table_name text NOT NULL)
            """,
            "CREATE TABLE \(table("version")) (checksum text PRIMARY KEY)",
            """
            CREATE TABLE \(table("work")) (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
            summary text NOT NULL, preparation text, statement text NOT NULL)
            """,
            """
            CREATE TABLE \(table("spare")) (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
            table_name text NOT NULL, column_name text NOT NULL, type text NOT NULL, value text NOT NULL, \
            last_key bigint NOT NULL DEFAULT 0, is_filled boolean NOT NULL DEFAULT false)
            """,
            """
            COMMENT ON SCHEMA \(name: schema) IS 'What the Core Data store beside it knows about itself'
            """,
            """
            COMMENT ON TABLE \(table("version")) IS 'Versions of the model whose programs may have the store open'
            """,
            "COMMENT ON TABLE \(table("work")) IS 'What a migration left to do beside programs at work'",
            """
            COMMENT ON TABLE \(table("spare")) IS 'Columns that are filled before a migration puts them in their place'
            """,
        ]
    }

    func statement(_ text: SQLFragment) -> SQLStatement { text.statement(in: PostgreSQLDialect()) }

    // MARK: The store

    /// Gives a row if the store is there.
    package var isThere: SQLStatement {
        statement(
            """
            SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE c.relname = 'store' AND n.nspname = \(binding: .text(schema), as: .named("text"))
            """)
    }

    /// The form of a store, its UUID and its property list.
    package var store: SQLStatement { statement("SELECT format, uuid, metadata FROM \(table("store"))") }

    package var model: SQLStatement { statement("SELECT model FROM \(table("store"))") }

    /// Rows of number and name.
    package var entities: SQLStatement {
        statement("SELECT number, name FROM \(table("entity")) ORDER BY number")
    }

    package func write(uuid: String, propertyList: Data) -> SQLStatement {
        statement(
            """
            UPDATE \(table("store")) SET uuid = \(binding: .text(uuid), as: .ofPlace), \
            metadata = \(binding: .blob(propertyList), as: .ofPlace)
            """)
    }

    package func write(model: Data) -> SQLStatement {
        statement("UPDATE \(table("store")) SET model = \(binding: .blob(model), as: .ofPlace)")
    }

    /// The form that this release writes, and the only one that it reads.
    package static let format: Int64 = 2

    func insertion(uuid: String, propertyList: Data, model: Data?) -> SQLStatement {
        let model: SQLBinding = model.map { .blob($0) } ?? .null
        return statement(
            """
            INSERT INTO \(table("store")) (format, uuid, metadata, model) VALUES (\(number: Self.format), \
            \(binding: .text(uuid), as: .ofPlace), \(binding: .blob(propertyList), as: .ofPlace), \
            \(binding: model, as: .ofPlace))
            """)
    }

    // MARK: Entities

    /// The rows about entities, each behind that of its superentity.
    func entityRows(_ blueprint: StoreBlueprint) -> [SQLStatement] {
        let layout = blueprint.layout()
        return blueprint.numbering.names.compactMap { name in
            layout[name].map {
                insertion(number: $0.number, name: name, superNumber: $0.superNumber, table: $0.table)
            }
        }
    }

    var deleteEntityRows: SQLStatement { statement("DELETE FROM \(table("entity"))") }

    private func insertion(number: Int, name: String, superNumber: Int, table: String) -> SQLStatement {
        let parent: SQLBinding = superNumber == 0 ? .null : .integer(Int64(superNumber))
        return statement(
            """
            INSERT INTO \(self.table("entity")) (number, name, super_number, table_name) VALUES (\(number: number), \
            \(binding: .text(name), as: .ofPlace), \
            \(binding: parent, as: .ofPlace), \
            \(binding: .text(table), as: .ofPlace))
            """)
    }

    // MARK: Versions

    /// Gives a row if programs with a version of the model may have the store open.
    package func hasVersion(_ checksum: String) -> SQLStatement {
        statement(
            "SELECT 1 FROM \(table("version")) WHERE checksum = \(binding: .text(checksum), as: .named("text"))"
        )
    }

    /// Lets programs with a version of the model have the store open.
    package func addVersion(_ checksum: String) -> SQLStatement {
        statement(
            """
            INSERT INTO \(table("version")) (checksum) VALUES (\(binding: .text(checksum), as: .ofPlace)) \
            ON CONFLICT DO NOTHING
            """)
    }

    package var deleteVersions: SQLStatement { statement("DELETE FROM \(table("version"))") }
}

// MARK: Locks

extension PostgreSQLCatalogue {
    private func lock(_ subject: String) -> SQLFragment {
        let name = SQLBinding.text("coredata \(subject) \(schema)")
        return "hashtextextended(\(binding: name, as: .named("text")), 0)"
    }

    /// The key of the lock that everybody shares who has the store open.
    private var openLock: SQLFragment { lock("open") }

    /// Waits until nobody else makes a store in the database; the transaction's end lets others go on.
    package var exclusionOfMakers: SQLStatement {
        SQLStatement("SELECT pg_advisory_xact_lock(hashtextextended('coredata', 0))")
    }

    /// Waits until nobody else makes, migrates or destroys the store; the transaction's end lets others go on.
    package var exclusion: SQLStatement { statement("SELECT pg_advisory_xact_lock(\(lock("change")))") }

    /// Says, until the connection ends, that somebody has the store open. Waits for a migration to end.
    package var holdOpen: SQLStatement { statement("SELECT pg_advisory_lock_shared(\(openLock))") }

    /// The same until the transaction ends.
    package var holdOpenInTransaction: SQLStatement {
        statement("SELECT pg_advisory_xact_lock_shared(\(openLock))")
    }

    /// Returns whether nobody keeps the store closed, which nobody can then until the transaction ends.
    package var tryHoldOpenInTransaction: SQLStatement {
        statement("SELECT pg_try_advisory_xact_lock_shared(\(openLock))")
    }

    /// Rows of program, host, the server's process: who has the store open.
    package var holders: SQLStatement {
        statement(
            """
            SELECT COALESCE(a.application_name, ''), COALESCE(host(a.client_addr), ''), a.pid \
            FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid \
            WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted AND l.pid <> pg_backend_pid() \
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
            AND ((l.classid::bigint << 32) | l.objid::bigint) = \(openLock) ORDER BY a.pid
            """)
    }

    /// Work that one program at a time does on a store.
    package enum Occupation: String, Sendable {
        /// Keeping it closed for all others: nobody may have it open.
        case closing = "open"
        /// Filling it with another store's objects.
        case filling = "fill"
        /// The parts of a migration that are done beside programs.
        case work = "work"
    }

    /// Returns whether nobody else is at it, who can't be then until `end`, or the connection's end, of which the server hears some time
    /// later.
    package func attempt(_ occupation: Occupation) -> SQLStatement {
        statement("SELECT pg_try_advisory_lock(\(lock(occupation.rawValue)))")
    }

    /// The same until the transaction ends.
    package func attemptInTransaction(_ occupation: Occupation) -> SQLStatement {
        statement("SELECT pg_try_advisory_xact_lock(\(lock(occupation.rawValue)))")
    }

    /// Waits until nobody else is at it.
    package func wait(for occupation: Occupation) -> SQLStatement {
        statement("SELECT pg_advisory_lock(\(lock(occupation.rawValue))) IS NOT NULL")
    }

    /// The same until the transaction ends.
    package func waitInTransaction(for occupation: Occupation) -> SQLStatement {
        statement("SELECT pg_advisory_xact_lock(\(lock(occupation.rawValue))) IS NOT NULL")
    }

    package func end(_ occupation: Occupation) -> SQLStatement {
        statement("SELECT pg_advisory_unlock(\(lock(occupation.rawValue)))")
    }
}

// MARK: Work that a migration leaves

extension PostgreSQLCatalogue {
    /// Something that is done beside programs at work, outside of a transaction.
    package struct Work: Sendable, Hashable {
        package var summary: String
        /// Takes away what is left of a statement that was interrupted.
        package var preparation: String?
        package var statement: String

        package init(summary: String, preparation: String?, statement: String) {
            self.summary = summary
            self.preparation = preparation
            self.statement = statement
        }
    }

    package func addWork(_ work: Work) -> SQLStatement {
        let preparation: SQLBinding = work.preparation.map { .text($0) } ?? .null
        return statement(
            """
            INSERT INTO \(table("work")) (summary, preparation, statement) VALUES \
            (\(binding: .text(work.summary), as: .ofPlace), \(binding: preparation, as: .ofPlace), \
            \(binding: .text(work.statement), as: .ofPlace))
            """)
    }

    /// Rows of number, summary, preparation, statement.
    package var work: SQLStatement {
        statement("SELECT number, summary, preparation, statement FROM \(table("work")) ORDER BY number")
    }

    package func deleteWork(_ number: Int64) -> SQLStatement {
        statement(
            "DELETE FROM \(table("work")) WHERE number = \(binding: .integer(number), as: .named("bigint"))")
    }

    package var deleteAllWork: SQLStatement { statement("DELETE FROM \(table("work"))") }
}

// MARK: Drafts

extension PostgreSQLCatalogue {
    /// The schema of the tables of a store that is to take another one's place.
    package static func draft(of schema: String) -> String { PlainNaming.fitted("coredata_draft_" + schema) }

    /// Takes away a draft and what it knows about itself.
    package func removalOfDraft(_ tables: String) -> [SQLStatement] {
        [
            "DROP SCHEMA IF EXISTS \(name: tables) CASCADE", "DROP SCHEMA IF EXISTS \(name: schema) CASCADE",
        ].map(statement)
    }

    /// Rows of name.
    package func tables(in schema: String) -> SQLStatement {
        statement(
            """
            SELECT c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE c.relkind IN ('r', 'p') AND n.nspname = \(binding: .text(schema), as: .named("text")) ORDER BY c.oid
            """)
    }

    /// Puts a draft's tables into the schema of the store whose place it takes, and what it knows about itself beside them.
    package func publication(
        of tables: [String], from draft: String, to target: String, with catalogue: PostgreSQLCatalogue
    ) -> [SQLStatement] {
        let moves = tables.map {
            "ALTER TABLE \(name: draft).\(name: $0) SET SCHEMA \(name: target)" as SQLFragment
        }
        let all: [SQLFragment] =
            ["CREATE SCHEMA IF NOT EXISTS \(name: target)"] + moves + [
                "ALTER SCHEMA \(name: schema) RENAME TO \(name: catalogue.schema)",
                "DROP SCHEMA \(name: draft)",
            ]
        return all.map(statement)
    }
}
