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
        let rounds = value(of: "--rounds").flatMap(Int.init)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (wanted, only) = (value(of: "--workload"), value(of: "--only"))
        let all = [
            try FetchIntegers.workload(in: folder),
            LookUps.workload(
                raw: folder.appendingPathComponent("raw.sqlite"),
                store: folder.appendingPathComponent("Items.sqlite")),
            try InsertIntegers.workload(in: folder),
            try LargeResults.workload(in: folder),
        ]
        let workloads = (all + (try Accessors.workloads(in: folder)))
            .filter { wanted == nil || $0.name.hasPrefix(wanted ?? "") }.map { $0.keeping(only) }
        let outcomes = try workloads.flatMap { try $0.measure(rounds: max(1, rounds ?? 15)) }
        print(arguments.contains("--json") ? try Report.json(outcomes) : Report.table(outcomes))
    }
}
