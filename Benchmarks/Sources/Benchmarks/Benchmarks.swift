// swift run -c release --package-path Benchmarks Benchmarks [OPTION…]: see `Scripts/bench`.
//
//   --workload W1        only workloads whose names begin so; may be given more than once
//   --only CONTESTANT    of each workload the first contestant and those whose names contain this
//   --rounds N           15 unless given
//   --json, --markdown   instead of a table for the terminal
//   --memory             what objects take of memory, instead of workloads
//   --size               what millions of rows take (Size/Size.swift)
//   --contention         latency of saves and fetches beside others (Contention.swift)
//   --start              a small program's start, and its memory (Start.swift)
//   --short --count      one run of the framework's contestants with a twentieth of the rows, nothing measured

import Foundation

@main
struct Benchmarks {
    static func main() throws {
        if let place = CommandLine.arguments.firstIndex(of: "--contention-of") {
            return try Contention.runChild(Array(CommandLine.arguments[(place + 1)...]))
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        if has("--memory") { return print(Report.table(try Memory.measure(in: folder))) }
        if has("--size") {
            let count = values(of: "--objects").last.flatMap(Int.init) ?? 5_000_000
            return try SizeRun(folder: folder, count: count).run(values(of: "--only").last)
        }
        if has("--start") { return try Start(folder: folder).run() }
        if has("--contention") {
            let seconds = values(of: "--seconds").last.flatMap(Double.init) ?? 10
            return try Contention(folder: folder, seconds: seconds).run()
        }
        let wanted = values(of: "--workload")
        let workloads = try (wanted.isEmpty ? [nil] : wanted.map(Optional.some)).flatMap {
            try Suite.workloads($0, in: folder)
        }
        if has("--count") {
            for workload in workloads { try workload.runOnce("CoreData") }
            return
        }
        let rounds = max(1, values(of: "--rounds").last.flatMap(Int.init) ?? 15)
        let only = values(of: "--only").last
        let outcomes = try workloads.flatMap { try $0.keeping(only).measure(rounds: rounds) }
        if has("--json") { return print(try Report.json(outcomes)) }
        print(has("--markdown") ? Report.markdown(outcomes) : Report.table(outcomes))
    }

    private static func has(_ option: String) -> Bool { CommandLine.arguments.contains(option) }

    /// Returns the value after each mention of an option.
    private static func values(of option: String) -> [String] {
        zip(CommandLine.arguments, CommandLine.arguments.dropFirst()).filter { $0.0 == option }.map(\.1)
    }
}
