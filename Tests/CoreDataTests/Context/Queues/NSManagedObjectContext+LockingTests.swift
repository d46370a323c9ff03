// The lock of contexts from before they had queues.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct NSManagedObjectContextLockingTests {
    @Test func theLockKeepsOtherThreadsOut() {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        expect(taken(context), equals: true)
        locked(context) {
            // Once more on the thread that has it.
            #expect(context.tryLock())
            context.unlock()
            expect(taken(context), equals: false)
        }
        expect(taken(context), equals: true)
        expect((context as any NSLocking).withLock { 5 }, equals: 5)
    }

    private func locked(_ context: NSManagedObjectContext, body: () -> Void) {
        context.lock()
        defer { context.unlock() }
        body()
    }

    /// Returns whether a thread of its own gets the lock.
    private func taken(_ context: NSManagedObjectContext) -> Bool {
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var isTaken = false  // read after the thread's signal
        Thread.detachNewThread {
            isTaken = context.tryLock()
            if isTaken { context.unlock() }
            done.signal()
        }
        done.wait()
        return isTaken
    }
}
