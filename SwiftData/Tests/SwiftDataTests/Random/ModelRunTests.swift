// Random edits of contexts, beside what should come of them.
//
// COREDATA_SEED=n runs one seed and prints the shortest run that fails alike, COREDATA_LONG_TESTS=1 runs many.

import ModelRuns
import SwiftData
import Testing

@Suite struct ModelRunTests {
    @Test(arguments: ModelRuns.seeds(short: 12, long: 1000))
    func contextsAndFilesHaveWhatTheyShould(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        var number = 0
        let faults = try ModelRuns.faults(seed) {
            number += 1
            return ModelConfiguration(url: folder.file("\(number).store"))
        }
        #expect(faults == [], "seed \(seed)")
    }

    @Test(arguments: ModelRuns.seeds(short: 4, long: 200))
    func storesInMemoryToo(seed: UInt64) throws {
        let faults = try ModelRuns.faults(seed) { ModelConfiguration(isStoredInMemoryOnly: true) }
        #expect(faults == [], "seed \(seed)")
    }

    /// The values that a context set are in the store after its save, and both sides of relationships agree.
    @Test(arguments: ModelRuns.seeds(short: 12, long: 1000))
    func contextsThatDontWaitForEachOther(seed: UInt64) throws {
        let faults = try ModelRuns.faultsOfRivals(seed) { ModelConfiguration(isStoredInMemoryOnly: true) }
        #expect(faults == [], "seed \(seed)")
    }
}
