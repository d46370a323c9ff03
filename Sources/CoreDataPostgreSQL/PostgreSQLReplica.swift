// The replica of a store's server, for contexts that may read what is some seconds old.

import CoreDataPostgreSQLEngine
package import CoreDataStores
import CoreDataSupport
import Foundation
import Synchronization

/// The address of a replica among options, which shows no password.
final class PostgreSQLReplicaAddress: NSObject, Sendable {
    /// `nil` for one that can't be read.
    let address: ServerAddress?

    init(_ address: ServerAddress?) { self.address = address }

    override var description: String { address?.description ?? "<unreadable address>" }
    override var debugDescription: String { description }
    override func isEqual(_ object: Any?) -> Bool {
        (object as? PostgreSQLReplicaAddress)?.address == address
    }
    override var hash: Int { address.hashValue }
}

/// Connections to a replica.
final class PostgreSQLReplica: Sendable {
    private let address: ServerAddress
    private let pool: ServerPool<PostgreSQLTables>
    private let isUsed = Mutex(true)

    init(_ address: ServerAddress, limit: Int, make: @escaping @Sendable () throws -> PostgreSQLTables) {
        self.address = address.withoutSecrets
        pool = ServerPool(limit: max(1, limit), make: make)
    }

    func close() { pool.close() }

    /// Tables that are at most so many seconds behind, with the pool that it goes back to; `nil` if there is none, which the log
    /// tells once.
    func take(accepting lag: Double) -> (tables: PostgreSQLTables, pool: ServerPool<PostgreSQLTables>)? {
        do {
            guard let tables = try pool.take() else { return nil }
            let found: Double?
            do {
                found = try tables.heldConnection.replicationLag()
            } catch {
                pool.giveBack(tables)
                throw error
            }
            if let found, found <= lag {
                note(nil)
                return (tables, pool)
            }
            pool.giveBack(tables)
            note(found.map { "it is \($0) s behind" } ?? "it doesn't follow the server")
        } catch {
            note((error as? ServerFailure)?.message ?? "\(error)")
        }
        return nil
    }

    private func note(_ obstacle: String?) {
        let isChange = isUsed.withLock { isUsed in
            defer { isUsed = obstacle == nil }
            return isUsed != (obstacle == nil)
        }
        guard isChange else { return }
        if let obstacle {
            Log.warning("the replica at \(address) isn't read from: \(obstacle)")
        } else {
            Log.warning("the replica at \(address) is read from again")
        }
    }
}

extension PostgreSQLRowStore {
    /// A connection to the replica. Where that isn't to be had or is too far behind, the store's own server is read.
    package func takeReplica(accepting lag: Double) throws -> (any StoreReader)? {
        guard let replica, let taken = replica.take(accepting: lag) else {
            return try takeReader()
        }
        return PostgreSQLReader(self, pool: taken.pool, tables: taken.tables)
    }
}
