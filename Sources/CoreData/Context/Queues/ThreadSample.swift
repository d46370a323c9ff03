// The state of a thread, as the kernel tells it.

/// A look at a thread. Two equal ones: the thread hasn't run in between.
package struct ThreadSample: Equatable {
    /// The event that a sleeping thread waits for.
    package enum Wait: Equatable {
        /// Another thread, without a limit.
        case lock
        /// Files, sockets or processes, without a limit.
        case event
        /// Some time, standard input, or it isn't asleep.
        case limited
        /// The kernel doesn't say.
        case unknown

        /// By how much the time is to be multiplied after which such a wait is taken for one that never ends.
        var timeout: Int? {
            switch self {
            case .lock: 1
            case .event, .unknown: 6
            case .limited: nil
            }
        }
    }

    package let wait: Wait
    /// Processor time in ticks.
    package let time: UInt64
    /// The number of times that the thread went to sleep.
    package let sleeps: UInt64

    /// From the files `stat`, `status` and `syscall` of a thread in `/proc`. `nil` if they aren't such files.
    package init?(stat: String, status: String, call: String?, machine: SystemCalls) {
        // The name, in parentheses, may hold anything.
        guard let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        guard fields.count > 12, let user = UInt64(fields[11]), let system = UInt64(fields[12]) else {
            return nil
        }
        let (time, overflow) = user.addingReportingOverflow(system)
        let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
        guard !overflow, let sleeps = line?.split(whereSeparator: \.isWhitespace).last.flatMap({ UInt64($0) })
        else { return nil }
        self.time = time
        self.sleeps = sleeps
        wait = fields[0] == "S" ? machine.wait(call) : .limited
    }
}

/// Numbers of the system calls that threads wait in, with where a limit stands among their arguments.
package struct SystemCalls {
    let read: Int
    let futex: Int
    let epoll: [Int]
    let poll: Int?
    let ppoll: Int
    let select: [Int]
    let sleep: [Int]

    package static let x86 = SystemCalls(
        read: 0, futex: 202, epoll: [232, 281], poll: 7, ppoll: 271, select: [23, 270], sleep: [35, 230])
    package static let arm = SystemCalls(
        read: 63, futex: 98, epoll: [22], poll: nil, ppoll: 73, select: [72], sleep: [101, 115])

    /// The machine's; `nil` where they aren't known.
    static var current: SystemCalls? {
        #if arch(x86_64)
            x86
        #elseif arch(arm64)
            arm
        #else
            nil
        #endif
    }

    /// Returns the wait of a thread with this `syscall` file: number and arguments of the call.
    package func wait(_ call: String?) -> ThreadSample.Wait {
        guard let words = call?.split(whereSeparator: \.isWhitespace), let first = words.first else {
            return .unknown
        }
        guard let number = Int(first) else { return .limited }  // "running"
        let arguments = words.dropFirst().map { UInt64($0.dropFirst(2), radix: 16) ?? 0 }
        func argument(_ place: Int) -> UInt64 { arguments.indices.contains(place) ? arguments[place] : 0 }
        func milliseconds(_ place: Int) -> ThreadSample.Wait {
            Int32(truncatingIfNeeded: argument(place)) < 0 ? .event : .limited
        }
        switch number {
        case futex: return argument(3) == 0 ? .lock : .limited
        case read: return argument(0) == 0 ? .limited : .event
        case ppoll: return argument(2) == 0 ? .event : .limited
        case poll: return milliseconds(2)
        case _ where epoll.contains(number): return milliseconds(3)
        case _ where select.contains(number): return argument(4) == 0 ? .event : .limited
        case _ where sleep.contains(number): return .limited
        default: return .event
        }
    }
}
