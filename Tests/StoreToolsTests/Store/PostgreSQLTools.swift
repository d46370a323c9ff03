// Stores in PostgreSQL databases for the tests of tools, registered as `coredata` registers them.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataTestSupport
import Foundation
import StoreTools

/// A schema of the tests' server.
struct ServerSchema {
    let server: PostgreSQLServer
    let name = "t_" + UUID().uuidString.prefix(8).lowercased()
    private var database = "postgres"
    var address: String { server.address(database, "&schema=\(name)") }

    private static let registration: Void = ServerStores.register(
        ServerStores(
            schemes: ["postgresql", "postgres"],
            describe: { NSPersistentStoreDescription(postgreSQL: $0, schema: $1) },
            keepsHistory: { try PostgreSQLStore.keepsHistory($0) },
            readSQL: { statement, store, isStopped, columns, row in
                try PostgreSQLStore.readSQL(
                    statement, in: store, stoppedWhen: isStopped, columns: columns, row: row)
            }, proposeModel: { try PostgreSQLStore.proposedModel(for: $0) },
            upkeep: ServerStores.Upkeep(
                vacuum: { try PostgreSQLStore.vacuum($0, rewriting: $1) },
                abandoned: { try PostgreSQLStore.abandonedSchemas(of: $0, removing: $1) },
                alone: { try PostgreSQLStore.runAlone(at: $0, body: $1) })))

    init() throws {
        server = try PostgreSQLServer.shared()
        Self.registration
    }

    /// In a database of its own, where no transaction of another test keeps the server from removing rows.
    static func alone() throws -> ServerSchema {
        var schema = try ServerSchema()
        try schema.write("CREATE DATABASE \(schema.name)")
        schema.database = schema.name
        return schema
    }

    /// Runs a statement that writes.
    func write(_ sql: String) throws {
        let connection = try ServerConnection(
            ServerAddress(parsing: server.address(database)).with(schema: name))
        defer { connection.close() }
        try connection.run(sql)
    }

    /// Returns whether there is a store.
    func exists() throws -> Bool {
        do {
            _ = try StoreAddress(address).metadata()
            return true
        } catch let error as NSError where error.code == NSFileReadNoSuchFileError {
            return false
        }
    }

    /// The rows that plain SQL finds, as texts with bars between.
    func rows(_ sql: String) throws -> [String] {
        var rows: [String] = []
        try StoreAddress(address).readSQL(sql) { row in
            rows.append(
                row.map { value in
                    switch value {
                    case .null: "nil"
                    case .integer(let number): "\(number)"
                    case .double(let number): "\(number)"
                    case .text(let text): text
                    case .blob(let data): "\(Array(data))"
                    }
                }
                .joined(separator: "|"))
        }
        return rows
    }
}
