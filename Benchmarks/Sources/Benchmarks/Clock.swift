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

    /// Processor time of a piece of work. Kept as one function, between whose beginning and end instructions are counted
    /// (`Scripts/count-instructions`).
    @inline(never)
    @_optimize(none)
    static func measure(_ work: () throws -> Void) rethrows -> Double {
        let start = processorTime()
        try work()
        return processorTime() - start
    }
}
