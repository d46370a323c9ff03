// The options that a store is added with.

import CoreDataPostgreSQLEngine
import CoreDataStores
import Foundation

struct PostgreSQLOptions {
    /// The key of the passwords among a description's options.
    static let secrets = "PostgreSQLSecrets"

    /// Stands for an address that can't be read.
    static let unreadable = URL(fileURLWithPath: "/unreadable-address")

    let isReadOnly: Bool
    let keepsStatements: Bool
    let readerLimit: Int
    let tracksHistory: Bool
    let postsRemoteChanges: Bool
    /// The seconds between two questions for others' saves; `nil` where the server tells of them.
    let remoteChangeInterval: Double?
    private let secrets: PostgreSQLSecrets?

    init(_ options: [AnyHashable: Any]?) {
        isReadOnly = StoreOption.flag(options?[StoreOption.readOnly])
        keepsStatements = !StoreOption.flag(options?[PostgreSQLStore.avoidsPreparedStatementsOption])
        readerLimit = StoreOption.number(options?[PostgreSQLStore.readerLimitOption]).map { Int($0) } ?? 4
        let tracking = options?[StoreOption.historyTracking]
        tracksHistory =
            tracking is NSDictionary || tracking is [AnyHashable: Any] || StoreOption.flag(tracking)
        postsRemoteChanges = StoreOption.flag(options?[StoreOption.remoteChangeNotification])
        remoteChangeInterval = StoreOption.number(options?[PostgreSQLStore.remoteChangeIntervalOption])
        secrets = options?[Self.secrets] as? PostgreSQLSecrets
    }

    /// The address at a URL with the passwords that were given beside it.
    func address(at url: URL?) throws -> ServerAddress {
        let address = try Self.address(in: url)
        return secrets.map { address.withSecrets(of: $0.address) } ?? address
    }

    /// Returns the address that a URL is. Throws for one that shows a password to everybody.
    static func address(in url: URL?) throws -> ServerAddress {
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
