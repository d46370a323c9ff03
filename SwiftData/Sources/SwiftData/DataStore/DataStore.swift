// Stores of clients' own: what a context asks of them.

/// A store that a client writes: it reads and saves snapshots of models in whatever form it likes.
///
/// A container makes it from its configuration. A context asks it for snapshots of the models that a descriptor finds, and
/// gives it snapshots of those that changed. Where the store can't filter or sort as asked it throws
/// `DataStoreError.preferInMemoryFilter` or `.preferInMemorySort`, and is asked for all models of the type.
public protocol DataStore: AnyObject {
    /// The type of the store's configuration.
    associatedtype Configuration: DataStoreConfiguration where Configuration.Store == Self
    /// The type of the snapshots that the store exchanges with contexts.
    associatedtype Snapshot: DataStoreSnapshot

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - configuration: the configuration that the container was made with.
    ///   - migrationPlan: the container's plan, for a store of an older schema.
    init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws

    /// The store's identifier, which lasts as long as its data.
    var identifier: String { get }
    /// The schema of the models that the store keeps.
    var schema: Schema { get }
    /// The configuration that the store was made with.
    var configuration: Configuration { get }

    /// Tells that a context begins to use the store.
    func initializeState(for editingState: EditingState)
    /// Tells that a context is done with the store.
    func invalidateState(for editingState: EditingState)

    /// Returns snapshots of the models that a descriptor finds, in its order.
    ///
    /// - Throws: `DataStoreError.preferInMemoryFilter` or `.preferInMemorySort` to be asked for all models instead.
    func fetch<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<
        T, Snapshot
    >
    /// Returns the number of the models that a descriptor finds.
    func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int
    /// Returns the identifiers of the models that a descriptor finds, in its order.
    func fetchIdentifiers<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws
        -> [PersistentIdentifier]

    /// Saves a context's changes, all or none.
    func save(_ request: DataStoreSaveChangesRequest<Snapshot>) throws -> DataStoreSaveChangesResult<Snapshot>

    /// Returns snapshots that the store has at hand of some models, for faults.
    ///
    /// - Parameters:
    ///   - persistentIdentifiers: the models.
    ///   - editingState: the context that asks.
    func cachedSnapshots(
        for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: Snapshot]

    /// Deletes everything that the store keeps.
    func erase() throws
}

extension DataStore {
    /// Does nothing.
    public func initializeState(for editingState: EditingState) {}

    /// Does nothing.
    public func invalidateState(for editingState: EditingState) {}

    /// Fetches and counts.
    public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
        try fetch(request).fetchedSnapshots.count
    }

    /// Fetches, and returns the snapshots' identifiers.
    public func fetchIdentifiers<T: PersistentModel>(
        _ request: DataStoreFetchRequest<T>
    ) throws -> [PersistentIdentifier] {
        try fetch(request).fetchedSnapshots.map(\.persistentIdentifier)
    }

    /// Returns none: models are fetched.
    public func cachedSnapshots(
        for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: Snapshot] { [:] }

    /// Throws `DataStoreError.unsupportedFeature`.
    public func erase() throws { throw DataStoreError.unsupportedFeature }
}

/// A store that deletes models by a condition, without snapshots of them.
public protocol DataStoreBatching: DataStore {
    /// Deletes the models that a request finds.
    func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws
}

/// A store that keeps a history of its saves.
public protocol HistoryProviding: DataStore {
    /// The type of a save in the store's history.
    associatedtype HistoryType: HistoryTransaction

    /// The type of a save in the store's history.
    static var historyType: HistoryType.Type { get }
    /// Deletes the transactions that a descriptor finds.
    func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
    /// Returns the transactions that a descriptor finds.
    func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]
}

extension HistoryProviding {
    /// The type of a save in the store's history.
    public static var historyType: HistoryType.Type { HistoryType.self }
}

/// Reasons of a store not to do as it is asked.
public enum DataStoreError: Error, Hashable, Sendable {
    /// The predicate makes no sense for the store.
    case invalidPredicate
    /// The store can't filter as asked: it is asked for all models, and the context filters.
    case preferInMemoryFilter
    /// The store can't sort as asked: it is asked for models in any order, and the context sorts.
    case preferInMemorySort
    /// The store can't do this.
    case unsupportedFeature
}
