// Looking at the main thread, where the kernel shows threads as files.

import Foundation

extension ThreadSample {
    /// `nil` where the kernel has no such files.
    package static func ofMainThread() -> ThreadSample? {
        #if os(Linux)
            let folder = "/proc/self/task/\(ProcessInfo.processInfo.processIdentifier)/"
            guard let machine = SystemCalls.current, let stat = read(folder + "stat"),
                let status = read(folder + "status")
            else { return nil }
            return ThreadSample(
                stat: stat, status: status, call: read(folder + "syscall"), machine: machine)
        #else
            return nil
        #endif
    }

    private static func read(_ path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        return (try? file.readToEnd()).flatMap { String(bytes: $0, encoding: .utf8) }
    }
}
