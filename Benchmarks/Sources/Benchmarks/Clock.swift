// What a run costs: processor time of the whole process, and the most memory that it held.

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

    /// Processor time of a piece of work.
    static func measure(_ work: () throws -> Void) rethrows -> Double {
        let start = processorTime()
        try work()
        return processorTime() - start
    }
}
