// A client's store without its types.

import CoreData
import Foundation

/// What a context needs of a client's store, whatever the types of its configuration and snapshots.
protocol ClientStoreBridge: AnyObject {
    var identifier: String { get }
    var storeSchema: Schema { get }
    func begin(_ state: EditingState)
    func end(_ state: EditingState)
    func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, _ state: EditingState) throws
        -> FetchedValues
    func count<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, _ state: EditingState) throws -> Int
    func identifiers<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, _ state: EditingState
    ) throws -> [PersistentIdentifier]
    func cached(_ identifier: PersistentIdentifier, _ state: EditingState) throws -> SnapshotValues?
    func save(_ changes: ClientChanges, _ state: EditingState) throws -> SavedValues
    /// Returns false if the store can't delete by a condition.
    func delete<T: PersistentModel>(
        _ type: T.Type, _ predicate: Predicate<T>?, includeSubclasses: Bool, _ state: EditingState
    ) throws -> Bool
    func history<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]?
    func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool
    func erase() throws
}

/// A store's answer to a fetch.
struct FetchedValues {
    var found: [SnapshotValues] = []
    var related: [SnapshotValues] = []
}

/// The objects of a save.
struct ClientChanges {
    var inserted: [_ModelObject]
    var updated: [_ModelObject]
    var deleted: [_ModelObject]
}

/// A store's answer to a save.
struct SavedValues {
    var remapped: [PersistentIdentifier: PersistentIdentifier]
    /// The values of what was saved, by lasting identifiers.
    var values: [SnapshotValues]
    var token: (any HistoryToken)?
}

/// The bridge of one type of store.
final class TypedClientStoreBridge<Store: DataStore>: ClientStoreBridge {
    private let store: Store

    init(_ store: Store) { self.store = store }

    var identifier: String { store.identifier }
    var storeSchema: Schema { store.schema }

    func begin(_ state: EditingState) { store.initializeState(for: state) }
    func end(_ state: EditingState) { store.invalidateState(for: state) }

    func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, _ state: EditingState) throws
        -> FetchedValues
    {
        let result = try store.fetch(DataStoreFetchRequest(descriptor: descriptor, editingState: state))
        return FetchedValues(
            found: try result.fetchedSnapshots.map { try SnapshotValues($0) },
            related: try result.relatedSnapshots.values.map { try SnapshotValues($0) })
    }

    func count<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, _ state: EditingState) throws -> Int {
        try store.fetchCount(DataStoreFetchRequest(descriptor: descriptor, editingState: state))
    }

    func identifiers<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, _ state: EditingState
    ) throws -> [PersistentIdentifier] {
        try store.fetchIdentifiers(DataStoreFetchRequest(descriptor: descriptor, editingState: state))
    }

    func cached(_ identifier: PersistentIdentifier, _ state: EditingState) throws -> SnapshotValues? {
        try store.cachedSnapshots(for: [identifier], editingState: state)[identifier].map {
            try SnapshotValues($0)
        }
    }

    func save(_ changes: ClientChanges, _ state: EditingState) throws -> SavedValues {
        let inserted = changes.inserted.map(snapshot)
        let updated = changes.updated.map(snapshot)
        let result = try store.save(
            DataStoreSaveChangesRequest(
                editingState: state, inserted: inserted, updated: updated,
                deleted: changes.deleted.map(snapshot)))
        let remapped = result.remappedIdentifiers
        let saved = try (inserted + updated).map { snapshot in
            let old = snapshot.persistentIdentifier
            return try SnapshotValues(
                snapshot.copy(persistentIdentifier: remapped[old] ?? old, remappedIdentifiers: remapped))
        }
        let changed = try result.snapshotsToReregister.values.map { try SnapshotValues($0) }
        return SavedValues(remapped: remapped, values: saved + changed, token: result.historyToken)
    }

    private func snapshot(_ object: _ModelObject) -> Store.Snapshot {
        var related: [PersistentIdentifier: any BackingData] = [:]
        return Store.Snapshot(from: object.backingData, relatedBackingDatas: &related)
    }

    func delete<T: PersistentModel>(
        _ type: T.Type, _ predicate: Predicate<T>?, includeSubclasses: Bool, _ state: EditingState
    ) throws -> Bool {
        guard let store = store as? any DataStoreBatching else { return false }
        try store.delete(
            DataStoreBatchDeleteRequest(
                predicate: predicate, includeSubclasses: includeSubclasses, editingState: state))
        return true
    }

    func history<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]? {
        func fetch<Provider: HistoryProviding>(_ provider: Provider) throws -> [T]? {
            guard let own = descriptor as? HistoryDescriptor<Provider.HistoryType> else { return nil }
            return try provider.fetchHistory(own) as? [T]
        }
        return try (store as? any HistoryProviding).flatMap { try fetch($0) }
    }

    func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool {
        func delete<Provider: HistoryProviding>(_ provider: Provider) throws -> Bool {
            guard let own = descriptor as? HistoryDescriptor<Provider.HistoryType> else { return false }
            try provider.deleteHistory(own)
            return true
        }
        return try (store as? any HistoryProviding).map { try delete($0) } ?? false
    }

    func erase() throws { try store.erase() }
}
