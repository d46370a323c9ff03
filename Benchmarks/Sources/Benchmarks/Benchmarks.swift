// swift run -c release --package-path Benchmarks Benchmarks [--rounds N] [--json] [--workload W1] [--only CONTESTANT]

import Foundation

@main
struct Benchmarks {
    static func main() throws {
        let arguments = CommandLine.arguments
        func value(of option: String) -> String? {
            arguments.firstIndex(of: option).flatMap { position in
                arguments.indices.contains(position + 1) ? arguments[position + 1] : nil
            }
        }
        let rounds = max(1, value(of: "--rounds").flatMap(Int.init) ?? 15)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let workloads = try Suite.workloads(value(of: "--workload"), in: folder)
        let only = value(of: "--only")
        let outcomes = try workloads.flatMap { try $0.keeping(only).measure(rounds: rounds) }
        print(arguments.contains("--json") ? try Report.json(outcomes) : Report.table(outcomes))
    }
}
