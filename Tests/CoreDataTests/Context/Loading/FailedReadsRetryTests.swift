// Reads that are tried again: which, how often, and that it is told.

@testable import CoreData
import CoreDataStores
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FailedReadsRetryTests {
    private let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)

    @Test func whatFailsForAMomentIsTriedAgain() throws {
        let moment = CoreDataError.sqlite(
            NSSQLiteError, description: "x", file: nil, resultCode: 266, message: "disk I/O error")
        var tries = 0
        let said = try warnings {
            try context.retrying("the row") {
                tries += 1
                if tries < 3 { throw moment }
            }
        }
        expect(tries, equals: 3)
        #expect(said.count == 2 && said[0].contains("the row"))
        tries = 0
        #expect(throws: moment) {
            try context.retrying("the row") {
                tries += 1
                throw moment
            }
        }
        expect(tries, equals: 3)
    }

    @Test(arguments: [(9, true), (10, true), (522, true), (11, false), (5, false), (26, false), (13, false)])
    func fewErrorsAreTransient(code: Int, isTransient: Bool) {
        let error = CoreDataError.sqlite(
            NSSQLiteError, description: "x", file: nil, resultCode: code, message: "x")
        expect(ErrorMapping.isTransient(error), equals: isTransient)
        #expect(!ErrorMapping.isTransient(CocoaError(.fileReadUnknown)))
    }
}
