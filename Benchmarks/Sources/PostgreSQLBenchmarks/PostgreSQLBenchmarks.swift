// swift run -c release --package-path Benchmarks PostgreSQLBenchmarks [ROUNDS] [WORK]: the framework beside plain libpq and, where
// it is installed, SQLAlchemy, on a server of its own. Ratios are taken round by round; all do the same work on the same tables.

import CRawPostgreSQL
import CoreData
import CoreDataPostgreSQL
import Foundation

@main
struct PostgreSQLBenchmarks {
    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count > 2, arguments[1] == Writers.argument { return try Writers.run(arguments[2...]) }
        let rounds = arguments.dropFirst().first.flatMap(Int.init) ?? 7
        let chosen = arguments.dropFirst(2).first
        let server = try PostgreSQLServer.shared()
        let bench = try Bench(server)
        let mapper = Mapper.installed(server.address())
        print(
            "| work | CPU ms, libpq | CPU ms, CoreData | ratio | wall ms, libpq | wall ms, CoreData | ratio | growth MB, libpq | "
                + "growth MB, CoreData | CPU ms, SQLAlchemy | wall ms, SQLAlchemy |")
        print("|" + String(repeating: " --- |", count: 11))
        for work in try bench.works() where chosen == nil || chosen == work.key {
            print(try measure(work, rounds, mapper))
        }
        if chosen == nil || chosen == "processes" { try Writers.measure(server.address()) }
    }

    private static func measure(_ work: Work, _ rounds: Int, _ mapper: Mapper?) throws -> String {
        var (raw, own): ([Costs], [Costs]) = ([], [])
        for round in 0...rounds {
            let (first, second) = (try Costs.measure(work.raw), try Costs.measure(work.framework))
            if first.checksum != second.checksum { throw RawPostgreSQL.Failure(message: "checksums") }
            // The first round warms up.
            if round > 0 || rounds == 0 {
                raw.append(first.costs)
                own.append(second.costs)
            }
        }
        return row(work.name, raw, own, try mapper?.measure(work.key, rounds: max(1, rounds / 2)))
    }

    private static func row(_ name: String, _ raw: [Costs], _ own: [Costs], _ mapper: Costs?) -> String {
        func numbers(_ value: (Costs) -> Double) -> [String] {
            [median(raw.map(value)), median(own.map(value))].map { String(format: "%.0f", $0) }
        }
        func part(_ value: (Costs) -> Double) -> [String] {
            let ratio = median(zip(own, raw).map { value($0) / value($1) })
            return numbers(value) + [String(format: "%.2f", ratio)]
        }
        let beside = mapper.map { [$0.processor, $0.wall].map { String(format: "%.0f", $0) } } ?? ["-", "-"]
        let all = [name] + part(\.processor) + part(\.wall) + numbers(\.growth) + beside
        return "| " + all.joined(separator: " | ") + " |"
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// Milliseconds of this process's processor time, and of the clock, and megabytes by which the process grew at most.
struct Costs {
    var processor: Double
    var wall: Double
    var growth = 0.0

    /// - Parameter work: prepares, and returns the work to measure.
    static func measure(_ work: () throws -> () throws -> Int64) throws -> (costs: Costs, checksum: Int64) {
        let work = try work()
        malloc_trim(0)
        // The most that the process has held is counted anew.
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let before = memory("VmHWM:")
        let (start, begin) = (processorTime(), ContinuousClock.now)
        let checksum = try work()
        let passed = begin.duration(to: .now).components
        let wall = Double(passed.seconds) * 1000 + Double(passed.attoseconds) * 1e-15
        let processor = processorTime() - start
        return (Costs(processor: processor, wall: wall, growth: memory("VmHWM:") - before), checksum)
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }

    private static func memory(_ name: String) -> Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }.map {
            $0 / 1024
        } ?? 0
    }
}
