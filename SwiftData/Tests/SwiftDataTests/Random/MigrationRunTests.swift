// Random libraries of every version, led to the last one, beside what should become of them.

import Foundation
import ModelRuns
import SwiftData
import Testing

@Suite struct MigrationRunTests {
    /// Half of the migrations fail somewhere first, and are done again.
    @Test(arguments: ModelRuns.seeds(short: 15, long: 400))
    func librariesKeepWhatTheyHave(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Library.store")
        var random = SeededGenerator(seed: seed)
        let library = PlainLibrary(version: 1 + Int(seed % 5), &random)
        try library.write(to: url)
        let place = random.maybe { $0.pick(of: LibraryPlan.places) }
        try LibraryPlan.$run.withValue(LibraryPlan.Run(failing: place)) {
            // A library without books of the same title isn't led past every place.
            do { _ = try PlainLibrary.open(url) } catch let error as SwiftDataError {
                #expect(error == .loadIssueModelContainer)
                let failure = (error as NSError).userInfo[NSUnderlyingErrorKey] as? LibraryPlan.Failure
                #expect(failure?.place == place)
            }
        }
        try LibraryPlan.$run.withValue(LibraryPlan.Run()) {
            let migrated = try PlainLibrary(readingFrom: url)
            #expect(migrated == library.migrated(to: 5), "seed \(seed)")
            #expect(try PlainLibrary(readingFrom: url) == migrated)
        }
    }
}
