// Work on the context's queue.

import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    final func performLater(_ block: @escaping () -> Void) {
        let work = UncheckedBlock(context: self, block: block)
        confinement.async {
            work.context.asCurrent {
                work.block()
                work.context.endEvent()
            }
        }
    }

    final func performWaiting(_ block: () -> Void) {
        confinement.sync(as: self, block)
    }
}

extension BlockRunning where Self: NSManagedObjectContext {
    /// Runs a block on the context's queue and waits for it.
    ///
    /// The caller waits, so the block needn't be `Sendable`, as Apple's must.
    ///
    /// - Returns: what the block returns.
    /// - Throws: what the block throws; at the end of a block that may throw any error, `readError`.
    public func performAndWait<T, Failure: Error>(
        _ block: () throws(Failure) -> T
    ) throws(Failure) -> T {
        try confinement.sync(as: self) { () throws(Failure) in
            let result = try block()
            try endThrowingBlock(Failure.self)
            return result
        }
    }
}

extension NSManagedObjectContext {
    /// Runs a block on the context's queue without blocking the caller's thread, then processes changes.
    ///
    /// ```swift
    /// let names = try await context.perform {
    ///     try context.fetch(NSFetchRequest<Hero>(entityName: "Hero")).map { $0.name ?? "" }
    /// }
    /// print(names)
    /// ```
    ///
    /// - Parameters:
    ///   - schedule: when the block is run: at once when the caller is on the context's queue (`immediate`),
    ///     or always after what waits there (`enqueued`).
    ///   - block: the work, which owns the context and its objects while it runs.
    /// - Returns: what the block returns.
    /// - Throws: what the block throws; at the end of a block that may throw any error, `readError`.
    public final func perform<T, Failure: Error>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws(Failure) -> T
    ) async throws(Failure) -> T {
        if schedule == .immediate && confinement.isCurrent {
            return try asCurrent(outer: HeldContext.current) { () throws(Failure) in
                let result = try block()
                try endThrowingBlock(Failure.self)
                return result
            }
        }
        let context = UncheckedReference(self)
        let outcome: UncheckedReference<Result<T, Failure>> = await withCheckedContinuation { continuation in
            confinement.async {
                let result = context.value.asCurrent {
                    defer { context.value.endEvent() }
                    return Result { () throws(Failure) in
                        let result = try block()
                        try context.value.endThrowingBlock(Failure.self)
                        return result
                    }
                }
                continuation.resume(returning: UncheckedReference(result))
            }
        }
        return try outcome.value.get()
    }
}

/// A block for a context's queue.
///
/// Unchecked because `perform(_:)` takes blocks that aren't `Sendable`, as Apple's does; they run on one queue.
private struct UncheckedBlock: @unchecked Sendable {
    let context: NSManagedObjectContext
    let block: () -> Void
}
