// What contexts ask of stores, and what they are answered.

public import Foundation

/// The models that a context asks a store for.
public struct DataStoreFetchRequest<T: PersistentModel> {
    /// The models that are wanted.
    public let descriptor: FetchDescriptor<T>
    /// The context that asks.
    public let editingState: EditingState
}

/// A store's answer to a fetch.
public struct DataStoreFetchResult<ModelType: PersistentModel, SnapshotType: DataStoreSnapshot> {
    /// What was asked for.
    public let descriptor: FetchDescriptor<ModelType>
    /// The models that were found, in their order.
    public let fetchedSnapshots: [SnapshotType]
    /// Snapshots of other models, which are likely to be asked for next.
    public let relatedSnapshots: [PersistentIdentifier: SnapshotType]

    /// An answer.
    ///
    /// - Parameters:
    ///   - descriptor: what was asked for.
    ///   - fetchedSnapshots: the models that were found, in their order.
    ///   - relatedSnapshots: snapshots of other models, which are likely to be asked for next.
    public init(
        descriptor: FetchDescriptor<ModelType>, fetchedSnapshots: [SnapshotType],
        relatedSnapshots: [PersistentIdentifier: SnapshotType] = [:]
    ) {
        self.descriptor = descriptor
        self.fetchedSnapshots = fetchedSnapshots
        self.relatedSnapshots = relatedSnapshots
    }
}

/// The changes that a store is to save.
public struct DataStoreSaveChangesRequest<SnapshotType: DataStoreSnapshot> {
    /// The context that saves.
    public let editingState: EditingState
    /// The models that are new. Their identifiers are temporary: the answer says which ones take their place.
    public let inserted: [SnapshotType]
    /// The models that changed.
    public let updated: [SnapshotType]
    /// The models that are to go.
    public let deleted: [SnapshotType]
}

/// A store's answer to a save.
public final class DataStoreSaveChangesResult<T: DataStoreSnapshot> {
    /// The store that saved.
    public let storeIdentifier: String
    /// The lasting identifiers of the models that were new, by their temporary ones.
    public let remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]
    /// Snapshots of models that the store changed as it saved.
    public let snapshotsToReregister: [PersistentIdentifier: T]
    /// The place in the store's history after the save, if it keeps one.
    public let historyToken: (any HistoryToken)?

    /// An answer of a store that keeps no history.
    ///
    /// - Parameters:
    ///   - storeIdentifier: the store that saved.
    ///   - remappedIdentifiers: the lasting identifiers of new models, by their temporary ones.
    ///   - snapshotsToReregister: snapshots of models that the store changed as it saved.
    public convenience init(
        for storeIdentifier: String, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
        snapshotsToReregister: [PersistentIdentifier: T] = [:]
    ) {
        self.init(
            for: storeIdentifier, remappedIdentifiers: remappedIdentifiers,
            snapshotsToReregister: snapshotsToReregister, historyToken: nil)
    }

    /// An answer.
    ///
    /// - Parameters:
    ///   - storeIdentifier: the store that saved.
    ///   - remappedIdentifiers: the lasting identifiers of new models, by their temporary ones.
    ///   - snapshotsToReregister: snapshots of models that the store changed as it saved.
    ///   - historyToken: the place in the store's history after the save.
    public init(
        for storeIdentifier: String, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
        snapshotsToReregister: [PersistentIdentifier: T] = [:], historyToken: (any HistoryToken)?
    ) {
        self.storeIdentifier = storeIdentifier
        self.remappedIdentifiers = remappedIdentifiers
        self.snapshotsToReregister = snapshotsToReregister
        self.historyToken = historyToken
    }
}

/// The models that a store is to delete without snapshots of them.
public struct DataStoreBatchDeleteRequest<T: PersistentModel> {
    /// The condition; nil for all models of the type.
    public let predicate: Predicate<T>?
    /// Indicates whether models of subclasses go too.
    public let includeSubclasses: Bool
    /// The context that asks.
    public let editingState: EditingState
}
