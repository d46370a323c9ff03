// Control-C as something to wait for.

import Foundation

/// The end of a pipe that the signals' handler writes to. The handler may neither take a lock nor make an object.
private nonisolated(unsafe) var writing: Int32 = -1

/// Takes SIGINT and SIGTERM over from the system, which would end the process on the spot.
///
/// The handler writes a byte, a thread of its own reads it: a signal is heard whichever thread it comes to, and however busy
/// the others are.
struct Interrupts {
    let signals: AsyncStream<Void>

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0,
            fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0, fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0
        else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        writing = ends[1]
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        signals = stream
        let reading = ends[0]
        Thread.detachNewThread { Self.read(reading, telling: continuation) }
        for number in [SIGINT, SIGTERM] {
            signal(number) { _ in
                let before = errno
                var byte: UInt8 = 0
                // A pipe that is full has told enough.
                _ = write(writing, &byte, 1)
                errno = before
            }
        }
    }

    private static func read(_ end: Int32, telling continuation: AsyncStream<Void>.Continuation) {
        var byte: UInt8 = 0
        while true {
            let count = Foundation.read(end, &byte, 1)
            if count == 1 { continuation.yield() } else if count == 0 || errno != EINTR { break }
        }
        continuation.finish()
    }
}
