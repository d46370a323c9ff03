// Migrating a store, and what migrations left to do.

import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataSchema
package import CoreDataStores
import CoreDataSupport
import Foundation

extension PostgreSQLRowStore {
    package func migrate(_ migration: MigrationInPlace) throws {
        _ = try migrating(migration) { try $0.run() }
    }

    package func plannedSteps(of migration: MigrationInPlace) throws -> [PlannedStep] {
        try migrating(migration) { try $0.plannedSteps() } ?? []
    }

    private func migrating<Result>(
        _ migration: MigrationInPlace, _ body: (PostgreSQLMigration) throws -> Result
    ) throws -> Result? {
        guard let url = host.url else { return nil }
        do {
            let work = try PostgreSQLMigration(migration, options: PostgreSQLOptions(host.options), at: url)
            defer { work.close() }
            return try body(work)
        } catch {
            throw PostgreSQLErrors.migration(error, to: migration.model.index, file: url)
        }
    }

    // MARK: Work left for later

    /// Does what a migration left that was stopped, on a connection of its own.
    func finishWork(_ options: PostgreSQLOptions, of index: ModelIndex) {
        do {
            let store = try options.workingStore(at: host.url)
            defer { store.connection.close() }
            Self.doWork(on: store, of: index)
        } catch {
            Log.warning("what a migration left can't be done: \(error)")
        }
    }

    /// The store is good without it: what fails is tried again when the store is opened next.
    static func doWork(on store: ConnectedStore, of index: ModelIndex) {
        do {
            try store.doWork(indexes: store.blueprint(of: index).indexes())
        } catch {
            Log.warning(
                "what a migration of \(store.schema) left can't be done yet: "
                    + "\((error as? ServerFailure)?.message ?? "\(error)")")
        }
    }
}
