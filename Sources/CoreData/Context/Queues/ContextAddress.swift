// Addresses of contexts, for lists that don't keep them alive.

import CSwiftRuntime
import Foundation

/// The address of a context that stands in a list until it dies.
///
/// A weak reference would slow down every use of the context from then on. The list guards its addresses with a lock,
/// and a dying context takes itself out under that lock before its memory is given back.
struct ContextAddress: Hashable, Sendable {
    private let bits: UInt

    init(_ context: NSManagedObjectContext) {
        bits = UInt(bitPattern: Unmanaged.passUnretained(context).toOpaque())
    }

    /// The context, unless its destruction has begun. To be called under the list's lock, for an address that is in
    /// the list; to be released outside of it, because the last release takes the context out.
    func retained() -> NSManagedObjectContext? {
        guard let pointer = UnsafeMutableRawPointer(bitPattern: bits), let alive = swift_tryRetain(pointer)
        else { return nil }
        return Unmanaged<NSManagedObjectContext>.fromOpaque(alive).takeRetainedValue()
    }
}
