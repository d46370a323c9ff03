// The contexts that want to know what is saved to a coordinator or into a parent context.

import CSwiftRuntime
import Foundation
import Synchronization

/// Contexts that merge automatically, without keeping them alive.
///
/// They are kept as addresses, which a context takes out when it dies: a weak reference would slow down every use
/// of the context from then on.
final class FollowerList: Sendable {
    private let addresses = Mutex<[UInt]>([])

    func add(_ context: NSManagedObjectContext) {
        let address = Self.address(of: context)
        addresses.withLock { if !$0.contains(address) { $0.append(address) } }
    }

    func remove(_ context: NSManagedObjectContext) {
        let address = Self.address(of: context)
        addresses.withLock { all in all.removeAll { $0 == address } }
    }

    /// Has each context but the saver merge the changes on its own queue, later. A context that dies or stops
    /// merging before its turn comes is left out.
    func deliver(_ changes: MergedChanges, from saver: NSManagedObjectContext) {
        let all = addresses.withLock { $0 }
        for address in all where address != Self.address(of: saver) {
            guard let context = context(address) else { continue }
            context.confinement.async { [self] in
                guard let context = self.context(address), context.mergesAutomatically else { return }
                context.asCurrent { context.merge(changes) }
            }
        }
    }

    /// The context at an address that is in the list, unless its destruction has begun. Memory isn't given back
    /// before the context left the list, under the lock.
    private func context(_ address: UInt) -> NSManagedObjectContext? {
        let alive = addresses.withLock { all -> UInt? in
            guard all.contains(address), let pointer = UnsafeMutableRawPointer(bitPattern: address),
                let retained = swift_tryRetain(pointer)
            else { return nil }
            return UInt(bitPattern: retained)
        }
        guard let alive, let pointer = UnsafeRawPointer(bitPattern: alive) else { return nil }
        return Unmanaged<NSManagedObjectContext>.fromOpaque(pointer).takeRetainedValue()
    }

    private static func address(of context: NSManagedObjectContext) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(context).toOpaque())
    }
}
