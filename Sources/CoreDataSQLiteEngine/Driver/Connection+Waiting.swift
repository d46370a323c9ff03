// Waiting for the locks of other connections.

import CSQLite
import Foundation

/// A wait for somebody's lock, from the first refusal on.
///
/// SQLite's own handler asks less and less often, in the end ten times a second, so that the connection that has waited longest
/// sees a free lock last. Here all ask alike, which halves the longest waits of several processes
/// (Docs/Decisions/0102-waiting-for-locks.md). A question takes a few microseconds.
struct LockWait {
    private static let longestPause: useconds_t = 2_000
    /// A lock that is kept for longer than this may be missed for a longer pause.
    private static let shortWait: UInt64 = 1_000_000_000
    private static let laterPause: useconds_t = 20_000

    /// In nanoseconds, of a clock that goes on evenly.
    private var start: UInt64 = 0

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Pauses before the lock is asked for again; false once there was time enough.
    ///
    /// - Parameters:
    ///   - number: how often the lock was asked for again already.
    ///   - milliseconds: the time that may pass.
    mutating func pause(number: Int32, limit milliseconds: Int32) -> Bool {
        let now = Self.now
        if number == 0 { start = now }
        let passed = now - start
        let limit = UInt64(max(0, milliseconds)) * 1_000_000
        if passed >= limit { return false }
        let pause =
            passed < Self.shortWait
            ? min(Self.longestPause, useconds_t(250 * (number + 1))) : Self.laterPause
        usleep(min(pause, useconds_t(clamping: (limit - passed) / 1000 + 1)))
        return true
    }
}

extension Connection {
    /// Has statements wait for the locks of others.
    ///
    /// - Parameter milliseconds: the time after which they fail (`.busy`); 0 for at once.
    func waitForLocks(milliseconds: Int32) {
        lockTimeout = milliseconds
        let ask: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = { context, number in
            guard let context else { return 0 }
            let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
            return connection.lockWait.pause(number: number, limit: connection.lockTimeout) ? 1 : 0
        }
        sqlite3_busy_handler(handle, ask, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Runs the closure so that a lock of somebody else's fails at once.
    func withoutWaiting(_ body: () throws -> Void) throws {
        try waiting(milliseconds: 0, body)
    }

    func waiting(milliseconds: Int32, _ body: () throws -> Void) throws {
        let timeout = lockTimeout
        waitForLocks(milliseconds: milliseconds)
        defer { waitForLocks(milliseconds: timeout) }
        try body()
    }
}
