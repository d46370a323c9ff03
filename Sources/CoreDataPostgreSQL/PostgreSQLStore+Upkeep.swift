// The upkeep of stores on a server, for tools: room that is given back, and what killed programs left.

public import CoreData
import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import Foundation

extension PostgreSQLStore {
    /// Has the server take back the room of rows that are no more, and gather figures about tables anew (`VACUUM`, `ANALYZE`).
    ///
    /// The store may be open and written to. With `rewriting`, each table is written anew without gaps (`VACUUM FULL`), and nobody
    /// reads or writes it meanwhile.
    ///
    /// - Parameters:
    ///   - description: the store, as `NSPersistentStoreDescription(postgreSQL:)` describes it.
    ///   - rewriting: whether tables are written anew, so that the server's disk has the room again.
    /// - Returns: the bytes of the store's tables with their indexes and large values, before and after.
    /// - Throws: `NSFileReadNoSuchFileError` if there is no store; the errors of opening one; `NSFileWriteNoPermissionError` (513) for a
    ///   user who owns neither the tables nor the database.
    public static func vacuum(
        _ description: NSPersistentStoreDescription, rewriting: Bool = false
    ) throws -> (before: Int, after: Int) {
        guard let url = description.url else { throw StoreErrors.removed(nil) }
        return try PostgreSQLRowStore.reading(url, description.options) { store in
            let tables = try PostgreSQLRowStore.tableNames(of: store, at: url)
            func size() throws -> Int {
                Int(try store.connection.run(store.catalogue.size(of: tables)).integer(0, column: 0))
            }
            return try PostgreSQLRowStore.mapping(url, occasion: .saving) {
                let foreign = try store.connection.texts(store.catalogue.foreign(among: tables))
                if !foreign.isEmpty {
                    let names = foreign.joined(separator: ", ")
                    throw ServerFailure(
                        .permission, message: "Only owners of tables may vacuum them: \(names)")
                }
                let before = try size()
                for table in tables {
                    try store.connection.run(store.catalogue.vacuum(table, rewriting: rewriting))
                }
                return (before, try size())
            }
        }
    }

    /// Runs a closure while no other program does the same for the place of a store, which needn't be there, as two copies into one
    /// place would take each other's for what a killed program left.
    ///
    /// With `avoidsPreparedStatementsOption`, for a pooler that hands out connections for a transaction, a transaction is open meanwhile.
    ///
    /// - Parameters:
    ///   - description: the store, as `NSPersistentStoreDescription(postgreSQL:)` describes it.
    ///   - body: the closure.
    /// - Returns: false if another program is at it, and the closure wasn't run.
    /// - Throws: the errors of connecting, and those of the closure.
    public static func runAlone(
        at description: NSPersistentStoreDescription, body: () throws -> Void
    ) throws -> Bool {
        guard let url = description.url else { throw StoreErrors.removed(nil) }
        let options = PostgreSQLOptions(description.options)
        // The closure's own errors stay as they are.
        var outcome: Result<Void, any Error>?
        try PostgreSQLRowStore.mapping(url, occasion: .opening) {
            let store = try options.workingStore(at: url)
            defer { store.connection.close() }
            guard let lock = try store.begin(.filling) else { return }
            defer { lock.end() }
            outcome = Result(catching: body)
            if case .success = outcome { try lock.check() }
        }
        try outcome?.get()
        return outcome != nil
    }

    /// Returns the schemas that programs left which were killed while they put a new store in the place of this one, as a
    /// migration by a mapping model does.
    ///
    /// - Parameters:
    ///   - description: the store, as `NSPersistentStoreDescription(postgreSQL:)` describes it.
    ///   - removing: whether they are dropped, with all that they hold.
    /// - Returns: their names; none while a program is at it.
    /// - Throws: `NSFileReadNoSuchFileError` if there is no store; the errors of opening one;
    ///   `NSFileWriteNoPermissionError` (513) for a user who may not drop them.
    public static func abandonedSchemas(
        of description: NSPersistentStoreDescription, removing: Bool = false
    ) throws -> [String] {
        guard let url = description.url else { throw StoreErrors.removed(nil) }
        return try PostgreSQLRowStore.reading(url, description.options) { store in
            let connection = store.connection
            let draft = PostgreSQLCatalogue.draft(of: store.schema)
            let catalogue = PostgreSQLCatalogue(schemaOfTables: draft)
            return try connection.transaction {
                // The maker of a draft keeps the store closed.
                guard try connection.run(store.catalogue.tryHoldOpenInTransaction).bool(0, column: 0) == true
                else { return [] }
                let found = try connection.texts(catalogue.schemas(named: [draft, catalogue.schema]))
                if removing {
                    try PostgreSQLRowStore.mapping(url, occasion: .saving) {
                        for statement in catalogue.removalOfDraft(draft) { try connection.send(statement) }
                        try connection.finish()
                    }
                }
                return found
            }
        }
    }
}

extension PostgreSQLRowStore {
    /// The names of a store's tables with their schemas: those of its rows, and those about itself.
    static func tableNames(of store: ConnectedStore, at url: URL) throws -> [SchemaTable] {
        let known = try store.connection.texts(store.catalogue.tables(in: store.catalogue.schema)).map {
            SchemaTable(schema: store.catalogue.schema, name: $0)
        }
        guard let kept = try keptModel(of: store, at: url) else { return known }
        let blueprint = try store.blueprint(of: ModelIndex(kept))
        return (blueprint.tables.map(\.name) + blueprint.joins.map(\.table)).map {
            SchemaTable(schema: store.schema, name: $0)
        } + known
    }
}
