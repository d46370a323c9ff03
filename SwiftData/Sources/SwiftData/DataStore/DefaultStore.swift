// The store that keeps models with Core Data.

import CoreData
import Foundation

/// The store of a `ModelConfiguration`, which Core Data keeps: an SQLite file, memory, or what other modules add.
///
/// Containers use such stores without it. It is for stores of clients' own that keep a part of their data in one.
public final class DefaultStore: DataStore, DataStoreBatching, HistoryProviding {
    /// The type of the store's configuration.
    public typealias Configuration = ModelConfiguration
    /// The type of the store's snapshots.
    public typealias Snapshot = DefaultSnapshot
    /// The type of places in the store's history.
    public typealias TokenType = DefaultHistoryToken
    /// The type of saves in the store's history.
    public typealias HistoryType = DefaultHistoryTransaction

    public let configuration: ModelConfiguration
    public let schema: Schema
    public let identifier: String
    /// The name of the configuration.
    public let name: String
    private let container: ModelContainer

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - configuration: the store, with the schema of its models.
    ///   - migrationPlan: the way from older versions of the schema.
    /// - Throws: `SwiftDataError.unknownDataStoreSchema` for a configuration without a schema; what opening the store throws.
    public init(_ configuration: ModelConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        guard let schema = configuration.schema else { throw SwiftDataError.unknownDataStoreSchema }
        container = try ModelContainer(
            for: schema, migrationPlan: migrationPlan, configurations: [configuration])
        SnapshotTypes.register(schema)
        self.configuration = configuration
        self.schema = schema
        name = configuration.name
        identifier = container.coordinator.persistentStores.first?.identifier ?? ""
    }

    private func context(_ state: EditingState) -> ModelContext {
        let context = ModelContext(container)
        context.author = state.author
        return context
    }

    // MARK: Fetching

    /// Returns snapshots of the models that a descriptor finds.
    public func fetch<T: PersistentModel>(
        _ request: DataStoreFetchRequest<T>
    ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
        let models = try context(request.editingState).fetch(request.descriptor)
        return DataStoreFetchResult(
            descriptor: request.descriptor,
            fetchedSnapshots: models.map { DefaultSnapshot($0._$modelStorage.object) })
    }

    /// Returns the number of the models that a descriptor finds.
    public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
        try context(request.editingState).fetchCount(request.descriptor)
    }

    /// Returns the identifiers of the models that a descriptor finds.
    public func fetchIdentifiers<T: PersistentModel>(
        _ request: DataStoreFetchRequest<T>
    ) throws -> [PersistentIdentifier] {
        try context(request.editingState).fetchIdentifiers(request.descriptor)
    }

    /// Returns snapshots of those of the models that the store has.
    ///
    /// - Parameters:
    ///   - persistentIdentifiers: the models.
    ///   - editingState: the context that asks.
    public func cachedSnapshots(
        for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: DefaultSnapshot] {
        let context = context(editingState)
        var found: [PersistentIdentifier: DefaultSnapshot] = [:]
        for identifier in persistentIdentifiers {
            guard let id = context.objectID(of: identifier),
                let object = try? context.managed.existingObject(with: id) as? _ModelObject
            else { continue }
            found[identifier] = DefaultSnapshot(object)
        }
        return found
    }

    // MARK: Saving

    /// Saves snapshots in one transaction.
    public func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        let context = context(request.editingState)
        var objects: [PersistentIdentifier: _ModelObject] = [:]
        for snapshot in request.inserted {
            objects[snapshot.persistentIdentifier] = try new(
                snapshot.persistentIdentifier.entityName, in: context)
        }
        let inserted = objects
        for snapshot in request.inserted + request.updated { try apply(snapshot, &objects, context) }
        for snapshot in request.deleted {
            if let object = try known(snapshot.persistentIdentifier, &objects, context) {
                context.managed.delete(object)
            }
        }
        try context.save()
        return DataStoreSaveChangesResult(
            for: identifier, remappedIdentifiers: inserted.mapValues { PersistentIdentifier($0) },
            snapshotsToReregister: [:], historyToken: DefaultHistoryToken(container.currentHistoryNumbers))
    }

    private func new(_ entity: String, in context: ModelContext) throws -> _ModelObject {
        guard let description = container.models.model.entitiesByName[entity],
            let object = NSEntityDescription.insertNewObject(
                forEntityName: description.name ?? "", into: context.managed)
                as? _ModelObject
        else { throw SwiftDataError.unknownSchema.because("\(entity) is no entity of the store") }
        return object
    }

    private func known(
        _ identifier: PersistentIdentifier, _ objects: inout [PersistentIdentifier: _ModelObject],
        _ context: ModelContext
    ) throws -> _ModelObject? {
        if let object = objects[identifier] { return object }
        guard let id = context.objectID(of: identifier) else { return nil }
        let object = try context.managed.existingObject(with: id) as? _ModelObject
        objects[identifier] = object
        return object
    }

    private func apply(
        _ snapshot: DefaultSnapshot, _ objects: inout [PersistentIdentifier: _ModelObject],
        _ context: ModelContext
    ) throws {
        guard let object = try known(snapshot.persistentIdentifier, &objects, context) else { return }
        let values = try SnapshotValues(snapshot)
        for form in object.bound.binding.storedForms {
            let value = values[form.name]
            if form.isToMany {
                let others = try ((value as? [PersistentIdentifier]) ?? []).compactMap {
                    try known($0, &objects, context)
                }
                object.setValue(NSSet(array: others), forKey: form.name)
            } else if form.isRelationship {
                let other = try (value as? PersistentIdentifier).flatMap { try known($0, &objects, context) }
                object.setValue(other, forKey: form.name)
            } else {
                object.setValue(value.flatMap(form.stored), forKey: form.name)
            }
        }
    }

    /// Deletes the models that a request finds, in the store.
    public func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
        let context = context(request.editingState)
        try context.delete(
            model: T.self, where: request.predicate, includeSubclasses: request.includeSubclasses)
        try context.save()
    }

    /// Deletes everything that the store keeps.
    public func erase() throws { try container.erase() }

    // MARK: History

    /// Returns the transactions that a descriptor finds.
    public func fetchHistory(
        _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
    ) throws -> [DefaultHistoryTransaction] {
        try ModelContext(container).fetchHistory(descriptor)
    }

    /// Deletes the transactions that a descriptor finds.
    public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
        try ModelContext(container).deleteHistory(descriptor)
    }
}
