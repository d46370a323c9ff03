// A store as one connection reaches it, whether it is open or not: what opening, migrating and destroying have in common.

package import CoreDataSQL
package import CoreDataSchema
import Foundation

/// A store's schema and what the store knows about itself, by a connection.
package struct ConnectedStore {
    package let connection: ServerConnection
    /// The schema of the tables.
    package let schema: String
    package let catalogue: PostgreSQLCatalogue
    /// Makes connections whose transactions hold locks, where a pooler gives each transaction of `connection` another process of the
    /// server's; `nil` where connections last.
    let keeper: (() throws -> ServerConnection)?

    /// - Parameters:
    ///   - connection: its search path says which schema it is.
    ///   - keeper: makes further ones, where connections don't last.
    package init(_ connection: ServerConnection, keeper: (() throws -> ServerConnection)? = nil) throws {
        (self.connection, self.keeper) = (connection, keeper)
        schema = try connection.schemaOfTables()
        catalogue = PostgreSQLCatalogue(schemaOfTables: schema)
    }

    package var isThere: Bool { get throws { try connection.hasStore(catalogue) } }

    /// The tables of a version of the model, with the numbers that entities have in the store.
    package func blueprint(of index: ModelIndex) throws -> StoreBlueprint {
        try LayoutBuilder.blueprint(
            for: index, numbers: connection.entityNumbers(catalogue), form: .postgreSQL)
    }

    /// Returns whether programs with a version of the model may have the store open.
    package func hasVersion(_ checksum: String) throws -> Bool {
        try connection.run(catalogue.hasVersion(checksum)).rowCount > 0
    }

    // MARK: Holders

    /// Somebody who has the store open.
    package struct Holder: Sendable, Hashable, CustomStringConvertible {
        package let program: String
        /// Empty for one on the server's own host.
        package let host: String
        /// The number of the server's process that works for it.
        package let process: Int64

        package var description: String {
            let name = program.isEmpty ? "a program" : "\"\(program)\""
            return name + (host.isEmpty ? "" : " on \(host)") + " (process \(process) of the server)"
        }
    }

    package func holders() throws -> [Holder] {
        try connection.fetchValues(catalogue.holders).compactMap { row in
            guard case .text(let program) = row[0], case .text(let host) = row[1],
                case .integer(let process) = row[2]
            else { return nil }
            return Holder(program: program, host: host, process: process)
        }
    }

    /// Waits for some seconds until nobody has the store open. Throws who has; otherwise nobody can open it until the transaction ends.
    package func waitUntilClosed(seconds: Double) throws {
        try waitUntilClosed(seconds: seconds) {
            try connection.run(catalogue.attemptInTransaction(.closing)).bool(0, column: 0) == true
        }
    }

    func waitUntilClosed(seconds: Double, attempt: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while try !attempt() {
            if ContinuousClock.now >= end { throw StoreInUse(holders: try holders()) }
            poll(nil, 0, 50)
        }
    }
}

/// The store is open elsewhere.
package struct StoreInUse: Error {
    package let holders: [ConnectedStore.Holder]
}
