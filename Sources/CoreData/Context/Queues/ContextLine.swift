// The queue of a context that has one of its own.

import Dispatch
import Foundation
import Synchronization

/// Runs blocks one at a time, in the order of their arrival: those of `async` on a dispatch queue, those that a caller
/// waits for on the caller's thread.
///
/// `DispatchQueue.sync` isn't enough: a thread that waits there can't be asked for anything (`ContextVisit`).
final class ContextLine: Sendable {
    private enum Entry: Sendable {
        case block(@Sendable () -> Void)
        case visit(ContextVisit)
    }

    private struct State: Sendable {
        var isBusy = false
        /// From `first` on; what was taken is nil, so that nothing holds a block that has run.
        var entries: [Entry?] = []
        var first = 0

        mutating func next() -> Entry? {
            guard first < entries.count else {
                isBusy = false
                return nil
            }
            let entry = entries[first]
            entries[first] = nil
            first += 1
            // A line that never empties must not grow with each block that it ran.
            if first == entries.count || first >= 64 && 2 * first >= entries.count {
                entries.removeFirst(first)
                first = 0
            }
            return entry
        }
    }

    private let state = Mutex(State())
    /// The trace of the line for ThreadSanitizer, which doesn't see a `Mutex`.
    private let turns = Atomic<Int>(0)
    private let queue = DispatchQueue(label: "NSManagedObjectContext")

    func async(_ block: @escaping @Sendable () -> Void) {
        enter(.block(block))
    }

    func enter(_ visit: ContextVisit) {
        enter(.visit(visit))
    }

    /// Takes the line if nobody has it or waits for it. The caller then calls `leave()`.
    func tryEnter() -> Bool {
        state.withLock { state in
            if state.isBusy { return false }
            state.isBusy = true
            _ = turns.load(ordering: .acquiring)
            return true
        }
    }

    /// Gives the line to who has waited longest.
    func leave() {
        turns.wrappingAdd(1, ordering: .releasing)
        while let next = state.withLock({ $0.next() }) {
            if start(next) { return }
        }
    }

    private func enter(_ entry: Entry) {
        let isFirst = state.withLock { state in
            if state.isBusy {
                state.entries.append(entry)
                return false
            }
            state.isBusy = true
            _ = turns.load(ordering: .acquiring)
            return true
        }
        if isFirst, !start(entry) { leave() }
    }

    /// Returns whether there is anything to start: a visit may have been served elsewhere.
    private func start(_ entry: Entry) -> Bool {
        switch entry {
        case .block(let block):
            queue.async { [self] in
                block()
                leave()
            }
        case .visit(let visit):
            guard visit.claim() else { return false }
            visit.grant()
        }
        return true
    }
}
