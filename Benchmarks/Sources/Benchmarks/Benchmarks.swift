// swift run -c release --package-path Benchmarks Benchmarks [--rounds N] [--json] [--only NAME]

import Foundation

@main
struct Benchmarks {
    static func main() throws {
        let arguments = CommandLine.arguments
        let rounds = arguments.firstIndex(of: "--rounds").flatMap { position in
            arguments.indices.contains(position + 1) ? Int(arguments[position + 1]) : nil
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let only = arguments.firstIndex(of: "--only").flatMap { position in
            arguments.indices.contains(position + 1) ? arguments[position + 1] : nil
        }
        let workloads = [
            try FetchIntegers.workload(in: folder),
            LookUps.workload(
                raw: folder.appendingPathComponent("raw.sqlite"),
                store: folder.appendingPathComponent("Items.sqlite")),
            try InsertIntegers.workload(in: folder),
            try LargeResults.workload(in: folder),
        ].map { $0.keeping(only) }
        let outcomes = try workloads.flatMap { try $0.measure(rounds: max(1, rounds ?? 15)) }
        print(arguments.contains("--json") ? try Report.json(outcomes) : Report.table(outcomes))
    }
}
