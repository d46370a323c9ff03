// The coordinator's lock and queue.

import CoreData
import CoreDataTestSupport
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite struct CoordinatorConcurrencyTests {
    private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())

    /// Returns whether another thread gets the lock at once.
    private func isFreeElsewhere() -> Bool {
        let isFree = Mutex(false)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [coordinator] in
            if coordinator.tryLock() {
                isFree.withLock { $0 = true }
                coordinator.unlock()
            }
            done.signal()
        }
        done.wait()
        return isFree.withLock { $0 }
    }

    @Test func theLockKeepsOthersOutAndMayBeTakenAgain() {
        #expect(isFreeElsewhere())
        coordinator.lock()
        #expect(coordinator.tryLock() && !isFreeElsewhere())
        coordinator.unlock()
        #expect(!isFreeElsewhere())
        coordinator.unlock()
        #expect(isFreeElsewhere())
    }

    @Test func performAndWaitHoldsTheLockOnThisThread() {
        var count = 0
        let thread = Thread.current
        coordinator.performAndWait {
            #expect(Thread.current == thread && !isFreeElsewhere())
            coordinator.performAndWait { count += 1 }
        }
        #expect(count == 1 && isFreeElsewhere())
    }

    @Test func performRunsInOrderHoldingTheLock() {
        let done = DispatchSemaphore(value: 0)
        let seen = Mutex<[Int]>([])
        coordinator.lock()
        for number in 0..<10 {
            coordinator.perform {
                let held = !isFreeElsewhere()
                seen.withLock { $0.append(held ? number : -1) }
                if number == 9 { done.signal() }
            }
        }
        #expect(seen.withLock { $0.isEmpty })
        coordinator.unlock()
        done.wait()
        expect(seen.withLock { $0 }, equals: Array(0..<10))
    }
}
