// Work on an executor of Swift's concurrency.

import CoreDataSupport
import Dispatch
import Foundation
import Synchronization

/// Runs blocks on a serial executor, one after the other in the order of the calls.
///
/// An executor runs jobs, and only tasks make jobs. A task that begins at once, on the caller's thread, goes to the
/// actor's executor without a stop at the cooperative pool, whose threads may all be waiting for the context.
actor SerialExecutorQueue {
    nonisolated let executor: any SerialExecutor
    nonisolated private let asksCurrent: (@Sendable () -> Bool)?
    nonisolated private let waiting = Mutex(Line())

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ executor: any SerialExecutor, isCurrent: (@Sendable () -> Bool)?) {
        self.executor = executor
        asksCurrent = isCurrent
    }

    /// Indicates whether the caller is on the executor, as far as anyone can tell.
    nonisolated var isRunning: Bool { asksCurrent?() ?? (executor.isIsolatingCurrentContext() == true) }

    /// Tasks may overtake each other, so each runs the block that has waited longest.
    nonisolated func async(_ block: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.blocks.append(block) }
        Task.immediate { await self.serve() }
    }

    private func serve() {
        waiting.withLock { $0.next() }?()
    }

    /// Blocks in the order of their arrival.
    private struct Line {
        var blocks: [@Sendable () -> Void] = []
        private var first = 0

        mutating func next() -> (@Sendable () -> Void)? {
            if first == blocks.count { return nil }
            defer {
                first += 1
                if first == blocks.count { (blocks, first) = ([], 0) }
            }
            return blocks[first]
        }
    }
}
