// The seeds of random runs, and the shortest run that fails like a longer one.

import Foundation
public import SwiftData

/// Random runs over models, each with a seed.
public enum ModelRuns {
    private static let environment = ProcessInfo.processInfo.environment
    /// The seed of the only run.
    private static let only = environment["COREDATA_SEED"].flatMap { UInt64($0) }
    private static let rounds = 40

    /// The seeds to run.
    public static func seeds(short: Int, long: Int) -> [UInt64] {
        only.map { [$0] } ?? Array(0..<UInt64(environment["COREDATA_LONG_TESTS"] == "1" ? long : short))
    }

    /// Runs a seed with one context at a time, and returns what is wrong.
    public static func faults(_ seed: UInt64, _ configuration: () throws -> ModelConfiguration) throws
        -> [String]
    {
        try faults { try ModelRun(seed: seed, skipping: $0, configuration: try configuration()) }
    }

    /// Runs a seed with contexts that don't wait for each other, and returns what is wrong.
    public static func faultsOfRivals(
        _ seed: UInt64, _ configuration: () throws -> ModelConfiguration
    ) throws -> [String] {
        try faults { try RivalRun(seed: seed, skipping: $0, configuration: try configuration()) }
    }

    /// Prints the shortest run that fails alike if it is the only one.
    private static func faults(_ make: (Set<Int>) throws -> Run) throws -> [String] {
        func run(_ skipped: Set<Int>) throws -> Run {
            let run = try make(skipped)
            do { try run.run(rounds: rounds) } catch { run.fault("a step throws \(error)") }
            return run
        }
        let first = try run([])
        guard only != nil, let fault = first.faults.first else { return first.faults }
        var (skipped, best) = (Set<Int>(), first)
        var size = 16
        while size > 0 {
            var isShorter = false
            for start in stride(from: 1, through: best.stepCount, by: size) {
                let more = skipped.union(start..<(start + size))
                guard more.count > skipped.count else { continue }
                let shorter = try run(more)
                guard shorter.faults.first?.prefix(12) == fault.prefix(12) else { continue }
                (skipped, best, isShorter) = (more, shorter, true)
            }
            if !isShorter || size > 1 { size /= 2 }
        }
        print(best.log.joined(separator: "\n"))
        return best.faults
    }
}
