// Locks on the server that are held while something is done, whatever a pooler does with connections.

package import CoreDataSQL

/// A lock that is held until `end`, or until its connection is lost.
package final class HeldLock {
    private let connection: ServerConnection
    /// `nil` if a transaction holds the lock, on a connection of its own.
    private let release: SQLStatement?

    fileprivate init(_ connection: ServerConnection, release: SQLStatement? = nil) {
        (self.connection, self.release) = (connection, release)
    }

    /// Throws if the connection was lost, and the lock with it.
    package func check() throws {
        if release == nil { try connection.run("SELECT 1") }
    }

    /// Lets others have the lock. Where this fails, the server does it once it hears of the connection's end.
    package func end() {
        if connection.isBroken { return }
        if let release {
            _ = try? connection.run(release)
        } else {
            _ = try? connection.runCommand("ROLLBACK")
            connection.close()
        }
    }
}

extension ConnectedStore {
    /// Takes the lock for something that one program at a time does. Returns `nil` if somebody else is at it. To be called outside of a
    /// transaction.
    ///
    /// - Parameter waiting: whether to wait until nobody else is at it.
    package func begin(
        _ occupation: PostgreSQLCatalogue.Occupation, waiting: Bool = false
    ) throws -> HeldLock? {
        guard let keeper else {
            let lock = waiting ? catalogue.wait(for: occupation) : catalogue.attempt(occupation)
            guard try connection.run(lock).bool(0, column: 0) == true else { return nil }
            return HeldLock(connection, release: catalogue.end(occupation))
        }
        // A lock of a connection would stay with one that the pooler keeps.
        let connection = try keeper()
        do {
            try connection.runCommand("BEGIN")
            let lock =
                waiting
                ? catalogue.waitInTransaction(for: occupation) : catalogue.attemptInTransaction(occupation)
            if try connection.run(lock).bool(0, column: 0) == true {
                // The query's state of the database lasts until the next statement, and an index that is made beside programs waits for it.
                try connection.run("SHOW transaction_isolation")
                return HeldLock(connection)
            }
            try connection.runCommand("ROLLBACK")
            connection.close()
            return nil
        } catch {
            connection.close()
            throw error
        }
    }

    /// Waits for some seconds until nobody has the store open, who can't open it then until the lock ends. Throws who has.
    package func close(waitingFor seconds: Double) throws -> HeldLock {
        var lock: HeldLock?
        try waitUntilClosed(seconds: seconds) {
            lock = try begin(.closing)
            return lock != nil
        }
        guard let lock else { throw StoreInUse(holders: []) }
        return lock
    }
}
