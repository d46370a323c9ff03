// The store, in the place that the environment names.

import Foundation
import SwiftData
import SwiftDataPostgreSQL

enum TripStore {
    static let models: [any PersistentModel.Type] = [
        Trip.self, Stop.self, JournalEntry.self, JournalMark.self,
    ]

    /// Opens the store of `TRIPS`: a `postgresql://` address, or the path of an SQLite file.
    static func container(_ environment: [String: String]) throws -> ModelContainer {
        let place = environment["TRIPS"] ?? "Trips.store"
        let schema = Schema(models)
        let configuration =
            place.hasPrefix("postgresql://")
            ? ModelConfiguration(
                postgreSQL: place, databaseSchema: environment["TRIPS_SCHEMA"], schema: schema)
            : ModelConfiguration(schema: schema, url: URL(fileURLWithPath: place))
        return try ModelContainer(for: schema, configurations: configuration)
    }
}
