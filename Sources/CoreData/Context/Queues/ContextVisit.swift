// Waiting for a context's queue without blocking those that the queue itself waits for.

import Dispatch
import Foundation
import Synchronization

/// A block that a caller wants to have run on a context's queue, and waits for.
///
/// While the caller's thread waits, it answers questions to the contexts whose queues it occupies, if those ask that it
/// waits for. A child's block that asks a parent on the main queue is answered so while the main thread waits for
/// the child, as if it had been called from there. A question is what a context asks its parent, or a block that one of
/// its blocks runs on its parent's queue; other blocks wait for their turn.
///
/// Unchecked because `inbox` is used under the lock of `WaitingCallers`, and the caller waits until `work` has run.
final class ContextVisit: @unchecked Sendable {
    fileprivate enum Event {
        /// Another caller's block is to be run on this thread.
        case serve(ContextVisit)
        /// The queue is the caller's: the block is to be run on this thread.
        case granted
        /// The block has run on another thread.
        case done
    }

    /// The queue, and the queues that the caller occupies.
    fileprivate let target: ObjectIdentifier
    fileprivate let holds: [ObjectIdentifier]
    fileprivate let isQuestion: Bool
    fileprivate var inbox: [Event] = []
    fileprivate let signal = DispatchSemaphore(value: 0)
    private var work: (() -> Void)?
    /// Carries what one thread wrote to the next, for ThreadSanitizer too.
    private let isClaimed = Atomic<Bool>(false)

    init(
        to target: ObjectIdentifier, holding holds: [ObjectIdentifier], isQuestion: Bool,
        _ work: @escaping () -> Void
    ) {
        self.target = target
        self.holds = holds
        self.isQuestion = isQuestion
        self.work = work
    }

    /// Returns `true` if the block is the caller's to run. Both the queue and a waiting thread may offer to.
    func claim() -> Bool { !isClaimed.exchange(true, ordering: .acquiringAndReleasing) }

    /// Runs the block, which was claimed, on this thread.
    func run() {
        work?()
        work = nil
        isClaimed.store(true, ordering: .releasing)
        WaitingCallers.tell(self, event: .done)
    }

    /// Has the caller run the block, which was claimed, on its own thread, as the queue's.
    func grant() {
        isClaimed.store(true, ordering: .releasing)
        WaitingCallers.tell(self, event: .granted)
    }

    /// Waits until the block has run. On the caller's thread.
    ///
    /// - Parameters:
    ///   - enqueue: Enters the visit into the queue.
    ///   - leave: Gives the queue back after a grant.
    func wait(enqueue: () -> Void, leave: () -> Void) {
        isClaimed.store(false, ordering: .releasing)
        WaitingCallers.add(self)
        enqueue()
        while true {
            signal.wait()
            switch WaitingCallers.nextEvent(of: self) {
            case .serve(let other): other.run()
            case .granted:
                _ = isClaimed.load(ordering: .acquiring)
                work?()
                work = nil
                return leave()
            case .done:
                _ = isClaimed.load(ordering: .acquiring)
                return
            }
        }
    }
}

/// The callers that wait for a context's queue while they occupy another one.
private enum WaitingCallers {
    private static let all = Mutex<[ContextVisit]>([])

    static func add(_ visit: ContextVisit) {
        if visit.holds.isEmpty { return }
        all.withLock { waiting in
            waiting.append(visit)
            for visit in waiting where visit.isQuestion {
                guard let server = server(for: visit, among: waiting), visit.claim() else { continue }
                server.inbox.append(.serve(visit))
                server.signal.signal()
            }
        }
    }

    /// Hands a caller its last event.
    static func tell(_ visit: ContextVisit, event: ContextVisit.Event) {
        all.withLock { waiting in
            if !visit.holds.isEmpty { waiting.removeAll { $0 === visit } }
            visit.inbox.append(event)
        }
        visit.signal.signal()
    }

    static func nextEvent(of visit: ContextVisit) -> ContextVisit.Event {
        all.withLock { _ in visit.inbox.removeFirst() }
    }

    /// A caller that occupies the queue that the visit is for and waits for the visit's caller, directly or through
    /// others. The nearest one.
    private static func server(
        for visit: ContextVisit, among waiting: [ContextVisit]
    ) -> ContextVisit? {
        guard waiting.contains(where: { $0 !== visit && $0.holds.contains(visit.target) }) else { return nil }
        var occupied = visit.holds
        var others = waiting.filter { $0 !== visit }
        while let place = others.firstIndex(where: { occupied.contains($0.target) }) {
            let other = others.remove(at: place)
            if other.holds.contains(visit.target) { return other }
            occupied += other.holds
        }
        return nil
    }
}
