// Contexts that read from copies of a store.

import CoreDataStores
public import Foundation

extension NSManagedObjectContext {
    /// The place that a context reads from. An addition.
    public enum ReadSource: Sendable, Equatable {
        /// The stores themselves.
        case store
        /// A copy of each store that has one, such as a database server's replica, as long as it is at most so many seconds behind; else
        /// the store itself.
        case replica(maximumLag: TimeInterval)
    }

    /// Runs a closure that reads from replicas, where the context wants that; `nil`, without running it, if it doesn't. A
    /// save reads what it has written.
    final func readingReplicas<T>(
        _ coordinator: NSPersistentStoreCoordinator, body: () throws -> T
    ) rethrows -> T? {
        guard case .replica(let lag) = readFrom, !saving.isUnderWay, generation == nil else { return nil }
        return try coordinator.withReplicas(accepting: lag, body: body)
    }
}
