// The tables of a store's history on a server, and the statements over them.
//
// The number of a transaction is the server's own (`xid8`) and a base, so that numbers ascend in the order in which transactions
// began. One that began earlier may be committed later. So a reader sees only transactions below the number of the first
// writer that may still commit (`limit`): whoever reads on behind the last one misses none.
//
// Writers take a shared advisory lock before they get their number, by which readers tell them from the many others that have
// transactions on the server.

package import CoreDataSQL
import Foundation

/// The names of entities' properties, by the entity's number.
package struct HistoryNames: Sendable {
    /// In the order of an update's bitmap.
    package var numbered: [Int64: [String]] = [:]
    /// The attributes whose values outlive a deleted row.
    package var preserved: [Int64: [String]] = [:]

    package init() {}
}

/// The history in the schema beside a store's tables.
package struct ServerHistory: Sendable {
    let dialect = PostgreSQLDialect()
    private let schema: String
    /// The names that changes state. Numbers would be others in another version of the model, which may be at work as well.
    package var names = HistoryNames()

    /// - Parameter schema: the store's schema about itself.
    package init(in schema: String) {
        self.schema = schema
    }

    /// The name that a save is announced under.
    package var channel: String { schema }

    var state: SQLFragment { "\(name: schema).history" }
    var transactions: SQLFragment { "\(name: schema).history_transaction" }
    var changes: SQLFragment { "\(name: schema).history_change" }

    func statement(_ text: SQLFragment) -> SQLStatement { text.statement(in: dialect) }

    // MARK: Tables

    /// Gives a row if there are the tables.
    var isThere: SQLStatement {
        statement(
            """
            SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE c.relname = 'history' AND n.nspname = \(binding: .text(schema), as: .named("text"))
            """)
    }

    /// `deleted` is the number of the last transaction that was deleted.
    var definitions: [SQLStatement] {
        let texts: [SQLFragment] = [
            """
            CREATE TABLE \(state) (one boolean PRIMARY KEY DEFAULT true CHECK (one), base bigint NOT NULL, \
            deleted bigint NOT NULL)
            """,
            "INSERT INTO \(state) (base, deleted) VALUES (0, 0)",
            """
            CREATE TABLE \(transactions) (number bigint PRIMARY KEY, time timestamptz NOT NULL, author text, \
            bundle_id text, context_name text, process_id text)
            """,
            """
            CREATE TABLE \(changes) (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
            transaction_number bigint NOT NULL REFERENCES \(transactions), kind bigint NOT NULL, entity bigint NOT NULL, \
            object_id bigint NOT NULL, columns jsonb, tombstones jsonb)
            """,
            "CREATE INDEX ON \(changes) (transaction_number, id)",
            "CREATE INDEX ON \(transactions) (time)",
        ]
        return texts.map(statement)
    }

    /// Raises the base where the database was moved to a server that counts from less: its next number must be above all.
    var repair: SQLStatement {
        let last: SQLFragment = "GREATEST(deleted, (SELECT MAX(number) FROM \(transactions)))"
        return statement(
            """
            UPDATE \(state) SET base = \(last) + 1 - \(Self.next) WHERE \(last) >= base + \(Self.next)
            """)
    }

    /// Lets the next numbers be above one, whose predecessors and itself have been deleted.
    func begin(after number: Int64) -> SQLStatement {
        let first = SQLFragment(binding: .integer(number &+ 1), as: .named("bigint"))
        return statement(
            """
            UPDATE \(state) SET base = GREATEST(base, \(first) + 1 - \(Self.oldest)), \
            deleted = GREATEST(deleted, \(first))
            """)
    }

    // MARK: Numbers

    /// Not yet given to any transaction.
    private static let next: SQLFragment = "pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
    /// That of the oldest transaction which goes on.
    private static let oldest: SQLFragment = "pg_snapshot_xmin(pg_current_snapshot())::text::bigint"

    private var lockKey: SQLFragment {
        "hashtextextended(\(binding: .text("coredata history \(schema)"), as: .named("text")), 0)"
    }

    /// To run in a transaction before it gets its number.
    package var writerLock: SQLStatement { statement("SELECT pg_advisory_xact_lock_shared(\(lockKey))") }

    /// Base, last deleted number, number of the oldest transaction on the server that goes on, the next number, the last
    /// recorded one.
    var position: SQLStatement {
        statement(
            """
            SELECT base, deleted, \(Self.oldest), \(Self.next), \
            COALESCE((SELECT MAX(number) FROM \(transactions)), 0) FROM \(state)
            """)
    }

    var base: SQLStatement { statement("SELECT base FROM \(state)") }

    /// The next number of a transaction on the server.
    var nextNumber: SQLStatement { statement("SELECT \(Self.next)") }

    /// The server's number of the oldest transaction of those that write the history; NULL if none does.
    var oldestWriter: SQLStatement {
        statement(
            """
            SELECT MIN(x.transactionid::text::bigint) FROM pg_locks AS x JOIN pg_locks AS w ON w.pid = x.pid \
            WHERE x.locktype = 'transactionid' AND x.mode = 'ExclusiveLock' AND w.locktype = 'advisory' \
            AND w.objsubid = 1 AND w.database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
            AND ((w.classid::bigint << 32) | w.objid::bigint) = \(lockKey)
            """)
    }

    /// Tells those who listen of a save.
    package func announcement(_ number: Int64) -> SQLStatement {
        statement(
            """
            SELECT pg_notify(\(binding: .text(channel), as: .named("text")), \
            \(binding: .text(String(number)), as: .named("text")))
            """)
    }

    package var listening: SQLStatement { statement("LISTEN \(name: channel)") }
}
