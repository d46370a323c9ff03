// Pinning a context to a state of its stores, and moving it on.

import CoreDataStores
import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    final var pinnedGeneration: NSQueryGenerationToken? {
        checkQueue()
        guard let generation else { return nil }
        let coordinator = requiredCoordinator
        return coordinator.withLock {
            if generation.hasBegun {
                return generation.readsSnapshots ? NSQueryGenerationToken(generation) : nil
            }
            return coordinator.attached.contains { $0.store.rowStore?.keepsSnapshots == true }
                ? .current : nil
        }
    }

    final func pin(to generation: NSQueryGenerationToken?) throws {
        try beginRequest()
        if parentContext != nil {
            throw RequestErrors.foreign(
                "the query generation of a nested context is its parent's and can't be set")
        }
        let coordinator = requiredCoordinator
        try coordinator.withLock {
            self.generation = try generation.map { try Self.generation(of: $0, for: coordinator) }
            coordinator.releaseUnusedSnapshots()
        }
    }

    private static func generation(
        of token: NSQueryGenerationToken, for coordinator: NSPersistentStoreCoordinator
    ) throws -> QueryGeneration {
        if token.isCurrent { return QueryGeneration(coordinator) }
        guard let generation = token.generation, !generation.hasExpired else {
            throw StoreErrors.expiredSnapshot(nil)
        }
        guard generation.coordinator === coordinator else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                description: "The query generation belongs to another persistent store coordinator.")
        }
        return generation
    }

    /// Moves a pinned context on to what its stores hold when it reads next.
    final func advanceGeneration() {
        if generation == nil { return }
        let coordinator = requiredCoordinator
        coordinator.withLock {
            generation = QueryGeneration(coordinator)
            coordinator.releaseUnusedSnapshots()
        }
    }

    /// Moves a pinned context on to what it has just saved. The stores have written already: what keeps them from
    /// being pinned now is thrown by the next read.
    final func advanceGenerationToSave() {
        if generation == nil { return }
        advanceGeneration()
        do {
            try generation?.begin()
        } catch {
            Log.warning("the query generation of a save can't be kept: \(error)")
        }
    }

    /// Asks the stores as they are, whatever the context is pinned to: what a save is up against.
    final func withNewestStores<T>(_ body: () throws -> T) rethrows -> T {
        try withStores { try readingNewest(body) }
    }

    /// Has reads find the stores as they are, without keeping others from saving meanwhile.
    final func readingNewest<T>(_ body: () throws -> T) rethrows -> T {
        let pinned = generation
        generation = nil
        defer { generation = pinned }
        return try body()
    }

    /// Adds the generation of a pinned context to a save's notification.
    final func addGeneration(to info: inout [AnyHashable: Any]) {
        if generation == nil { return }
        info[NSManagedObjectContextQueryGenerationKey] = pinnedGeneration
    }

    /// Returns whether a fault can't be filled because the context's generation has expired: it is treated
    /// as if its row were gone.
    final func isInaccessible(_ object: NSManagedObject, because error: any Error) -> Bool {
        guard QueryGeneration.areUsed, StoreErrors.isExpiredSnapshot(error) else { return false }
        Log.warning("\(object.objectID) can't be read: the context's query generation has expired")
        return true
    }
}

extension NSPersistentStoreCoordinator {
    /// Gives back what generations kept that nothing refers to any more. Under the lock.
    final func releaseUnusedSnapshots() {
        for entry in attached { entry.store.rowStore?.releaseUnusedSnapshots() }
    }
}
