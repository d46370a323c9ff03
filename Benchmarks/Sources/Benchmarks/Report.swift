// Outcomes as a table for people or as JSON for scripts.

import Foundation

enum Report {
    /// Ratios to plain SQLite: what is aimed at, and the least to reach.
    private static let goals: [String: (goal: Double, least: Double)] = [
        "W1": (1.4, 1.5), "W2": (1.6, 1.8), "W3": (1.1, 1.3), "W4": (1.05, 1.1), "W5a": (2.2, 2.6),
        "W5b": (3, 3.8),
        "W6": (1.6, 1.8), "W6s": (2.5, 3.1), "W7": (1.4, 1.6), "W8": (1.6, 2.2), "W9": (1.6, 2),
    ]

    /// A row for each workload, with the goals.
    static func markdown(_ outcomes: [Outcome]) -> String {
        var lines = [
            "| workload | contestant | CPU ms | ratio | goal | at least |",
            "| --- | --- | --- | --- | --- | --- |",
        ]
        for outcome in outcomes {
            let name = outcome.workload.prefix { $0 != " " }
            let aims = outcome.contestant == "CoreData, typed" ? goals[String(name)] : nil
            let cells = [
                outcome.workload, outcome.contestant, String(format: "%.1f", outcome.milliseconds),
                String(format: "%.2f", outcome.ratio), aims.map { "\($0.goal)" } ?? "",
                aims.map { "\($0.least)" } ?? "",
            ]
            lines.append("| " + cells.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n")
    }

    static func table(_ cases: [MemoryCase]) -> String {
        cases.map {
            "\($0.name): \(String(format: "%.1f", $0.bytes)) \($0.unit), at most \(String(format: "%.0f", $0.limit))"
        }.joined(separator: "\n")
    }

    static func table(_ outcomes: [Outcome]) -> String {
        let head = ["workload", "contestant", "CPU ms", "ratio", "peak MB"]
        let rows = outcomes.map {
            [
                $0.workload, $0.contestant, String(format: "%.1f", $0.milliseconds),
                String(format: "%.2f", $0.ratio), String(format: "%.0f", $0.peakMegabytes),
            ]
        }
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        return ([head] + rows).map { row in
            row.indices.map { row[$0].padding(toLength: widths[$0], withPad: " ", startingAt: 0) }
                .joined(separator: "  ")
        }.joined(separator: "\n")
    }

    static func json(_ outcomes: [Outcome]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(outcomes), as: UTF8.self)
    }
}
