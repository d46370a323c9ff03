// The contexts whose blocks run on a thread.

import Foundation

/// A block of a context that runs. The blocks that wait for each other form a chain, on the stacks of their threads.
struct HeldContext {
    /// Sound because the block lies on the stack of a function of the context, whose caller holds it; WaitingContextsTests
    /// watch chains of blocks.
    unowned(unsafe) let context: NSManagedObjectContext
    /// The block that waits for this one, perhaps on another thread.
    let outer: UnsafePointer<HeldContext>?
    /// The block whose thread runs this one while it waits for something else.
    let server: UnsafePointer<HeldContext>?

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The block that runs on this thread, the innermost one.
    static var current: UnsafePointer<HeldContext>? {
        get { UnsafePointer(pthread_getspecific(key)?.assumingMemoryBound(to: HeldContext.self)) }
        set { pthread_setspecific(key, newValue) }
    }

    /// Returns whether a block on a queue runs on this thread or waits for one that does.
    static func isHeld(_ place: ObjectIdentifier) -> Bool { isHeld(place, from: current) }

    private static func isHeld(_ place: ObjectIdentifier, from block: UnsafePointer<HeldContext>?) -> Bool {
        var next = block
        while let held = next {
            if held.pointee.context.confinement.place == place { return true }
            if let server = held.pointee.server, isHeld(place, from: server) { return true }
            next = held.pointee.outer
        }
        return false
    }

    /// The queues of the blocks that run on this thread or wait for what runs on it.
    static var places: [ObjectIdentifier] {
        var places: [ObjectIdentifier] = []
        collect(&places, from: current)
        return places
    }

    private static func collect(
        _ places: inout [ObjectIdentifier], from block: UnsafePointer<HeldContext>?
    ) {
        var next = block
        while let held = next {
            let place = held.pointee.context.confinement.place
            if !places.contains(place) { places.append(place) }
            collect(&places, from: held.pointee.server)
            next = held.pointee.outer
        }
    }
}

extension NSManagedObjectContext {
    /// The context whose block runs on this thread, the innermost one.
    static var current: NSManagedObjectContext? { HeldContext.current?.pointee.context }

    /// Runs a block as this context's, for which `outer` waits.
    @inline(__always)
    final func asCurrent<Result, Failure: Error>(
        outer: UnsafePointer<HeldContext>? = nil, _ block: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let before = HeldContext.current
        let held = HeldContext(context: self, outer: outer, server: before == outer ? nil : before)
        return try withUnsafePointer(to: held) { pointer throws(Failure) in
            HeldContext.current = pointer
            defer {
                HeldContext.current = before
                if hasLookedUp { endLookUps() }
            }
            return try block()
        }
    }
}
