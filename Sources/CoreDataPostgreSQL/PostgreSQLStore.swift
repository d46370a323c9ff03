// Stores in PostgreSQL databases, for clients: how one is described, and what its errors say.

public import CoreData
import CoreDataPostgreSQLEngine
import CoreDataStores
import CoreDataSupport
import Foundation

/// Names around stores in PostgreSQL databases. An addition: Apple's framework has no such stores.
public enum PostgreSQLStore {
    /// The type of the stores, as their metadata state it.
    public static let type = PostgreSQLRowStore.type

    /// The key of an error's user info under which the server's code stands, five characters (SQLSTATE).
    public static let sqlStateKey = "PostgreSQLState"

    /// The key of an error's user info under which `true` stands if a save may be kept though it failed: the connection was lost
    /// while it was committed, and no server could be asked. The same `save()` again finds out, and writes nothing twice.
    public static let outcomeUnknownKey = StoreErrors.unknownOutcome

    /// The domain of the server's own errors, which stand below those of Core Data. Their code is the server's, read as a
    /// number to the base of 36.
    public static let errorDomain = "PostgreSQLErrorDomain"

    /// The option with the number of connections that a store reads with beside its own, as an `NSNumber`; 4 by default. With
    /// 0 all reads and saves of a coordinator take turns.
    public static let readerLimitOption = "PostgreSQLReaderLimit"

    /// The option that keeps statements from being prepared, as an `NSNumber`: behind a pooler that gives each transaction
    /// another connection.
    public static let avoidsPreparedStatementsOption = "PostgreSQLAvoidsPreparedStatements"

    /// The option with the seconds between two looks for others' saves, as an `NSNumber`, where
    /// `NSPersistentStoreRemoteChangeNotificationPostOptionKey` asks for notifications and neither the server nor a pooler before
    /// it can tell of saves (`LISTEN`). Needs `NSPersistentHistoryTrackingKey`.
    public static let remoteChangeIntervalOption = "PostgreSQLRemoteChangeInterval"

    /// The option with the bytes from which on a migration treats a table as large, as an `NSNumber`; 64 MiB by default: what
    /// has to be written or read of all its rows is done beside programs at work, as far as that is possible.
    public static let largeTableSizeOption = "PostgreSQLLargeTableSize"

    /// Makes stores of the type known to coordinators. `NSPersistentStoreDescription(postgreSQL:)` does it as well.
    public static func register() {
        NSPersistentStoreCoordinator.registerStoreClass(
            EngineStore<PostgreSQLRowStore>.self, forStoreType: type)
    }
}

extension NSPersistentStoreDescription {
    /// A description of a store in a PostgreSQL database, which is made there if there is none. An addition.
    ///
    /// ```swift
    /// let description = NSPersistentStoreDescription(
    ///     postgreSQL: "postgresql://app:secret@db.example/library?sslmode=verify-full")
    /// print(description.type, description.url as Any)  // without the password
    /// ```
    ///
    /// Neither the description's URL nor errors contain the password. An address that can't be read is an error when the
    /// store is added.
    ///
    /// - Parameters:
    ///   - address: a connection URI or a list of keywords and values, as libpq reads them: with several hosts, TLS
    ///     and all other parameters.
    ///   - schema: the schema of the tables; `nil` for the first one of the server's search path, which is `public` unless
    ///     the database says otherwise.
    ///   - replica: the address of a server that follows, which contexts read from whose `readFrom` says so; nil for none.
    public convenience init(postgreSQL address: String, schema: String? = nil, replica: String? = nil) {
        PostgreSQLStore.register()
        func parsed(_ text: String) -> Result<ServerAddress, any Error> {
            Result {
                let address = try ServerAddress(parsing: text)
                return schema.map { address.with(schema: $0) } ?? address
            }
        }
        switch parsed(address) {
        case .success(let address):
            self.init(url: address.url)
            if address.hasSecrets { setOption(PostgreSQLSecrets(address), forKey: PostgreSQLOptions.secrets) }
        case .failure(let error): self.init(url: PostgreSQLOptions.unreadable(error))
        }
        type = PostgreSQLStore.type
        if let replica {
            setOption(PostgreSQLReplicaAddress(try? parsed(replica).get()), forKey: PostgreSQLOptions.replica)
        }
    }
}
