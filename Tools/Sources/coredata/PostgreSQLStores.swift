// Stores in PostgreSQL databases, for all commands that take a store.

import CoreData
import CoreDataPostgreSQL
import StoreTools

extension ServerStores {
    static let postgreSQL = ServerStores(
        schemes: ["postgresql", "postgres"],
        describe: { NSPersistentStoreDescription(postgreSQL: $0, schema: $1) },
        keepsHistory: { try PostgreSQLStore.keepsHistory($0) },
        readSQL: { statement, store, isStopped, columns, row in
            try PostgreSQLStore.readSQL(
                statement, in: store, stoppedWhen: isStopped, columns: columns, row: row)
        },
        proposeModel: { try PostgreSQLStore.proposedModel(for: $0) },
        upkeep: Upkeep(
            vacuum: { try PostgreSQLStore.vacuum($0, rewriting: $1) },
            abandoned: { try PostgreSQLStore.abandonedSchemas(of: $0, removing: $1) },
            alone: { try PostgreSQLStore.runAlone(at: $0, body: $1) }))
}
