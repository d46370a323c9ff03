// Contexts that merge each other's saves edit one graph beside batches, refreshes that drop changes, resets and unique values.
//
// COREDATA_SEED=n runs one seed and prints the shortest run that fails alike, COREDATA_LONG_TESTS=1 runs many.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct WideGraphTests {
    /// Contexts that merged everything show what is stored and their own changes, and the store agrees with itself.
    @Test(arguments: GraphSeeds.all(short: 60, long: 600))
    func mergedContextsAgree(seed: UInt64) throws {
        try GraphSeeds.expectSoundness(seed) { try WideGraphRun(seed: seed, skipping: $0) }
    }
}
