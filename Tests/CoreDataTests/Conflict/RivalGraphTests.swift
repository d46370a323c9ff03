// Contexts that know nothing of each other's changes edit one graph, and save by all policies.
//
// COREDATA_SEED=n runs one seed and prints the shortest run that fails alike, COREDATA_LONG_TESTS=1 runs many.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct RivalGraphTests {
    /// Runs that are known to fail, each at a row that was deleted and written anew while others were related to it
    /// (Docs/Decisions/0104-relationships-after-conflicts.md).
    private static let known: Set<UInt64> = [1572, 2133, 2446, 3046]

    /// Both sides of all relationships agree in the store after each save, no key leads to a row that isn't there, and contexts
    /// show what they saved.
    @Test(arguments: GraphSeeds.all(short: 80, long: 4000))
    func relationshipsAgree(seed: UInt64) throws {
        try GraphSeeds.expectSoundness(seed, isKnown: Self.known.contains(seed)) {
            try RivalGraphRun(seed: seed, skipping: $0)
        }
    }

    /// The same on a server, where foreign keys hold what relationships lead to.
    @Test(arguments: StoreKind.serverTypes, GraphSeeds.all(short: 16, long: 600))
    func relationshipsAgreeOnServers(_ type: String, seed: UInt64) throws {
        try GraphSeeds.expectSoundness(seed) { try RivalGraphRun(seed: seed, skipping: $0, type: type) }
    }
}
