import AppleShims
import CoreDataTestSupport
import Foundation
import Testing

struct LocksTests {
    @Test func oneThreadAtATimeHoldsTheLock() async {
        let counter = OSAllocatedUnfairLock(initialState: 0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1000 { counter.withLock { $0 += 1 } } }
            }
        }
        expect(counter.withLock { $0 }, equals: 8000)
        let busy = counter.withLockUnchecked { _ in counter.withLockIfAvailable { $0 } }
        #expect(busy == nil && counter.withLockIfAvailable { $0 } == 8000)
    }

    @Test func theLockKnowsItsOwner() async {
        let lock = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)
        lock.initialize(to: os_unfair_lock())
        defer {
            lock.deinitialize(count: 1)
            lock.deallocate()
        }
        os_unfair_lock_lock(lock)
        os_unfair_lock_assert_owner(lock)
        #expect(!os_unfair_lock_trylock(lock))
        os_unfair_lock_unlock(lock)
        os_unfair_lock_assert_not_owner(lock)
        #expect(os_unfair_lock_trylock(lock))
        os_unfair_lock_unlock(lock)
        await #expect(processExitsWith: .failure) {
            var lock = os_unfair_lock()
            os_unfair_lock_unlock(&lock)
        }
    }

    @Test func locksOfObjectsCount() {
        let object = NSObject()
        #expect(objc_sync_enter(object) == 0 && objc_sync_enter(object) == 0)
        #expect(objc_sync_exit(object) == 0 && objc_sync_exit(object) == 0)
        expect(objc_sync_exit(object), equals: -1)
        let plain = OSAllocatedUnfairLock()
        plain.lock()
        #expect(!plain.lockIfAvailable())
        plain.unlock()
        expect(plain.withLock { 3 }, equals: 3)
    }
}
