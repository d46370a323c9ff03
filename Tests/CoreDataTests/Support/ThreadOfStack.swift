// Work on a thread with a stack of a size of its own.

import Foundation

/// Runs a body on a new thread and waits for it.
///
/// - Parameter stackSize: In bytes.
func onThread(stackSize: Int, _ body: @escaping () throws -> Void) throws {
    nonisolated(unsafe) let body = body
    nonisolated(unsafe) var result: Result<Void, any Error>?
    let done = NSCondition()
    let thread = Thread {
        let found = Result { try body() }
        done.withLock {
            result = found
            done.signal()
        }
    }
    thread.stackSize = stackSize
    thread.start()
    let found = done.withLock {
        while result == nil { done.wait() }
        return result
    }
    try found?.get()
}
