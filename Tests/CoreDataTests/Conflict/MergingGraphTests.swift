// Contexts that merge each other's saves edit one graph, beside unsaved changes of their own.
//
// COREDATA_SEED=n runs one seed and prints the shortest run that fails alike, COREDATA_LONG_TESTS=1 runs many.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct MergingGraphTests {
    /// A context that merged everything shows what is stored and its own changes, and saves without conflicts.
    @Test(arguments: GraphSeeds.all(short: 60, long: 600))
    func mergedContextsAgree(seed: UInt64) throws {
        try GraphSeeds.expectSoundness(seed) { try MergingGraphRun(seed: seed, skipping: $0) }
    }
}
