// Work on contexts of its own.

import Foundation

extension NSPersistentContainer {
    final func runInBackground(_ block: @escaping (NSManagedObjectContext) -> Void) {
        let context = newBackgroundContext()
        context.perform { block(context) }
    }

    /// Runs the closure on the queue of a new context, which it gets, and returns what it returns.
    ///
    /// ```swift
    /// let count = try await container.performBackgroundTask { context in
    ///     try context.count(for: Hero.fetchRequest())
    /// }
    /// print(count)
    /// ```
    ///
    /// The closure leaves the caller's isolation: in an actor, or on the main one, it takes with it what may be sent.
    ///
    /// - Returns: what the closure returns.
    /// - Throws: what the closure throws.
    public func performBackgroundTask<T, Failure: Error>(
        _ block: sending @escaping (NSManagedObjectContext) throws(Failure) -> T
    ) async throws(Failure) -> T {
        let task = BackgroundTask(context: newBackgroundContext(), block: block)
        return try await task.context.perform { () throws(Failure) -> T in try task.block(task.context) }
    }
}

/// A closure on its way to the queue of its context.
///
/// Unchecked because the signature is Apple's; the closure runs once, on that queue, and nobody else has the
/// context.
private struct BackgroundTask<T, Failure: Error>: @unchecked Sendable {
    let context: NSManagedObjectContext
    let block: (NSManagedObjectContext) throws(Failure) -> T
}
