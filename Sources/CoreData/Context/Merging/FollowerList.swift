// The contexts that want to know what is saved to a coordinator or into a parent context.

import Foundation
import Synchronization

/// Contexts that merge automatically, without keeping them alive.
final class FollowerList: Sendable {
    private let addresses = Mutex<[ContextAddress]>([])

    func add(_ context: NSManagedObjectContext) {
        let address = ContextAddress(context)
        addresses.withLock { if !$0.contains(address) { $0.append(address) } }
    }

    func remove(_ context: NSManagedObjectContext) {
        let address = ContextAddress(context)
        addresses.withLock { all in all.removeAll { $0 == address } }
    }

    var isEmpty: Bool { addresses.withLock { $0.isEmpty } }

    /// Returns whether a context but the saver follows.
    func holdsOthers(than saver: NSManagedObjectContext) -> Bool {
        let address = ContextAddress(saver)
        return addresses.withLock { $0.contains { $0 != address } }
    }

    /// Has each context but the saver merge the changes on its own queue, later. A context that dies or stops
    /// merging before its turn comes is left out.
    func deliver(_ changes: MergedChanges, from saver: NSManagedObjectContext) {
        let all = addresses.withLock { $0 }
        for address in all where address != ContextAddress(saver) {
            guard let confinement = context(address)?.confinement else { continue }
            confinement.async { [self] in
                // Another context may have got the memory of one that died, and has a queue of its own.
                guard let context = context(address), context.confinement === confinement,
                    context.merging.isAutomatic
                else { return }
                context.asCurrent { context.merge(changes) }
            }
        }
    }

    private func context(_ address: ContextAddress) -> NSManagedObjectContext? {
        addresses.withLock { $0.contains(address) ? address.retained() : nil }
    }
}
