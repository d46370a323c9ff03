// The container: a schema with its stores.

import CoreData
import Foundation
import Synchronization

/// The stores of an app's models.
///
/// ```swift
/// let container = try ModelContainer(for: Trip.self)
/// let context = ModelContext(container)
/// ```
///
/// Unchecked because all that changes is behind a lock.
public final class ModelContainer: @unchecked Sendable {
    /// The models.
    public let schema: Schema
    /// The plan by which older stores were migrated.
    public let migrationPlan: (any SchemaMigrationPlan.Type)?
    /// The stores.
    public let configurations: Set<ModelConfiguration>
    let models: ModelSet
    /// The coordinator of the stores.
    let coordinator: NSPersistentStoreCoordinator
    /// The stores that clients wrote.
    let clientStores: [ClientStore]
    private let main = Mutex<MainContext>(.init())

    /// Unchecked because the context is handed out on the main actor only.
    private struct MainContext: @unchecked Sendable {
        var context: ModelContext?
    }

    /// A container of models and all that they are related to.
    ///
    /// - Parameters:
    ///   - types: the classes.
    ///   - migrationPlan: the way from older versions to this one.
    ///   - configurations: the stores; one default store if there are none.
    /// - Throws: `SwiftDataError`, or the error of the store that couldn't be opened.
    public convenience init(
        for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: Schema(types), migrationPlan: migrationPlan, configurations: configurations)
    }

    /// A container of a schema.
    ///
    /// - Parameters:
    ///   - schema: the schema.
    ///   - migrationPlan: the way from older versions to this one.
    ///   - configurations: the stores; one default store if there are none.
    /// - Throws: `SwiftDataError`, or the error of the store that couldn't be opened.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: schema, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// A container of a schema.
    ///
    /// - Parameters:
    ///   - schema: the schema.
    ///   - migrationPlan: the way from older versions to this one.
    ///   - configurations: the stores; one default store if there are none.
    /// - Throws: `SwiftDataError`, or the error of the store that couldn't be opened.
    public init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [ModelConfiguration]
    ) throws {
        self.schema = schema
        self.migrationPlan = migrationPlan
        let stated = configurations.isEmpty ? [ModelConfiguration()] : configurations
        self.configurations = Set(stated)
        models = ModelSet.of(schema)
        coordinator = try StoreOpening(schema, models, stated, migrationPlan).open()
        clientStores = []
        models.use()
    }

    /// The container of a store that is being migrated.
    init(_ models: ModelSet, coordinator: NSPersistentStoreCoordinator) {
        schema = models.schema
        migrationPlan = nil
        configurations = []
        self.models = models
        self.coordinator = coordinator
        clientStores = []
    }

    /// The container of stores that clients wrote, beside those of Core Data.
    init(
        _ schema: Schema, _ configurations: Set<ModelConfiguration>,
        coordinator: NSPersistentStoreCoordinator,
        clientStores: [ClientStore]
    ) {
        self.schema = schema
        migrationPlan = nil
        self.configurations = configurations
        models = ModelSet.of(schema)
        self.coordinator = coordinator
        self.clientStores = clientStores
        models.use()
    }

    /// The context of the main actor, which saves by itself.
    @MainActor
    public var mainContext: ModelContext {
        main.withLock { main in
            if let known = main.context { return known }
            let made = ModelContext(self, isMain: true)
            main.context = made
            return made
        }
    }
}

extension ModelContainer: Equatable {
    /// Returns true if both are the same container.
    ///
    /// - Parameters:
    ///   - left: the one container.
    ///   - right: the other.
    public static func == (left: ModelContainer, right: ModelContainer) -> Bool { left === right }
}
