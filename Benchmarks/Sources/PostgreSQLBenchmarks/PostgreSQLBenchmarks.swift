// swift run -c release --package-path Benchmarks PostgreSQLBenchmarks [ROUNDS]: the framework beside plain libpq, on a server
// of its own. Ratios are taken round by round; both do the same work on the same tables.

import CoreData
import CoreDataPostgreSQL
import Foundation

@main
struct PostgreSQLBenchmarks {
    static let rowCount = 100_000
    static let names = (0..<10).map { "i\($0)" }
    static let queries = 1000
    static let lookUps = 10_000

    static func main() throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 7
        let bench = try Bench(PostgreSQLServer.shared())
        print(
            "| work | CPU ms, libpq | CPU ms, CoreData | ratio | wall ms, libpq | wall ms, CoreData | ratio |"
        )
        print("| --- | --- | --- | --- | --- | --- | --- |")
        for work in try bench.works() {
            var (raw, own): ([Times], [Times]) = ([], [])
            for round in 0...rounds {
                let (first, second) = (try Times.measure(work.raw), try Times.measure(work.framework))
                if first.checksum != second.checksum { throw RawPostgreSQL.Failure(message: "checksums") }
                // The first round warms up.
                if round > 0 {
                    raw.append(first.times)
                    own.append(second.times)
                }
            }
            print(row(work.name, raw, own))
        }
    }

    private static func row(_ name: String, _ raw: [Times], _ own: [Times]) -> String {
        func part(_ value: (Times) -> Double) -> [String] {
            let ratio = median(zip(own, raw).map { value($0) / value($1) })
            return [median(raw.map(value)), median(own.map(value))].map { String(format: "%.0f", $0) }
                + [String(format: "%.2f", ratio)]
        }
        return "| " + ([name] + part(\.processor) + part(\.wall)).joined(separator: " | ") + " |"
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// Milliseconds of this process's processor time, and of the clock.
struct Times {
    let processor: Double
    let wall: Double

    /// - Parameter work: prepares, and returns the work to measure.
    static func measure(_ work: () throws -> () throws -> Int64) throws -> (times: Times, checksum: Int64) {
        let work = try work()
        let (start, begin) = (processorTime(), ContinuousClock.now)
        let checksum = try work()
        let passed = begin.duration(to: .now).components
        let wall = Double(passed.seconds) * 1000 + Double(passed.attoseconds) * 1e-15
        return (Times(processor: processorTime() - start, wall: wall), checksum)
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }
}
