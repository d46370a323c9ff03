// Asking the stores of a context.

import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    /// The model in use.
    final var runtime: ManagedModel { registry.model }

    /// Objects known at the moment; none before the context has a coordinator.
    final var registeredIfAny: [NSManagedObject] { madeRegistry?.all() ?? [] }

    /// Asks the stores something, in the name of this context, while nobody else does. A child doesn't hold the
    /// coordinator while it waits for its parent.
    final func withStores<T>(_ body: () throws -> T) rethrows -> T {
        if parentContext != nil { return try body() }
        let coordinator = requiredCoordinator
        coordinator.lockToWrite()
        defer { coordinator.mutex.unlock() }
        let outer = coordinator.beginAsking(for: self)
        defer { coordinator.endAsking(outer) }
        return try body()
    }

    /// Asks the stores something that they only have to read, in the name of this context. Files are read while others
    /// save to them.
    final func readingStores<T>(_ body: () throws -> T) rethrows -> T {
        if parentContext != nil { return try body() }
        let coordinator = requiredCoordinator
        if let result = try readingReplicas(coordinator, body: body) { return result }
        return try coordinator.withLockToRead(mayBorrow: generation == nil) { isLocked in
            if !isLocked { return try body() }
            let outer = coordinator.beginAsking(for: self)
            defer { coordinator.endAsking(outer) }
            return try body()
        }
    }

    /// As `readingStores`, for reads by the key of one row: the store may serve those that follow in one transaction, at most
    /// until the block ends.
    final func lookingUp<T>(_ body: () throws -> T) rethrows -> T {
        hasLookedUp = true
        return try readingStores(body)
    }

    final func endLookUps() {
        hasLookedUp = false
        if parentContext == nil { persistentStoreCoordinator?.endReads() }
    }
}
