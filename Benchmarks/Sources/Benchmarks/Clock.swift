// What a run costs: processor time of the whole process, and the most memory that it held.

import CRawSQLite
import Foundation

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

    /// By how many megabytes the process grows at most during a piece of work. What was freed before is given back first,
    /// so that it doesn't serve the work.
    static func growth(_ work: () throws -> Void) throws -> Double {
        malloc_trim(0)
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        let before = try statusMegabytes("VmRSS")
        try work()
        return try statusMegabytes("VmHWM") - before
    }

    private static func statusMegabytes(_ field: String) throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first).flatMap { Double($0) }.map {
            $0 / 1024
        } ?? 0
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
