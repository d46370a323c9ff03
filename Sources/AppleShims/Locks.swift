// Locks of Apple's systems over those of the platform.

import CoreDataSupport
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A lock that one thread at a time holds. Initialise it once and don't copy it.
// swift-format-ignore
public struct os_unfair_lock: @unchecked Sendable {
    fileprivate let state = UnfairState()

    /// A lock that nobody holds.
    public init() {}
}

// swift-format-ignore
/// The lock by its name in C.
public typealias os_unfair_lock_s = os_unfair_lock
// swift-format-ignore
/// A pointer to a lock, as C's functions take it.
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock>

// swift-format-ignore
/// Waits until nobody else holds the lock, and takes it.
public func os_unfair_lock_lock(_ lock: UnsafeMutablePointer<os_unfair_lock>) {
    lock.pointee.state.lock()
}

// swift-format-ignore
/// Takes the lock unless it is held.
///
/// - Returns: whether it was taken.
public func os_unfair_lock_trylock(_ lock: UnsafeMutablePointer<os_unfair_lock>) -> Bool {
    lock.pointee.state.tryLock()
}

// swift-format-ignore
/// Gives the lock back.
public func os_unfair_lock_unlock(_ lock: UnsafeMutablePointer<os_unfair_lock>) {
    lock.pointee.state.unlock()
}

/// Ends the process unless the calling thread holds the lock.
// swift-format-ignore
public func os_unfair_lock_assert_owner(_ lock: UnsafePointer<os_unfair_lock>) {
    // As on Apple\'s systems, where it ends the process too.
    if !lock.pointee.state.isOwned { raise(.internalInconsistency, "the calling thread doesn't hold the lock") }
}

/// Ends the process if the calling thread holds the lock.
// swift-format-ignore
public func os_unfair_lock_assert_not_owner(_ lock: UnsafePointer<os_unfair_lock>) {
    // As on Apple\'s systems, where it ends the process too.
    if lock.pointee.state.isOwned { raise(.internalInconsistency, "the calling thread holds the lock") }
}

/// The platform's lock, which checks who unlocks it.
private final class UnfairState: @unchecked Sendable {  // the system's lock guards itself
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let owner = Atomic<UInt>(0)

    init() {
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    private static var current: UInt { UInt(bitPattern: ObjectIdentifier(Thread.current).hashValue) }

    var isOwned: Bool { owner.load(ordering: .relaxed) == Self.current }

    func lock() {
        let result = pthread_mutex_lock(mutex)
        // As on Apple\'s systems, where it ends the process too.
        if result != 0 { raise(.internalInconsistency, "the calling thread holds the lock already") }
        owner.store(Self.current, ordering: .relaxed)
    }

    func tryLock() -> Bool {
        guard pthread_mutex_trylock(mutex) == 0 else { return false }
        owner.store(Self.current, ordering: .relaxed)
        return true
    }

    func unlock() {
        // As on Apple\'s systems, where it ends the process too.
        if !isOwned { raise(.internalInconsistency, "the calling thread doesn't hold the lock") }
        owner.store(0, ordering: .relaxed)
        pthread_mutex_unlock(mutex)
    }
}

/// A lock with the state that it guards.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    private final class Guarded {
        let lock = UnfairState()
        var state: State

        init(_ state: State) {
            self.state = state
        }
    }

    private let guarded: Guarded

    /// A lock with a state, which nobody holds.
    public init(uncheckedState initialState: State) {
        guarded = Guarded(initialState)
    }

    /// A lock with a state, which nobody holds.
    public init(initialState: State) where State: Sendable {
        guarded = Guarded(initialState)
    }

    /// Runs `body` with the state while nobody else holds the lock.
    ///
    /// - Returns: what `body` returns.
    public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        guarded.lock.lock()
        defer { guarded.lock.unlock() }
        return try body(&guarded.state)
    }

    /// Runs `body` with the state while nobody else holds the lock.
    ///
    /// - Returns: what `body` returns.
    public func withLock<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
    ) rethrows -> Result {
        try withLockUnchecked(body)
    }

    /// Runs `body` unless somebody else holds the lock.
    ///
    /// - Returns: what `body` returns; nil if somebody held the lock.
    public func withLockIfAvailableUnchecked<Result>(
        _ body: (inout State) throws -> Result
    ) rethrows -> Result? {
        guard guarded.lock.tryLock() else { return nil }
        defer { guarded.lock.unlock() }
        return try body(&guarded.state)
    }

    /// Runs `body` unless somebody else holds the lock.
    ///
    /// - Returns: what `body` returns; nil if somebody held the lock.
    public func withLockIfAvailable<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
    ) rethrows -> Result? {
        try withLockIfAvailableUnchecked(body)
    }
}

extension OSAllocatedUnfairLock where State == Void {
    /// A lock without a state, which nobody holds.
    public init() {
        self.init(uncheckedState: ())
    }

    /// Waits until nobody else holds it, and takes it.
    public func lock() { guarded.lock.lock() }
    /// Gives the lock back, on the thread that took it.
    public func unlock() { guarded.lock.unlock() }
    /// Takes the lock unless it is held.
    ///
    /// - Returns: whether it was taken.
    public func lockIfAvailable() -> Bool { guarded.lock.tryLock() }

    /// Runs `body` while nobody else holds the lock.
    ///
    /// - Returns: what `body` returns.
    public func withLock<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
        try withLockUnchecked { _ in try body() }
    }
}

/// Holds a lock of the object until `objc_sync_exit`. A thread may hold it several times.
///
/// - Returns: 0.
@discardableResult
// swift-format-ignore
public func objc_sync_enter(_ object: AnyObject) -> Int32 {
    ObjectLocks.shared.enter(object)
    return 0
}

/// Gives the object's lock back.
///
/// - Returns: 0, or -1 if the calling thread doesn't hold it.
@discardableResult
// swift-format-ignore
public func objc_sync_exit(_ object: AnyObject) -> Int32 {
    ObjectLocks.shared.exit(object) ? 0 : -1
}

private final class ObjectLocks: Sendable {
    static let shared = ObjectLocks()

    private final class Entry: @unchecked Sendable {  // counts are guarded by the table's mutex
        let lock = NSRecursiveLock()
        var users = 0
    }

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    func enter(_ object: AnyObject) {
        let entry = entries.withLock { entries in
            let entry = entries[ObjectIdentifier(object)] ?? Entry()
            entry.users += 1
            entries[ObjectIdentifier(object)] = entry
            return entry
        }
        entry.lock.lock()
    }

    func exit(_ object: AnyObject) -> Bool {
        let entry = entries.withLock { entries -> Entry? in
            guard let entry = entries[ObjectIdentifier(object)] else { return nil }
            entry.users -= 1
            if entry.users == 0 { entries[ObjectIdentifier(object)] = nil }
            return entry
        }
        entry?.lock.unlock()
        return entry != nil
    }
}
