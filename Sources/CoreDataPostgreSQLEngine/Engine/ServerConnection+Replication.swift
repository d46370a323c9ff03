// The lag of a replica.

extension ServerConnection {
    /// The seconds that a replica is behind its server at most: 0 for one that has replayed all that it got, and for a server
    /// that follows nobody; else the age of the last transaction that it replayed. `nil` if it follows a server, but gets nothing and has
    /// never replayed a transaction.
    package func replicationLag() throws -> Double? {
        let result = try run(
            """
            SELECT CASE WHEN NOT pg_is_in_recovery() THEN 0::float8 \
            WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() \
            AND EXISTS (SELECT 1 FROM pg_stat_wal_receiver WHERE pid IS NOT NULL) THEN 0::float8 \
            ELSE EXTRACT(EPOCH FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8 END
            """)
        return result.isNull(0, column: 0) ? nil : BinaryForm.double(result.bytes(0, column: 0))
    }
}
