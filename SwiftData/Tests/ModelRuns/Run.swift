// What random runs have in common.

import Foundation
import SwiftData

/// A run whose steps follow a seed, and what it finds wrong.
class Run {
    let seed: UInt64
    var random: SeededGenerator
    private(set) var log: [String] = []
    private(set) var faults: [String] = []
    private let skipped: Set<Int>
    private var step = 0
    /// The steps so far, those that were skipped among them.
    var stepCount: Int { step }
    /// The number of the model that was made last.
    var made = 0

    init(seed: UInt64, skipping skipped: Set<Int>) {
        self.seed = seed
        self.skipped = skipped
        random = SeededGenerator(seed: seed)
    }

    func note(_ line: String) { log.append(line) }

    func fault(_ line: String) {
        faults.append(line)
        log.append("!! " + line)
    }

    func expect(_ isTrue: Bool, _ line: @autoclosure () -> String) {
        if !isTrue { fault(line()) }
    }

    /// Runs the next step unless it is skipped; its choices follow from the seed and its number.
    func take(_ action: () throws -> Void) rethrows {
        step += 1
        random = SeededGenerator(seed: seed &* 7919 &+ UInt64(step) &* 104_729)
        made = step * 100
        if !skipped.contains(step) { try action() }
    }

    func run(rounds: Int) throws {}

    /// All models of a context, by their numbers.
    func all(_ context: ModelContext) throws -> [Int: any Knot] {
        var found: [Int: any Knot] = [:]
        func add<Model: Knot>(_ type: Model.Type) throws {
            for model in try context.fetch(FetchDescriptor<Model>()) {
                expect(found[model.number] == nil, "there are two of \(model.number)")
                found[model.number] = model
            }
        }
        for kind in [Kind.person, .pet, .club, .tag, .passport] { try add(kind.type) }
        return found
    }
}
