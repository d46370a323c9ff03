// The way to stop a request that another thread is at.

import CoreDataSupport
import Foundation
import Synchronization

/// The cancellation of a request, and the store that must be told of it.
final class RequestCancellation: Sendable {
    private struct State {
        var isCancelled = false
        /// The store that is at work; whoever asked it has the coordinator's lock.
        var store: UncheckedReference<NSPersistentStore>?
    }

    private let state = Mutex(State())
    /// The progress that a client may cancel instead. It is asked, because it calls its handler
    /// later, on a thread of its own.
    private let progress: Progress?

    init(_ progress: Progress? = nil) {
        self.progress = progress
        progress?.cancellationHandler = { [weak self] in self?.cancel() }
    }

    var isCancelled: Bool { progress?.isCancelled == true || state.withLock { $0.isCancelled } }

    /// Stops the request, now or at its next step.
    func cancel() {
        state.withLock {
            $0.isCancelled = true
            // Under the lock, so that it can't be another request's statement that is hit.
            $0.store?.value.interrupt()
        }
    }

    /// Throws if the request was cancelled.
    func check() throws {
        if isCancelled { throw CocoaError(.userCancelled) }
    }

    /// Asks a store so that `cancel` interrupts it. An error of the store after it was
    /// cancelled is the cancellation.
    func asking<Result>(_ store: NSPersistentStore, body: () throws -> Result) throws -> Result {
        let reference = UncheckedReference(store)
        state.withLock { $0.store = reference }
        defer { state.withLock { $0.store = nil } }
        do {
            try check()
            return try body()
        } catch {
            try check()
            throw error
        }
    }
}
