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
    let contents: Contents
    private let main: Mutex<MainContext>

    /// What a container consists of, but for its main context.
    struct Contents {
        let schema: Schema
        let migrationPlan: (any SchemaMigrationPlan.Type)?
        let configurations: Set<ModelConfiguration>
        let models: ModelSet
        let coordinator: NSPersistentStoreCoordinator
        let clientStores: [ClientStore]
        /// Tells the container's contexts of each other's saves.
        let saves: SaveExchange

        init(
            schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
            configurations: Set<ModelConfiguration> = [], models: ModelSet,
            coordinator: NSPersistentStoreCoordinator, clientStores: [ClientStore] = []
        ) {
            self.schema = schema
            self.migrationPlan = migrationPlan
            self.configurations = configurations
            self.models = models
            self.coordinator = coordinator
            self.clientStores = clientStores
            saves = SaveExchange(coordinator)
        }
    }

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
        let stated = configurations.isEmpty ? [ModelConfiguration()] : configurations
        let parts = StorePart.parts(of: schema, stated: stated.map(\.schema))
        let models = ModelSet.of(schema, parts: Set(parts.compactMap { $0 }))
        contents = Contents(
            schema: schema, migrationPlan: migrationPlan, configurations: Set(stated), models: models,
            coordinator: try StoreOpening(schema, models, stated, parts, migrationPlan).open())
        main = Mutex(MainContext())
        models.use()
    }

    /// The container of a main context that outlived the one that it is from.
    init(_ contents: Contents, main: ModelContext) {
        self.contents = contents
        self.main = Mutex(MainContext(context: main))
    }

    /// The container of a store that is being migrated.
    init(_ models: ModelSet, coordinator: NSPersistentStoreCoordinator) {
        contents = Contents(schema: models.schema, models: models, coordinator: coordinator)
        main = Mutex(MainContext())
    }

    /// The container of stores that clients wrote, beside those of Core Data.
    init(
        _ models: ModelSet, _ schema: Schema, _ configurations: Set<ModelConfiguration>,
        coordinator: NSPersistentStoreCoordinator, clientStores: [ClientStore]
    ) {
        contents = Contents(
            schema: schema, configurations: configurations, models: models, coordinator: coordinator,
            clientStores: clientStores)
        main = Mutex(MainContext())
        models.use()
    }

    /// The models.
    public var schema: Schema { contents.schema }
    /// The plan by which older stores were migrated.
    public var migrationPlan: (any SchemaMigrationPlan.Type)? { contents.migrationPlan }
    /// The stores.
    public var configurations: Set<ModelConfiguration> { contents.configurations }
    var models: ModelSet { contents.models }
    /// The coordinator of the stores.
    var coordinator: NSPersistentStoreCoordinator { contents.coordinator }
    /// The stores that clients wrote.
    var clientStores: [ClientStore] { contents.clientStores }

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
