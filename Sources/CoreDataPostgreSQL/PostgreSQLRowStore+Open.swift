// Opening a store, or making it, and its metadata while it isn't open.

import CoreDataFiles
import CoreDataPostgreSQLEngine
package import CoreDataSQL
package import CoreDataSchema
import CoreDataStores
package import CoreDataSupport
package import Foundation

extension PostgreSQLRowStore {
    /// Makes the tables of a new store, or checks that those that are there are the model's or of a version that adds to them. The
    /// connection then keeps the store from being migrated in another way, as far as it stays the same one.
    func prepared(
        _ connection: ServerConnection, for opening: StoreOpening, options: PostgreSQLOptions
    ) throws -> StoreBlueprint {
        let store = try ConnectedStore(connection)
        catalogue = store.catalogue
        if try !store.isThere {
            if host.isReadOnly {
                throw ServerFailure(.schema, message: "There is no store in the schema \(store.schema).")
            }
            try create(store, for: opening.model.index)
        } else if !host.isReadOnly {
            try completeFunctions(store)
        }
        if options.holdsOpen { try connection.run(catalogue.holdOpen) }
        metadata = try Self.read(connection.metadata(catalogue))
        let versions = PostgreSQLVersions(opening, url: host.url)
        try versions.check(store, of: metadata)
        let blueprint = try store.blueprint(of: opening.model.index)
        let derivations = try PostgreSQLSchema(blueprint, schema: store.schema).derivations
        if try !host.isReadOnly && !opening.ignoresVersions && versions.isNewest(metadata) {
            try connection.keepDerived(derivations, in: catalogue)
        }
        if options.holdsOpen, !host.isReadOnly, try !store.work().isEmpty {
            finishWork(options, of: opening.model.index)
        }
        return blueprint
    }

    /// Makes the functions that are newer than the store. A role that may not make them goes on without: statements that call them
    /// fail by their names.
    private func completeFunctions(_ store: ConnectedStore) throws {
        let connection = store.connection
        let dialect = PostgreSQLDialect()
        if try hasFunctions(connection) { return }
        do {
            try connection.transaction {
                try connection.run(store.catalogue.exclusion)
                for statement in PostgreSQLFunctions.definitions(for: dialect) {
                    try connection.run(statement)
                }
            }
        } catch let failure as ServerFailure where failure.kind == .permission {
            Log.warning(
                "the functions of \(dialect.functions) are those of an earlier release: \(failure.message)")
        }
    }

    private func hasFunctions(_ connection: ServerConnection) throws -> Bool {
        try connection.run(PostgreSQLFunctions.areComplete(for: PostgreSQLDialect())).bool(0, column: 0)
            == true
    }

    /// Makes the store, unless somebody else makes it meanwhile.
    private func create(_ store: ConnectedStore, for index: ModelIndex) throws {
        let blueprint = try LayoutBuilder.blueprint(for: index, form: .postgreSQL)
        let hashes = VersionHash.hashes(of: index).mapValues(\.data)
        let checksum = VersionHash.checksum(of: hashes)
        var contents = StoreMetadata(
            uuid: UUID().uuidString, hashes: hashes, digest: VersionHash.digest(of: hashes),
            checksum: checksum, identifiers: index.model.versionIdentifiers)
        contents[StoreMetadata.Key.type] = .string(Self.type)
        contents[StoreMetadata.Key.autoVacuumLevel] = nil
        blueprint.omittedIndexes.forEach(Log.warning)
        let statements = try PostgreSQLSchema(blueprint, schema: store.schema).statements(
            uuid: contents.uuid, propertyList: contents.propertyList(),
            model: CachedModel.data(for: index.model), checksum: checksum,
            existing: blueprint.statesTables ? store.connection.existingTables(in: store.schema) : [:],
            makesFunctions: !hasFunctions(store.connection))
        _ = try store.connection.create(store.catalogue, statements: statements)
    }

    // MARK: Metadata

    package func loadMetadata() throws {
        guard let url = host.url else { return }
        let address = try mapping(.opening) { try PostgreSQLOptions(host.options).address(at: url) }
        metadata = try Self.reading(url, address: address) {
            try Self.read($0.connection.metadata($0.catalogue))
        }
    }

    package static func metadata(at url: URL) throws -> StoreMetadata {
        let address = try mapping(url, occasion: .opening) { try PostgreSQLOptions.address(in: url) }
        return try reading(url, address: address) { try read($0.connection.metadata($0.catalogue)) }
    }

