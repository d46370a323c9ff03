// The seeds of random runs, and the shortest run that fails like a longer one.

import CoreDataTestSupport
import Foundation
import Testing

/// Runs of which each has a seed.
enum GraphSeeds {
    /// The seed of the only run.
    private static let only = ProcessInfo.processInfo.environment["COREDATA_SEED"].flatMap { UInt64($0) }
    /// The first seed and the one after the last, if others are wanted than those of the gate: COREDATA_SEEDS=600-2000.
    private static let wanted = ProcessInfo.processInfo.environment["COREDATA_SEEDS"].flatMap { text in
        let ends = text.split(separator: "-").compactMap { UInt64($0) }
        return ends.count == 2 && ends[0] < ends[1] ? Array(ends[0]..<ends[1]) : nil
    }
    private static let steps = 40

    static func all(short: Int, long: Int) -> [UInt64] {
        only.map { [$0] } ?? wanted ?? Array(0..<UInt64(rounds(short, long: long)))
    }

    /// Expects a run to find nothing wrong. Prints the shortest run if it is the only one.
    static func expectSoundness(
        _ seed: UInt64, isKnown: Bool = false, _ make: (Set<Int>) throws -> RivalGraphRun
    ) throws {
        let run = try make([])
        try run.run(steps: steps)
        if isKnown, only == nil {
            // Sets have another order in each process, which some of the runs follow.
            return withKnownIssue(isIntermittent: true) { expect(run.faults, equals: [], "seed \(seed)") }
        }
        expect(run.faults, equals: [], "seed \(seed)")
        if only != nil, let fault = run.faults.first {
            print(try shortestRun(fault: fault, make).log.joined(separator: "\n"))
        }
    }

    /// The shortest run found that fails alike: steps are left out as long as it does.
    private static func shortestRun(
        fault: String, _ make: (Set<Int>) throws -> RivalGraphRun
    ) throws -> RivalGraphRun {
        var (skipped, best): (Set<Int>, RivalGraphRun?) = ([], nil)
        func fails(_ skipped: Set<Int>) throws -> RivalGraphRun? {
            let run = try make(skipped)
            try run.run(steps: steps)
            return run.faults.first?.prefix(12) == fault.prefix(12) ? run : nil
        }
        best = try fails(skipped)
        var size = 32
        while size > 0 {
            var isShorter = false
            for start in stride(from: 1, through: RivalGraphRun.stepCount(steps), by: size) {
                let more = skipped.union(start..<(start + size))
                guard more.count > skipped.count, let run = try fails(more) else { continue }
                (skipped, best, isShorter) = (more, run, true)
            }
            if !isShorter || size > 1 { size /= 2 }
        }
        return try #require(best)
    }
}
