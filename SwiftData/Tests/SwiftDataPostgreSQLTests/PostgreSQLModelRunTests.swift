// The random runs over models, on a server.

import Foundation
import ModelRuns
import SwiftData
import SwiftDataPostgreSQL
import Testing

@Suite(
    .enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"), .timeLimit(.minutes(60)))
struct PostgreSQLModelRunTests {
    private func configuration() throws -> ModelConfiguration {
        ModelConfiguration(
            postgreSQL: try PostgreSQLServer.shared().address(),
            databaseSchema: "r_" + UUID().uuidString.prefix(8).lowercased())
    }

    @Test(arguments: ModelRuns.seeds(short: 4, long: 100))
    func contextsAndTablesHaveWhatTheyShould(seed: UInt64) throws {
        let faults = try ModelRuns.faults(seed) { try configuration() }
        #expect(faults == [], "seed \(seed)")
    }

    @Test(arguments: ModelRuns.seeds(short: 4, long: 100))
    func contextsThatDontWaitForEachOther(seed: UInt64) throws {
        let faults = try ModelRuns.faultsOfRivals(seed) { try configuration() }
        #expect(faults == [], "seed \(seed)")
    }
}
