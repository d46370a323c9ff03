// Plain SQL on the database of a store on a server.

import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataTestSupport
import Foundation

/// The database of a store.
struct ServerRows {
    private let address: ServerAddress

    /// - Parameter url: the store's.
    init(_ url: URL) throws { address = try ServerAddress(parsing: url.absoluteString) }

    private func connected<Result>(_ body: (ServerConnection) throws -> Result) throws -> Result {
        let connection = try ServerConnection(address, keepsStatements: false)
        defer { connection.close() }
        return try body(connection)
    }

    /// The rows of a query, all values as texts.
    func rows(_ sql: String) throws -> [[String]] {
        try connected { connection in
            try connection.fetchValues(SQLStatement(sql)).map { row in
                row.map { PostgreSQLDialect.text($0) ?? "NULL" }
            }
        }
    }

    /// Runs statements that write.
    func write(_ statements: String...) throws {
        try connected { connection in
            for statement in statements { try connection.run(statement) }
        }
    }
}
