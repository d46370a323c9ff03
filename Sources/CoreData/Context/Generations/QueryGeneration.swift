// The contents of a coordinator's stores at one moment, for the contexts that are pinned to it.

import CoreDataStores
import CoreDataSupport
import Foundation
import Synchronization

/// A moment in the life of a coordinator's stores.
///
/// It begins with the first read of a context that is pinned to it, in all stores at once. Stores that can't be
/// pinned, and those that are added later, are read as they are.
///
/// Unchecked because the coordinator's lock guards what changes.
final class QueryGeneration: @unchecked Sendable {
    private struct Place {
        let store: NSPersistentStore
        let snapshot: (any ReadSnapshot)?
    }

    /// Indicates whether any context was ever pinned: until then no read has anything to look up.
    private static let everUsed = Atomic(false)
    private static let generations = Mutex<[UUID: WeakGeneration]>([:])

    let identifier = UUID()
    private(set) weak var coordinator: NSPersistentStoreCoordinator?
    /// The stores that are read as they were; `nil` for all.
    private let stores: [NSPersistentStore]?
    /// `nil` before the first read.
    private var places: [Place]?

    init(_ coordinator: NSPersistentStoreCoordinator, of stores: [NSPersistentStore]? = nil) {
        self.coordinator = coordinator
        self.stores = stores
        Self.everUsed.store(true, ordering: .relaxed)
        Self.generations.withLock { $0[identifier] = WeakGeneration(generation: self) }
    }

    deinit {
        _ = Self.generations.withLock { $0.removeValue(forKey: identifier) }
    }

    @inline(__always)
    static var areUsed: Bool { everUsed.load(ordering: .relaxed) }

    /// The generation that an archived token stands for, if something still refers to it.
    static func living(_ identifier: UUID) -> QueryGeneration? {
        generations.withLock { $0[identifier]?.generation }
    }

    // MARK: Under the coordinator's lock

    /// Indicates whether the moment has come.
    var hasBegun: Bool { places != nil }

    /// Indicates whether a store is pinned: none is in a coordinator without SQLite stores that use a log.
    var readsSnapshots: Bool { places?.contains { $0.snapshot != nil } ?? true }

    /// Indicates whether a store's state can't be read any more.
    var hasExpired: Bool { places?.contains { $0.snapshot.map(\.hasEnded) ?? false } ?? false }

    /// Fixes the moment: now.
    func begin() throws {
        guard places == nil, let coordinator else { return }
        places = try (stores ?? coordinator.persistentStores).compactMap { store in
            guard let engine = store.rowStore, engine.keepsSnapshots else { return nil }
            return Place(store: store, snapshot: try engine.makeSnapshot())
        }
    }

    /// Returns the snapshot to read a store from; `nil` to read it as it is.
    func snapshot(of store: NSPersistentStore) throws -> (any ReadSnapshot)? {
        try begin()
        return places?.first { $0.store === store }?.snapshot
    }
}

private struct WeakGeneration {
    weak var generation: QueryGeneration?
}
