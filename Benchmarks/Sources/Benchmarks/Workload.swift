// One piece of work, done by several contestants in turn.

/// A workload. The first contestant is the measure for the others.
struct Workload {
    let name: String
    let contestants: [Contestant]
}

/// One way to do the work.
struct Contestant {
    let name: String
    /// Does the work once and returns its milliseconds and a checksum, which all contestants must agree on.
    /// Preparation (opening, filling) happens outside of the measured part.
    let run: () throws -> (milliseconds: Double, checksum: Int64)
}

/// The measurements of one contestant.
struct Outcome: Encodable {
    let workload: String
    let contestant: String
    /// Median over the rounds.
    let milliseconds: Double
    /// Median of the rounds' ratios to the first contestant of the same round.
    let ratio: Double
    /// Of the whole process, after this workload.
    let peakMegabytes: Double
}

struct ChecksumFailure: Error {
    let workload: String
    let contestant: String
}

extension Workload {
    /// Runs all contestants in each round, so that a slow moment of the machine hits all. One round warms up.
    func measure(rounds: Int) throws -> [Outcome] {
        var times = [[Double]](repeating: [], count: contestants.count)
        for round in 0...rounds {
            var expected: Int64?
            for (number, contestant) in contestants.enumerated() {
                let (milliseconds, checksum) = try contestant.run()
                if checksum != expected ?? checksum {
                    throw ChecksumFailure(workload: name, contestant: contestant.name)
                }
                expected = checksum
                if round > 0 { times[number].append(milliseconds) }
            }
        }
        return contestants.enumerated().map { number, contestant in
            let ratios = zip(times[number], times[0]).map { $0 / $1 }
            return Outcome(
                workload: name, contestant: contestant.name, milliseconds: median(times[number]),
                ratio: median(ratios), peakMegabytes: Clock.peakMemory())
        }
    }

    /// The same work by the first contestant and those whose names contain a text, for profiles of one of them.
    func keeping(_ text: String?) -> Workload {
        guard let text else { return self }
        return Workload(
            name: name,
            contestants: contestants.prefix(1) + contestants.dropFirst().filter { $0.name.contains(text) })
    }

    /// Runs contestants once, without a word.
    func runOnce(_ text: String) throws {
        for contestant in contestants where contestant.name.contains(text) { _ = try contestant.run() }
    }

    private func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}
