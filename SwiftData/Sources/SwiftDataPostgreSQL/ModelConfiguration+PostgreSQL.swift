// Stores of models in PostgreSQL databases. An addition: Apple's SwiftData has none.

import CoreData
@_exported public import enum CoreDataPostgreSQL.PostgreSQLStore
public import Foundation
@_spi(StoreTypes) public import SwiftData

extension ModelConfiguration {
    /// A store in a PostgreSQL database, which is made there if there is none.
    ///
    /// ```swift
    /// let configuration = ModelConfiguration(
    ///     postgreSQL: "postgresql://app:secret@db.example/library?sslmode=verify-full", databaseSchema: "books")
    /// let container = try ModelContainer(for: Book.self, configurations: configuration)
    /// ```
    ///
    /// Neither the configuration's URL nor errors contain the password. An address that can't be read is an error when the
    /// container is made.
    ///
    /// - Parameters:
    ///   - address: a connection URI or a list of keywords and values, as libpq reads them.
    ///   - databaseSchema: the schema of the tables; nil for the first one of the server's search path.
    ///   - name: the name of the configuration; nil for that of the database's schema.
    ///   - schema: the models of the store; nil for all of the container's.
    ///   - allowsSave: whether the store may be written.
    ///   - options: the store's options by their keys, those of `PostgreSQLStore`: `avoidsPreparedStatementsOption` behind a pooler.
    public init(
        postgreSQL address: String, databaseSchema: String? = nil, name: String? = nil, schema: Schema? = nil,
        allowsSave: Bool = true, options: [String: NSObject] = [:]
    ) {
        let description = NSPersistentStoreDescription(postgreSQL: address, schema: databaseSchema)
        for (key, value) in options { description.setOption(value, forKey: key) }
        self.init(
            name ?? databaseSchema ?? "PostgreSQL", schema: schema, allowsSave: allowsSave, store: description
        )
    }
}
