// Which contexts' blocks run on a thread.

import Foundation

/// A block of a context that runs. The blocks that wait for each other form a chain, on the stacks of their threads.
struct HeldContext {
    unowned(unsafe) let context: NSManagedObjectContext
    /// The block that waits for this one, perhaps on another thread.
    let outer: UnsafePointer<HeldContext>?

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

    /// Whether a block of the context runs on this thread or waits for what runs on it.
    static func isHeld(_ confinement: ContextConfinement) -> Bool {
        var next = current
        while let held = next {
            if held.pointee.context.confinement === confinement { return true }
            next = held.pointee.outer
        }
        return false
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
        let held = HeldContext(context: self, outer: outer)
        return try withUnsafePointer(to: held) { pointer throws(Failure) in
            HeldContext.current = pointer
            defer { HeldContext.current = before }
            return try block()
        }
    }
}
