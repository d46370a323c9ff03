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
    private static let shortWait = Duration.seconds(1)
    private static let laterPause: useconds_t = 20_000

    private var start = ContinuousClock.now

    /// Pauses before the lock is asked for again; false once there was time enough.
    ///
    /// - Parameters:
    ///   - number: how often the lock was asked for again already.
    ///   - milliseconds: the time that may pass.
    mutating func pause(number: Int32, limit milliseconds: Int32) -> Bool {
        let now = ContinuousClock.now
        if number == 0 { start = now }
        let passed = now - start
        let left = Duration.milliseconds(Int(milliseconds)) - passed
        if left <= .zero { return false }
        let pause =
            passed < Self.shortWait
            ? min(Self.longestPause, useconds_t(250 * (number + 1))) : Self.laterPause
        usleep(min(pause, useconds_t(clamping: Int(left / .microseconds(1)) + 1)))
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
        lockTimeout = milliseconds
        defer { lockTimeout = timeout }
        try body()
    }
}
