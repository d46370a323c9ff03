// Stores in PostgreSQL databases, for all commands that take a store.

import CoreData
import CoreDataPostgreSQL
import StoreTools

extension ServerStores {
    static let postgreSQL = ServerStores(
        schemes: ["postgresql", "postgres"],
        describe: { NSPersistentStoreDescription(postgreSQL: $0, schema: $1) },
        keepsHistory: { try PostgreSQLStore.keepsHistory($0) },
        readSQL: { statement, store, columns, row in
            try PostgreSQLStore.readSQL(statement, in: store, columns: columns, row: row)
        })
}