    package static func setMetadata(_ entries: [PropertyList.Entry], at url: URL) throws {
        let address = try mapping(url, occasion: .saving) { try PostgreSQLOptions.address(in: url) }
        try reading(url, address: address) { store in
            try store.connection.transaction {
                var contents = try read(store.connection.metadata(store.catalogue))
                contents.setClientEntries(entries)
                try store.connection.send(
                    store.catalogue.write(uuid: contents.uuid, propertyList: contents.propertyList()))
            }
        }
    }

    package func keptModel() throws -> ModelSchema? {
        guard let url = host.url else { return nil }
        let address = try mapping(.opening) { try PostgreSQLOptions(host.options).address(at: url) }
        return try Self.reading(url, address: address) { try Self.keptModel(of: $0, at: url) }
    }

    static func keptModel(of store: ConnectedStore, at url: URL) throws -> ModelSchema? {
        guard let content = try store.connection.model(store.catalogue) else { return nil }
        let hashes = try read(store.connection.metadata(store.catalogue)).versionHashes()
        return try CachedModel.read(content, from: url.absoluteString, hashes: hashes)
    }

    /// Returns whether a store that isn't open has a history.
    static func keepsHistory(at url: URL, _ options: [AnyHashable: Any]?) throws -> Bool {
        try reading(url, options) { store in
            try store.connection.hasHistory(ServerHistory(in: store.catalogue.schema))
        }
    }

    /// Drops the store's tables and what it knows about itself. Tables of others in the schema stay. Nothing happens where
    /// there is no store.
    package static func destroy(at url: URL, options: [AnyHashable: Any]?) throws {
        try mapping(url, occasion: .saving) {
            let connection = try PostgreSQLOptions(options).briefConnection(to: url)
            defer { connection.close() }
            let store = try ConnectedStore(connection)
            try connection.transaction {
                // A program that has it open would go on in a store that is made in its place.
                if !StoreOption.flag(options?[StoreOption.forceDestroy]), try store.isThere {
                    try waitUntilClosed(store, at: url)
                }
                try connection.run(store.catalogue.exclusion)
                try destroy(store, at: url)
            }
        }
    }

    private static func waitUntilClosed(_ store: ConnectedStore, at url: URL) throws {
        do {
            try store.waitUntilClosed(seconds: destructionTimeout)
        } catch let use as StoreInUse {
            throw PostgreSQLErrors.inUse(
                use.holders, sentence: "The persistent store is in use and can't be destroyed.", file: url)
        }
    }

    /// Seconds to wait until nobody has a store open that is to be destroyed.
    private static let destructionTimeout = 2.0

    /// To be called in a transaction.
    static func destroy(_ store: ConnectedStore, at url: URL) throws {
        // Metadata that can't be read don't keep a store from being destroyed.
        guard try store.isThere, let content = try store.connection.model(store.catalogue) else { return }
        let kept = try CachedModel.read(content, from: url.absoluteString)
        let blueprint = try store.blueprint(of: ModelIndex(kept))
        let adopted = try store.connection.adoptedTables(store.catalogue)
        for statement in PostgreSQLSchema(blueprint, schema: store.schema).destruction(adopted: adopted) {
            try store.connection.send(statement)
        }
        try store.connection.finish()
    }

    /// Asks a store that isn't open.
    static func reading<Result>(
        _ url: URL, _ options: [AnyHashable: Any]?, body: (ConnectedStore) throws -> Result
    ) throws -> Result {
        let address = try mapping(url, occasion: .opening) { try PostgreSQLOptions(options).address(at: url) }
        return try reading(url, address: address, body: body)
    }

    private static func reading<Result>(
        _ url: URL, address: ServerAddress, body: (ConnectedStore) throws -> Result
    ) throws -> Result {
        try mapping(url, occasion: .opening) {
            let connection = try ServerConnection(address, keepsStatements: false)
            defer { connection.close() }
            let store = try ConnectedStore(connection)
            guard try store.isThere else {
                throw ServerFailure(.schema, message: "There is no store in the database's schema.")
            }
            return try body(store)
        }
    }

    static func read(_ stored: StoredMetadata) throws -> StoreMetadata {
        try StoreMetadata(uuid: stored.uuid, propertyList: stored.propertyList)
    }
}
