// Reads that somebody may want no longer.

import Foundation

extension NSManagedObjectContext {
    /// Runs reads on the context's queue, which SQLite stores give up once `isStopped` says so: it is asked amid each
    /// statement, and may be from any thread.
    ///
    /// - Throws: `CocoaError.userCancelled` for a read that was given up; what the closure throws.
    package final func reading<Result>(
        stoppedWhen isStopped: @escaping () -> Bool, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try readingStores {
                try stopping(requiredCoordinator.persistentStores[...], isStopped: isStopped, body: body)
            }
        } catch {
            if isStopped() { throw CocoaError(.userCancelled) }
            throw error
        }
    }

    private final func stopping<Result>(
        _ stores: ArraySlice<NSPersistentStore>, isStopped: @escaping () -> Bool,
        body: () throws -> Result
    ) throws -> Result {
        if isStopped() { throw CocoaError(.userCancelled) }
        guard let store = stores.first else { return try body() }
        return try store.stopping(when: isStopped) {
            try stopping(stores.dropFirst(), isStopped: isStopped, body: body)
        }
    }
}
