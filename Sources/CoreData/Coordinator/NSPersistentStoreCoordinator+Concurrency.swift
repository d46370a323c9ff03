// Serialisation: one lock, taken by whoever talks to stores.

import CoreDataStores
import Foundation
import Synchronization

extension NSPersistentStoreCoordinator {
    /// Runs a closure while no other thread talks to the stores. May be nested.
    final func withLock<T>(_ body: () throws -> T) rethrows -> T {
        mutex.lock()
        defer { mutex.unlock() }
        return try body()
    }

    /// As `lock`, before those who only read.
    final func lockToWrite() {
        if mutex.try() { return }
        waitingWriters.add(1, ordering: .relaxed)
        mutex.lock()
        waitingWriters.subtract(1, ordering: .relaxed)
    }

    /// Runs a closure that only reads from stores: with the lock if it is free, else, if all stores are files that can be
    /// read beside whoever has it, with connections of its own. A thread that is asking already goes on as it does.
    ///
    /// - Parameter mayBorrow: whether that is allowed; else the closure has the lock.
    final func withLockToRead<T>(
        mayBorrow: Bool, _ body: (_ isLocked: Bool) throws -> T
    ) rethrows -> T {
        if !mayBorrow { return try withLock { try body(true) } }
        if BorrowedReader.isHeld { return try body(false) }
        if mutex.try() {
            defer { mutex.unlock() }
            if requester != nil || waitingWriters.load(ordering: .relaxed) == 0 { return try body(true) }
        }
        if let result = try BorrowedReader.reading(
            known.withLock({ $0 }), from: { try $0.takeReader() }, body: { try body(false) })
        {
            return result
        }
        return try withLock { try body(true) }
    }

    /// Runs a closure that only reads, from copies of the stores that are at most so many seconds behind them; `nil`, without running
    /// it, if a store has neither such a copy nor a reader beside the lock to spare.
    final func withReplicas<T>(accepting lag: Double, body: () throws -> T) rethrows -> T? {
        if BorrowedReader.isHeld { return try body() }
        return try BorrowedReader.reading(
            known.withLock { $0 }, from: { try $0.takeReplica(accepting: lag) }, body: body)
    }

    /// Has stores end what reads keep open. A thread that has the lock ends that by what it asks, or keeps it for itself.
    final func endReads() {
        guard mutex.try() else { return }
        defer { mutex.unlock() }
        for entry in known.withLock({ $0 }) { entry.store.rowStore?.endReads() }
    }

    /// Notes the context in whose name the stores are asked, with the lock held. Returns the one before it, which
    /// `endAsking` takes.
    final func beginAsking(for context: NSManagedObjectContext) -> NSManagedObjectContext? {
        let outer = requester
        requester = context
        if outer == nil && hasIncrementalStores { tellRegistrations() }
        return outer
    }

    final func endAsking(_ outer: NSManagedObjectContext?) {
        if outer == nil && hasIncrementalStores { tellRegistrations() }
        requester = outer
    }

    /// Runs a closure while no other thread talks to the stores, which read what the context is pinned to.
    final func withRequester<T>(_ context: NSManagedObjectContext, body: () throws -> T) rethrows -> T {
        try withLock {
            let outer = requester
            requester = context
            defer { requester = outer }
            return try body()
        }
    }

    final func performLater(_ block: @escaping () -> Void) {
        let work = UncheckedWork(block: block)
        queue.async { self.withLock { work.block() } }
    }

    /// Runs the closure on this thread while nobody else talks to the stores, and returns what it returns.
    ///
    /// - Returns: what the closure returns.
    public func performAndWait<T>(_ block: @Sendable () throws -> T) rethrows -> T {
        try withLock(block)
    }

    /// Runs the closure on the coordinator's queue while nobody else talks to the stores, and returns what it
    /// returns.
    ///
    /// - Returns: what the closure returns.
    /// - Throws: what the closure throws.
    public func perform<T, Failure: Error>(
        _ block: @escaping @Sendable () throws(Failure) -> T
    ) async throws(Failure) -> T {
        let box: UncheckedResult<T, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: UncheckedResult(value: self.result(of: block))) }
        }
        return try box.value.get()
    }

    private func result<T, Failure: Error>(of block: () throws(Failure) -> T) -> Result<T, Failure> {
        mutex.lock()
        defer { mutex.unlock() }
        do throws(Failure) {
            return .success(try block())
        } catch {
            return .failure(error)
        }
    }
}

/// A closure that runs once, on the coordinator's queue.
///
/// Unchecked because the signature is Apple's; who calls `perform` hands the closure over.
private struct UncheckedWork: @unchecked Sendable {
    let block: () -> Void
}

/// A result on its way back to the caller, who alone gets it.
private struct UncheckedResult<T, Failure: Error>: @unchecked Sendable {
    let value: Result<T, Failure>
}
