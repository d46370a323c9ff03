// The options that a store is added with.

import CoreDataPostgreSQLEngine
import CoreDataStores
import Foundation

struct PostgreSQLOptions: Sendable {
    /// The key of the passwords among a description's options.
    static let secrets = "PostgreSQLSecrets"
    /// The key of a replica's address among a description's options.
    static let replica = "PostgreSQLReplica"

    private static let unreadableScheme = "unreadable-address"

    /// Stands for an address that can't be read, and says why: a description can't throw.
    static func unreadable(_ error: any Error) -> URL {
        var parts = URLComponents()
        parts.scheme = unreadableScheme
        parts.path = (error as? ServerFailure)?.message ?? ""
        return parts.url ?? URL(fileURLWithPath: "/" + unreadableScheme)
    }

    /// The key of a flag among options: the store is read while who asks keeps it closed.
    static let isKeptClosed = "PostgreSQLIsKeptClosed"

    let isReadOnly: Bool
    /// Indicates whether the store's connection is to keep the store from being migrated: not where connections don't last.
    let holdsOpen: Bool
    let keepsStatements: Bool
    let readerLimit: Int
    let tracksHistory: Bool
    let postsRemoteChanges: Bool
    /// The milliseconds that a save waits for a row that somebody else has locked; `nil` for as long as the server allows.
    let lockTimeout: Int?
    /// The seconds between two questions for others' saves; `nil` where the server tells of them.
    let remoteChangeInterval: Double?
    /// The bytes from which on a table is migrated in steps.
    let largeTableSize: Int64
    private let secrets: PostgreSQLSecrets?
    private let replicaAddress: PostgreSQLReplicaAddress?

    init(_ options: [AnyHashable: Any]?) {
        isReadOnly = StoreOption.flag(options?[StoreOption.readOnly])
        keepsStatements = !StoreOption.flag(options?[PostgreSQLStore.avoidsPreparedStatementsOption])
        holdsOpen = keepsStatements && !StoreOption.flag(options?[Self.isKeptClosed])
        readerLimit = StoreOption.number(options?[PostgreSQLStore.readerLimitOption]).map { Int($0) } ?? 4
        let tracking = options?[StoreOption.historyTracking]
        tracksHistory =
            tracking is NSDictionary || tracking is [AnyHashable: Any] || StoreOption.flag(tracking)
        postsRemoteChanges = StoreOption.flag(options?[StoreOption.remoteChangeNotification])
        lockTimeout = StoreOption.number(options?[StoreOption.timeout]).map { seconds in
            max(1, Int(clamping: Int64(min(seconds, 1_000_000) * 1000)))
        }
        remoteChangeInterval = StoreOption.number(options?[PostgreSQLStore.remoteChangeIntervalOption])
        largeTableSize =
            StoreOption.number(options?[PostgreSQLStore.largeTableSizeOption]).flatMap {
                Int64(exactly: $0.rounded())
            }
            ?? 64 << 20
        secrets = options?[Self.secrets] as? PostgreSQLSecrets
        replicaAddress = options?[Self.replica] as? PostgreSQLReplicaAddress
    }

    /// Connects for a few questions. Statements aren't prepared: a pooler hands their names to others with the connection.
    func briefConnection(to url: URL?) throws -> ServerConnection {
        try ServerConnection(address(at: url), keepsStatements: false)
    }

    /// Connects for work that locks are held for. It must be closed.
    func workingStore(at url: URL?) throws -> ConnectedStore {
        let connection = try briefConnection(to: url)
        do {
            return try ConnectedStore(
                connection, keeper: keepsStatements ? nil : { try briefConnection(to: url) })
        } catch {
            connection.close()
            throw error
        }
    }

    /// Connects.
    ///
    /// - Parameter isLaidOver: whether tables are somebody else's, whose columns may have dates without a time zone.
    func connection(to address: ServerAddress, isLaidOver: Bool) throws -> ServerConnection {
        let connection = try ServerConnection(address, keepsStatements: keepsStatements)
        if isLaidOver { try connection.run("SET TIME ZONE 'UTC'") }
        return connection
    }

    /// The connections to the replica; `nil` without one. Throws for an address that can't be read.
    ///
    /// - Parameter make: makes tables that are read by a connection.
    func replica(
        isLaidOver: Bool, make: @escaping @Sendable (ServerConnection) -> PostgreSQLTables
    ) throws -> PostgreSQLReplica? {
        guard let replicaAddress else { return nil }
        guard let address = replicaAddress.address else {
            throw ServerFailure(.address, message: "The address of the replica can't be read.")
        }
        return PostgreSQLReplica(address, limit: readerLimit) {
            make(try connection(to: address, isLaidOver: isLaidOver))
        }
    }

    /// The address at a URL with the passwords that were given beside it.
    func address(at url: URL?) throws -> ServerAddress {
        let address = try Self.address(in: url)
        return secrets.map { address.withSecrets(of: $0.address) } ?? address
    }

    /// Returns the address that a URL is. Throws for one that shows a password to everybody.
    static func address(in url: URL?) throws -> ServerAddress {
        if let url, url.scheme == unreadableScheme {
            throw ServerFailure(
                .address, message: URLComponents(url: url, resolvingAgainstBaseURL: false)?.path ?? "")
        }
        guard let url, ["postgresql", "postgres"].contains(url.scheme) else {
            throw ServerFailure(
                .address, message: "A store in PostgreSQL needs a URL that begins with postgresql://.")
        }
        let address = try ServerAddress(parsing: url.absoluteString)
        if address.hasSecrets {
            throw ServerFailure(
                .address,
                message:
                    "The URL contains a password: NSPersistentStoreDescription(postgreSQL:) keeps it apart.")
        }
        return address
    }
}

/// Passwords among options, which show none.
final class PostgreSQLSecrets: NSObject, Sendable {
    let address: ServerAddress

    init(_ address: ServerAddress) {
        self.address = address
    }

    override var description: String { "<passwords>" }
    override var debugDescription: String { description }

    override func isEqual(_ object: Any?) -> Bool { (object as? PostgreSQLSecrets)?.address == address }
    override var hash: Int { address.withoutSecrets.hashValue }
}
