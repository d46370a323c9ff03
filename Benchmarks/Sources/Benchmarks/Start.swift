// `--start`: how long a small program (StartUp) takes from its start to its first objects, and what it holds then.

import Foundation

struct Start {
    let folder: URL
    let runs = 21

    func run() throws {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("StartUp")
        let store = Files.fresh(folder)
        defer { Files.remove(store) }
        _ = try output(of: program, [store.path, "--fill"])
        var (times, own, all): ([Double], [Int], [Int]) = ([], [], [])
        for _ in 0..<runs {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            let start = time.tv_sec * 1_000_000_000 + time.tv_nsec
            let numbers = try output(of: program, [store.path]).split(separator: " ").compactMap {
                Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            times.append(Double(numbers[0] - start) / 1e6)
            own.append(numbers[1])
            all.append(numbers[2])
        }
        print(
            String(
                format:
                    "start to first fetch: median %.1f ms, least %.1f ms of %d; memory: own %.1f MB, all %.1f MB",
                times.sorted()[runs / 2], times.min() ?? 0, runs, Double(own.sorted()[runs / 2]) / 1024,
                Double(all.sorted()[runs / 2]) / 1024))
    }

    private func output(of program: URL, _ arguments: [String]) throws -> String {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
