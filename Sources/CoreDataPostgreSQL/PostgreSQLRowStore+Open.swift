// Opening a store, or making it, and its metadata while it isn't open.

import CoreDataFiles
import CoreDataPostgreSQLEngine
package import CoreDataSQL
package import CoreDataSchema
import CoreDataStores
package import CoreDataSupport
package import Foundation

extension PostgreSQLRowStore {
    /// Makes the tables of a new store, or checks that those that are there are the model's.
    func prepared(
        _ connection: ServerConnection, opening: StoreOpening, blueprint: StoreBlueprint
    ) throws -> StoreLayout {
        let schema = try connection.schemaOfTables()
        let derivations = try PostgreSQLSchema(blueprint, schema: schema).derivations
        catalogue = PostgreSQLCatalogue(schemaOfTables: schema)
        if try !connection.hasStore(catalogue) {
            if host.isReadOnly {
                throw ServerFailure(.schema, message: "There is no store in the schema \(schema).")
            }
            if try create(in: connection, blueprint: blueprint, schema: schema) { return blueprint.layout() }
        }
        metadata = try Self.read(connection.metadata(catalogue))
        if !opening.ignoresVersions {
            try VersionCheck(opening.model.index, members: opening.members).check(metadata, file: host.url)
        }
        try checkNumbers(connection.entityNumbers(catalogue), blueprint: blueprint)
        if !host.isReadOnly && !opening.ignoresVersions {
            try connection.keepDerived(derivations, in: catalogue)
        }
        return blueprint.layout()
    }

    /// The rows of a table of several entities are told apart by numbers, which a model with more entities would change.
    private func checkNumbers(_ numbers: [String: Int], blueprint: StoreBlueprint) throws {
        for (name, number) in blueprint.numbering.numbers where numbers[name] != number {
            throw LayoutFailure(entity: name, "the store numbers it otherwise, or doesn't have it")
        }
    }

    /// Returns false if somebody else has made the store meanwhile.
    private func create(
        in connection: ServerConnection, blueprint: StoreBlueprint, schema: String
    ) throws -> Bool {
        let index = blueprint.index
        let hashes = VersionHash.hashes(of: index).mapValues(\.data)
        metadata = StoreMetadata(
            uuid: UUID().uuidString, hashes: hashes, digest: VersionHash.digest(of: hashes),
            checksum: VersionHash.checksum(of: hashes), identifiers: index.model.versionIdentifiers)
        metadata[StoreMetadata.Key.type] = .string(Self.type)
        metadata[StoreMetadata.Key.autoVacuumLevel] = nil
        blueprint.omittedIndexes.forEach(Log.warning)
        let statements = try PostgreSQLSchema(blueprint, schema: schema).statements(
            uuid: metadata.uuid, propertyList: metadata.propertyList(),
            model: CachedModel.data(for: index.model),
            existing: blueprint.statesTables ? connection.existingTables(in: schema) : [:])
        return try connection.create(catalogue, statements: statements)
    }

    // MARK: Metadata

    package func loadMetadata() throws {
        guard let url = host.url else { return }
        let address = try mapping(.opening) { try PostgreSQLOptions(host.options).address(at: url) }
        metadata = try Self.reading(url, address: address) { try Self.read($0.metadata($1)) }
    }

    package static func metadata(at url: URL) throws -> StoreMetadata {
        let address = try mapping(url, occasion: .opening) { try PostgreSQLOptions.address(in: url) }
        return try reading(url, address: address) { try read($0.metadata($1)) }
    }

    package static func setMetadata(_ entries: [PropertyList.Entry], at url: URL) throws {
        let address = try mapping(url, occasion: .saving) { try PostgreSQLOptions.address(in: url) }
        try reading(url, address: address) { connection, catalogue in
            try connection.transaction {
                var contents = try read(connection.metadata(catalogue))
                contents.setClientEntries(entries)
                try connection.send(
                    catalogue.write(uuid: contents.uuid, propertyList: contents.propertyList()))
            }
        }
    }

    package func keptModel() throws -> ModelSchema? {
        guard let url = host.url else { return nil }
        let address = try mapping(.opening) { try PostgreSQLOptions(host.options).address(at: url) }
        return try Self.reading(url, address: address) { connection, catalogue in
            try connection.model(catalogue).map { try CachedModel.read($0, from: url.absoluteString) }
        }
    }

    /// Returns whether a store that isn't open has a history.
    static func keepsHistory(at url: URL, _ options: [AnyHashable: Any]?) throws -> Bool {
        let address = try mapping(url, occasion: .opening) { try PostgreSQLOptions(options).address(at: url) }
        return try reading(url, address: address) { connection, catalogue in
            try connection.hasHistory(ServerHistory(in: catalogue.schema))
        }
    }

    /// Drops the store's tables and what it knows about itself. Tables of others in the schema stay. Nothing happens where
    /// there is no store.
    package static func destroy(at url: URL, options: [AnyHashable: Any]?) throws {
        try mapping(url, occasion: .saving) {
            let connection = try ServerConnection(PostgreSQLOptions(options).address(at: url))
            defer { connection.close() }
            let schema = try connection.schemaOfTables()
            let catalogue = PostgreSQLCatalogue(schemaOfTables: schema)
            try connection.transaction {
                try connection.run(catalogue.exclusion)
                guard try connection.hasStore(catalogue), let kept = try connection.model(catalogue) else {
                    return
                }
                let model = try CachedModel.read(kept, from: url.absoluteString)
                let blueprint = try LayoutBuilder.blueprint(for: ModelIndex(model), form: .postgreSQL)
                let adopted = try connection.adoptedTables(catalogue)
                for statement in PostgreSQLSchema(blueprint, schema: schema).destruction(adopted: adopted) {
                    try connection.send(statement)
                }
            }
        }
    }

    /// Asks a store that isn't open.
    private static func reading<Result>(
        _ url: URL, address: ServerAddress,
        body: (ServerConnection, PostgreSQLCatalogue) throws -> Result
    ) throws -> Result {
        try mapping(url, occasion: .opening) {
            let connection = try ServerConnection(address)
            defer { connection.close() }
            let catalogue = PostgreSQLCatalogue(schemaOfTables: try connection.schemaOfTables())
            guard try connection.hasStore(catalogue) else {
                throw ServerFailure(.schema, message: "There is no store in the database's schema.")
            }
            return try body(connection, catalogue)
        }
    }

    static func read(_ stored: StoredMetadata) throws -> StoreMetadata {
        try StoreMetadata(uuid: stored.uuid, propertyList: stored.propertyList)
    }
}
