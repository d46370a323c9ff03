// The lock of contexts from before they had queues.

public import Foundation

/// Superseded by `perform(_:)` and `performAndWait(_:)`: the lock keeps out those who take it too, not the context's queue.
extension NSManagedObjectContext: NSLocking {
    /// Takes the context's lock; it may be taken again on the same thread. Superseded by `performAndWait(_:)`.
    public final func lock() { clientLock.lock() }

    /// Gives the lock back.
    public final func unlock() { clientLock.unlock() }

    /// Takes the lock unless another thread has it.
    ///
    /// - Returns: whether the lock was taken.
    public final func tryLock() -> Bool { clientLock.try() }
}
