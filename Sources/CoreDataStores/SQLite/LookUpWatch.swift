// Look-ups that have ended, though no other statement followed.

import Dispatch
import Synchronization

/// Ends the transaction that a store's look-ups share, once none has begun one for a moment: the log can't start over before.
final class LookUpWatch: Sendable {
    private static let queue = DispatchQueue(label: "coredata.look-ups")
    private static let interval = DispatchTimeInterval.milliseconds(20)

    private let begun = Atomic(0)
    /// Indicates whether a look at the store is to come.
    private let isWaiting = Atomic(false)

    /// Notes that look-ups began a transaction. Called with the host's lock held.
    func note(_ store: SQLiteRowStore) {
        begun.add(1, ordering: .relaxed)
        if !isWaiting.exchange(true, ordering: .acquiringAndReleasing) { lookSoon(at: store, store.host) }
    }

    private func lookSoon(at store: SQLiteRowStore, _ host: any StoreHost) {
        let seen = begun.load(ordering: .relaxed)
        Self.queue.asyncAfter(deadline: .now() + Self.interval) { [weak store, weak host] in
            guard let store, let host else { return }
            if self.begun.load(ordering: .relaxed) != seen { return self.lookSoon(at: store, host) }
            self.isWaiting.store(false, ordering: .releasing)
            host.exclusively { store.endReads() }
        }
    }
}
