// Contexts that merge automatically edit one graph at the same time.
//
// COREDATA_SEED=n runs one seed and prints the shortest run that fails alike, COREDATA_LONG_TESTS=1 runs many.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct AutomaticGraphTests {
    /// Once everything is merged, each context shows what is stored and its own changes, and saves without conflicts.
    @Test(arguments: GraphSeeds.all(short: 40, long: 600))
    func contextsThatFollowAgree(seed: UInt64) throws {
        try GraphSeeds.expectSoundness(seed) { try AutomaticGraphRun(seed: seed, skipping: $0) }
    }
}
