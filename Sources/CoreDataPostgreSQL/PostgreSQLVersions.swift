// Versions of the model that programs have a store open with. A migration that only adds leaves the older ones among them.

import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import Foundation

/// Tells whether a store is still of a version that its owner can read and write.
struct PostgreSQLVersions: Sendable {
    private let index: ModelIndex
    private let members: Set<String>?
    private let isIgnored: Bool
    private let url: URL?
    private let connect: @Sendable () throws -> ServerConnection

    init(
        _ opening: StoreOpening, url: URL?,
        connect: @escaping @Sendable () throws -> ServerConnection = {
            throw ServerFailure(.connection, message: "The store isn't open.")
        }
    ) {
        index = opening.model.index
        members = opening.members
        isIgnored = opening.ignoresVersions
        self.url = url
        self.connect = connect
    }

    private var checksum: String { VersionHash.checksum(of: VersionHash.hashes(of: index).mapValues(\.data)) }

    /// Throws `NSPersistentStoreIncompatibleVersionHashError` if the store is of another version, unless that only adds.
    func check(_ store: ConnectedStore, of metadata: StoreMetadata) throws {
        try check(store.connection, by: store.catalogue, of: metadata)
    }

    private func check(
        _ connection: ServerConnection, by catalogue: PostgreSQLCatalogue, of metadata: StoreMetadata
    ) throws {
        if try isIgnored || connection.run(catalogue.hasVersion(checksum)).rowCount > 0 { return }
        let differing = try Self.differences(index, members: members, metadata: metadata)
        if !differing.isEmpty { throw VersionCheck.incompatible(differing, metadata: metadata, file: url) }
    }

    /// The entities of which a store says something else, by name. All its hashes are of our making, so that those count as well
    /// that Apple's framework would compute otherwise.
    static func differences(
        _ index: ModelIndex, members: Set<String>?, metadata: StoreMetadata
    ) throws -> [String] {
        let check = VersionCheck(index, members: members)
        return try (check.differences(from: metadata) + check.undecided(from: metadata)).sorted()
    }

    /// Indicates whether the store is of that very version, and not of one that adds to it.
    func isNewest(_ metadata: StoreMetadata) throws -> Bool {
        try Self.differences(index, members: members, metadata: metadata).isEmpty
    }

    /// The check of the version in a transaction, which keeps the store from being migrated until it ends.
    func check(in connection: ServerConnection, by catalogue: PostgreSQLCatalogue) throws {
        try connection.send(catalogue.holdOpenInTransaction)
        if try connection.run(catalogue.hasVersion(checksum)).rowCount > 0 || isIgnored { return }
        try check(connection, by: catalogue, of: connection.metadata(catalogue).contents())
    }

    /// The same on a connection of its own, for statements that failed. Nothing is wrong with a store that is gone.
    func check() throws {
        let connection = try connect()
        defer { connection.close() }
        let store = try ConnectedStore(connection)
        guard try store.isThere else { return }
        try check(store, of: connection.metadata(store.catalogue).contents())
    }

    /// A connection that keeps the store from being migrated, in place of one that was lost.
    func connected() throws -> ServerConnection {
        let connection = try connect()
        do {
            let store = try ConnectedStore(connection)
            try connection.run(store.catalogue.holdOpen)
            if try store.isThere {
                try check(store, of: connection.metadata(store.catalogue).contents())
            }
            return connection
        } catch {
            connection.close()
            throw error
        }
    }
}

extension StoredMetadata {
    fileprivate func contents() throws -> StoreMetadata {
        try StoreMetadata(uuid: uuid, propertyList: propertyList)
    }
}
