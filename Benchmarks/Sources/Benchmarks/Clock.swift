// The costs of a run: processor time of the whole process, and the most memory that it held.

import CRawSQLite
import Dispatch
import Foundation
import Synchronization

enum Clock {
    /// Milliseconds of processor time, all threads together.
    static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }

    /// Most memory that the process has held so far, in megabytes.
    static func peakMemory() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_maxrss) / 1024
    }

    /// By how many megabytes the process grows at most during a piece of work: memory of its own, and all that it sees,
    /// pages of mapped files included, which the system has anyway. Memory that was freed before is given
    /// back first, so that it doesn't serve the work.
    static func growth(_ work: () throws -> Void) throws -> (own: Double, all: Double) {
        malloc_trim(0)
        let before = memory()
        let peak = PeakMemory()
        try work()
        let after = peak.stop()
        return (after.own - before.own, after.all - before.all)
    }

    /// Megabytes that the process has in memory.
    fileprivate static func memory() -> (own: Double, all: Double) {
        guard let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
            return (0, 0)
        }
        let pages = statm.split(separator: " ").prefix(3).compactMap { Double($0) }
        guard pages.count == 3 else { return (0, 0) }
        let megabytes = Double(getpagesize()) / 1_048_576
        return ((pages[1] - pages[2]) * megabytes, pages[1] * megabytes)
    }

    /// Processor time of a piece of work.
    static func measure<Failure: Error>(_ work: () throws(Failure) -> Void) throws(Failure) -> Double {
        var failure: Failure?
        func run() {
            do throws(Failure) { try work() } catch { failure = error }
        }
        let start = processorTime()
        withoutActuallyEscaping(run) { run in
            withUnsafePointer(to: CountedWork(run: run)) { countedWork(UnsafeRawPointer($0)) }
        }
        let time = processorTime() - start
        if let failure { throw failure }
        return time
    }
}

/// Looks at the memory of the process a thousand times a second and remembers the most.
private final class PeakMemory: Sendable {
    private struct Seen {
        var own = 0.0
        var all = 0.0
        var isOver = false
    }

    private let seen = Mutex(Seen())
    private let ended = DispatchSemaphore(value: 0)

    init() {
        Thread.detachNewThread { [self] in
            while look() { usleep(1_000) }
            ended.signal()
        }
    }

    private func look() -> Bool {
        let now = Clock.memory()
        return seen.withLock { seen in
            (seen.own, seen.all) = (max(seen.own, now.own), max(seen.all, now.all))
            return !seen.isOver
        }
    }

    func stop() -> (own: Double, all: Double) {
        seen.withLock { $0.isOver = true }
        ended.wait()
        return seen.withLock { ($0.own, $0.all) }
    }
}

private struct CountedWork {
    let run: () -> Void
}

/// Does a piece of work. One function that nothing is inlined into and no other is made of: instructions are counted
/// between its beginning and its end (`Scripts/count-instructions`).
@inline(never)
@_optimize(none)
private func countedWork(_ work: UnsafeRawPointer) {
    work.assumingMemoryBound(to: CountedWork.self).pointee.run()
}
