// A store that is written to a schema of its own and then takes another one's place, for migrations by mapping models.

import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataSchema
package import CoreDataStores
import CoreDataSupport
package import Foundation

/// A schema for a new store. A lock keeps the store that is to be replaced closed; who is killed leaves the former store, and a
/// schema that the next one removes.
final class PostgreSQLReplacement: StoreReplacement {
    /// Seconds to wait until nobody has the store open any more.
    private static let timeout = 2.0

    let url: URL
    let optionsOfFormer: [String: Any] = [PostgreSQLOptions.isKeptClosed: NSNumber(value: true)]
    private let place: URL
    private let store: ConnectedStore
    private let lock: HeldLock
    /// The schema of the new store's tables.
    private let schema: String
    private var draft: PostgreSQLCatalogue { PostgreSQLCatalogue(schemaOfTables: schema) }

    /// `nil` if there is a store that isn't to be replaced.
    init?(at url: URL, options: [AnyHashable: Any]?, isReplaced: Bool) throws {
        let options = PostgreSQLOptions(options)
        store = try options.workingStore(at: url)
        schema = PostgreSQLCatalogue.draft(of: store.schema)
        place = url
        do {
            self.url = try options.address(at: url).with(schema: schema).url
            if try !isReplaced && store.isThere {
                store.connection.close()
                return nil
            }
            lock = try store.close(waitingFor: Self.timeout)
        } catch {
            store.connection.close()
            throw error
        }
        do {
            try removeDraft()
        } catch {
            close()
            throw error
        }
    }

    private func close() {
        lock.end()
        store.connection.close()
    }

    private func removeDraft() throws {
        try store.connection.transaction {
            for statement in draft.removalOfDraft(schema) { try store.connection.send(statement) }
        }
    }

    func publish() throws {
        try PostgreSQLRowStore.mapping(place, occasion: .saving) {
            let connection = store.connection
            try connection.transaction {
                // Without it somebody may have opened the former store.
                try lock.check()
                try connection.run(store.catalogue.exclusion)
                try PostgreSQLRowStore.destroy(store, at: place)
                let tables = try connection.texts(draft.tables(in: schema))
                for statement in draft.publication(
                    of: tables, from: schema, to: store.schema, with: store.catalogue)
                {
                    try connection.send(statement)
                }
                try connection.finish()
                try keepDerived()
            }
            close()
        }
    }

    /// The triggers of derived attributes name schemas.
    private func keepDerived() throws {
        guard let kept = try PostgreSQLRowStore.keptModel(of: store, at: place) else { return }
        let blueprint = try store.blueprint(of: ModelIndex(kept))
        let derivations = try PostgreSQLSchema(blueprint, schema: store.schema).derivations
        if derivations.isEmpty { return }
        for statement in [derivations.removal] + derivations.definitions {
            try store.connection.send(statement)
        }
        try store.connection.finish()
    }

    func discard() {
        defer { close() }
        do {
            if !store.connection.isBroken { try removeDraft() }
        } catch {
            Log.warning("the schema \(schema) can't be removed: \(error)")
        }
    }
}

extension PostgreSQLRowStore {
    package static func replacement(
        at url: URL, options: [AnyHashable: Any]?, isReplaced: Bool
    ) throws -> (any StoreReplacement)? {
        do {
            return try PostgreSQLReplacement(at: url, options: options, isReplaced: isReplaced)
        } catch let use as StoreInUse {
            throw PostgreSQLErrors.inUse(use.holders, file: url)
        } catch {
            return try mapping(url, occasion: .saving) { throw error }
        }
    }
}
