// Outcomes as a table for people or as JSON for scripts.

import Foundation

enum Report {
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
