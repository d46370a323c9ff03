// Contexts below each other edit one graph and save into each other, by all policies.
//
// COREDATA_SEED=n runs one seed and prints the shortest run that fails alike, COREDATA_LONG_TESTS=1 runs many.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FamilyGraphTests {
    /// Contexts of every level agree with themselves whatever is saved into them, and so does the store.
    ///
    /// One run is known to fail: a child takes a member out of a relationship that the root has deleted, and the root takes that back.
    @Test(arguments: GraphSeeds.all(short: 60, long: 600))
    func relationshipsAgree(seed: UInt64) throws {
        try GraphSeeds.expectSoundness(seed, isKnown: seed == 55) {
            try FamilyGraphRun(seed: seed, skipping: $0)
        }
    }
}
